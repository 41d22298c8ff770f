/** Yields now and then, so that whoever drives it can look at the clock or let others run. */
export type Work<T> = Generator<undefined, T>;

/** Longest time between two turns of the event loop, in milliseconds. */
const sliceMs = 8;

/** Does the work, in slices between which others run. `undefined` when `milliseconds` are over before it is done. */
export async function drive<T>(
  work: Work<T>,
  {
    clock,
    milliseconds,
    signal,
  }: {
    /** Milliseconds of a clock that only goes forward. */
    readonly clock: () => number;
    readonly milliseconds: number;
    readonly signal?: AbortSignal;
  },
): Promise<T | undefined> {
  const start = clock();
  let slice = start;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const now = clock();
    if (now - start >= milliseconds) return undefined;
    if (now - slice < sliceMs) continue;
    await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    slice = clock();
  }
}
