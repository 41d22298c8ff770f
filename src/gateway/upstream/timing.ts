/** How long the gateway waits, and for what. All in milliseconds. */
export interface Timeouts {
  /** First wait before an upstream is tried again, doubled up to the last. */
  readonly firstRetry: number;
  readonly lastRetry: number;
  /** A connection that lasted this long was a good one: the next wait starts small again. */
  readonly settled: number;
  /** How long the last known lists of an upstream that went away are still shown. */
  readonly grace: number;
  /** How long lists wait, all together, for an upstream that has just been started and has never listed. */
  readonly listWait: number;
  /** How long a client's handshake waits for upstreams that are starting, for their instructions. */
  readonly instructionsWait: number;
  /** How long it waits for a newer list where one is known; what comes later is announced. */
  readonly refreshWait: number;
  /** A list of an upstream that does not announce changes is fetched again after this. */
  readonly listAge: number;
  /** How often a quiet upstream is looked at. */
  readonly lookEvery: number;
  readonly handshake: number;
  /** Changes within this time reach a client as one notification. */
  readonly coalesce: number;
}

export const defaultTimeouts: Timeouts = {
  firstRetry: 500,
  lastRetry: 30_000,
  settled: 10_000,
  grace: 30_000,
  listWait: 5_000,
  instructionsWait: 1_500,
  refreshWait: 500,
  listAge: 2_000,
  lookEvery: 60_000,
  handshake: 30_000,
  coalesce: 50,
};

/** Used where the file names no timeout, as in the peer's bridge. */
export const defaultTimeout = 90_000;
/** However much progress comes, a call ends after this many times its timeout. */
export const totalFactor = 10;

/** A wait that can be cut short. */
export interface Wait {
  readonly done: Promise<void>;
  end(): void;
}

export function wait(ms: number): Wait {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { done, end: () => end() };
}

/** Settles with the promise, or with `undefined` after `ms`. */
export async function atMost<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const limit = wait(ms);
  try {
    return await Promise.race([promise, limit.done.then(() => undefined)]);
  } finally {
    limit.end();
  }
}
