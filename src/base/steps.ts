/**
 * Work in steps: at each `yield` other work may go first. Nothing is computed before it is driven, by `finish` in one go
 * or by `inSlices` a little at a time.
 */
export type Steps<T> = Generator<void, T, void>;

/** Drives the work to its end without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
