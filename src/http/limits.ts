export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytes: number;
  /** Bytes of one answer. */
  readonly answerBytes: number;
  /** Bytes that one client, and all together, may leave unread of what they were sent. */
  readonly unreadBytes: number;
  readonly unreadTotalBytes: number;
  readonly headerCount: number;
  /** Sockets of all clients together; further ones are closed at once. */
  readonly connections: number;
  /** Requests a second and client, over time; bursts of twice as many are let through. */
  readonly requestsPerSecond: number;
  /** Calls of one client that are being answered at the same time. */
  readonly concurrentCalls: number;
  /** Streams of one client that stay open: listens, GET streams, SSE sessions. */
  readonly openStreams: number;
  /** Milliseconds for a request's headers, for its body, and for a peer to take what it was sent. */
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly stalledMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  answerBytes: 8 * 1024 * 1024,
  unreadBytes: 24 * 1024 * 1024,
  unreadTotalBytes: 96 * 1024 * 1024,
  headerCount: 100,
  connections: 4096,
  requestsPerSecond: 200,
  concurrentCalls: 64,
  openStreams: 256,
  headersMs: 10_000,
  bodyMs: 30_000,
  stalledMs: 120_000,
};

/** For the one person at this machine, whose agents and scripts all come from one address. */
export const localLimits: Pick<Limits, "requestsPerSecond" | "concurrentCalls" | "openStreams"> = {
  requestsPerSecond: 10_000,
  concurrentCalls: 256,
  openStreams: 1024,
};

/** One client's share. Rates fill a bucket; calls and streams are counted while they last. */
interface Share {
  tokens: number;
  filledAt: number;
  calls: number;
  streams: number;
}

const sharesKept = 10_000;

/** Counts per client. Clients that are quiet and full again are forgotten, so strangers cannot fill memory. */
export class ClientLimits {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #shares = new Map<string, Share>();
  readonly #waiters = new Set<() => void>();
  #calls = 0;

  constructor(limits: Limits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Milliseconds until the next request is welcome; 0 when this one is, which is then counted. */
  wait(client: string): number {
    const share = this.#share(client);
    if (share.tokens < 1) return Math.ceil(((1 - share.tokens) / this.#limits.requestsPerSecond) * 1000);
    share.tokens -= 1;
    return 0;
  }

  /** Counts a call until the function that comes back is called; `undefined` when the client has too many. */
  enter(client: string, kind: "calls" | "streams"): (() => void) | undefined {
    const share = this.#share(client);
    const most = kind === "calls" ? this.#limits.concurrentCalls : this.#limits.openStreams;
    if (share[kind] >= most) return undefined;
    this.#count(share, kind, 1);
    let inside = true;
    return () => {
      if (inside) this.#count(share, kind, -1);
      inside = false;
    };
  }

  /** Settles when no call of any client is under way. */
  quiet(): Promise<void> {
    if (this.#calls === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  #count(share: Share, kind: "calls" | "streams", by: 1 | -1): void {
    share[kind] += by;
    if (kind === "calls") this.#calls += by;
    if (this.#calls > 0) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  #share(client: string): Share {
    const now = this.#now();
    const most = this.#limits.requestsPerSecond * 2;
    let share = this.#shares.get(client);
    if (share === undefined) {
      if (this.#shares.size >= sharesKept) this.#forgetQuiet(now);
      share = { tokens: most, filledAt: now, calls: 0, streams: 0 };
      this.#shares.set(client, share);
    }
    share.tokens = Math.min(most, share.tokens + ((now - share.filledAt) / 1000) * this.#limits.requestsPerSecond);
    share.filledAt = now;
    return share;
  }

  #forgetQuiet(now: number): void {
    for (const [client, { calls, streams, filledAt }] of this.#shares) {
      if (calls === 0 && streams === 0 && now - filledAt > 2000) this.#shares.delete(client);
    }
  }
}
