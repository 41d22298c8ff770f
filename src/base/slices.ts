import type { Steps } from "./steps.ts";

export interface SliceOptions {
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long the event loop may be held at a time, in milliseconds. */
  readonly slice?: number;
}

/**
 * Drives work to its end and lets the event loop run between slices. Work that ends within its first slice never waits.
 * Throws the signal's reason when it is aborted.
 */
export async function inSlices<T>(steps: Steps<T>, { signal, slice = 10 }: SliceOptions = {}): Promise<T> {
  let end = performance.now() + slice;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    signal?.throwIfAborted();
    end = performance.now() + slice;
  }
}

/** Lets one piece of large work run at a time; the others wait in order. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
