export interface StoredSession {
  readonly id: string;
  /** Whoever opened it, as `Exchange.client` names it; nobody else finds it. */
  readonly client: string;
  close(): void | Promise<void>;
}

export interface SessionStoreOptions<S> {
  /** At this many, one that nobody uses makes room. */
  readonly max: number;
  /** Milliseconds without a request or an open stream after which a session is gone. */
  readonly idleMs: number | ((session: S) => number);
  /** How often idle ones are looked for, in milliseconds. */
  readonly sweepMs?: number;
  readonly now?: () => number;
}

interface Kept<S> {
  readonly session: S;
  /** Requests being answered and streams being open; a session with any is not idle. */
  uses: number;
  usedAt: number;
}

/** Sessions by id. Those that nobody uses end after a while, or when a new one needs their place. */
export class SessionStore<S extends StoredSession> {
  readonly #options: SessionStoreOptions<S>;
  readonly #now: () => number;
  readonly #byId = new Map<string, Kept<S>>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: SessionStoreOptions<S>) {
    const { idleMs, now = () => performance.now() } = options;
    this.#options = options;
    this.#now = now;
    const sweepMs = options.sweepMs ?? (typeof idleMs === "number" ? Math.min(idleMs / 2, 30_000) : 5_000);
    this.#sweep = setInterval(() => this.#endIdle(), Math.max(50, sweepMs));
    this.#sweep.unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  add(session: S): void {
    this.#byId.set(session.id, { session, uses: 0, usedAt: this.#now() });
  }

  /** The session of that id, if that client opened it. */
  find(id: string, client: string): S | undefined {
    const kept = this.#byId.get(id);
    return kept?.session.client === client ? kept.session : undefined;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Counts the session as used until the function that comes back is called, however often. */
  enter(session: S): () => void {
    const kept = this.#byId.get(session.id);
    if (kept === undefined) return () => {};
    kept.uses += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      kept.uses -= 1;
      kept.usedAt = this.#now();
    };
  }

  /**
   * Whether there is room for one more. At the limit an idle session ends: one of the client that has the most, so that
   * nobody crowds out others, and of its sessions the one that was idle longest.
   */
  makeRoom(): boolean {
    if (this.#byId.size < this.#options.max) return true;
    const count = new Map<string, number>();
    for (const { session } of this.#byId.values()) count.set(session.client, (count.get(session.client) ?? 0) + 1);
    const idle = [...this.#byId.values()].filter(({ uses }) => uses === 0);
    const [first] = idle.sort(
      (one, other) => count.get(other.session.client)! - count.get(one.session.client)! || one.usedAt - other.usedAt,
    );
    if (first === undefined) return false;
    void this.end(first.session);
    return true;
  }

  /** Forgets the session, then closes it. */
  async end(session: S): Promise<void> {
    if (this.#byId.get(session.id)?.session === session) this.#byId.delete(session.id);
    await session.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#byId.values()].map(({ session }) => this.end(session)));
  }

  #endIdle(): void {
    const { idleMs } = this.#options;
    for (const { session, uses, usedAt } of this.#byId.values()) {
      const patience = typeof idleMs === "number" ? idleMs : idleMs(session);
      if (uses === 0 && this.#now() - usedAt > patience) void this.end(session);
    }
  }
}
