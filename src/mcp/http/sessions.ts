import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { SessionOptions } from "./endpoint.ts";

export interface Session {
  /** Whoever opened it; nobody else finds it. */
  readonly client: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests being answered and streams being open; a session with any is not idle. */
  calls: number;
  usedAt: number;
}

/** Sessions by id. Those that nobody uses end after a while, or when a new one needs their place. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #byId = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.#endIdle(), Math.max(50, Math.min(options.idleMs / 2, 30_000)));
    this.#sweep.unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  add(id: string, session: Session): void {
    this.#byId.set(id, session);
  }

  find(id: string, client: string): Session | undefined {
    const session = this.#byId.get(id);
    return session?.client === client ? session : undefined;
  }

  forget(id: string): void {
    this.#byId.delete(id);
  }

  /** Counts the session as used until the function that comes back is called. */
  enter(session: Session): () => void {
    session.calls += 1;
    return () => {
      session.calls -= 1;
      session.usedAt = performance.now();
    };
  }

  /** Ends the session that was idle longest when there is no place; `false` when all are in use. */
  makeRoom(): boolean {
    if (this.#byId.size < this.#options.most) return true;
    const idle = [...this.#byId.values()].filter(({ calls }) => calls === 0);
    const oldest = idle.reduce<Session | undefined>(
      (old, it) => (old && old.usedAt <= it.usedAt ? old : it),
      undefined,
    );
    if (oldest === undefined) return false;
    void oldest.transport.close();
    return true;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#byId.values()].map(({ transport }) => transport.close()));
  }

  #endIdle(): void {
    const before = performance.now() - this.#options.idleMs;
    for (const { calls, usedAt, transport } of this.#byId.values()) {
      if (calls === 0 && usedAt < before) void transport.close();
    }
  }
}
