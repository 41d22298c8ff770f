import { randomUUID } from "node:crypto";
import type { Exchange } from "../mcp/http/exchange.ts";
import type { Backend } from "./client.ts";
import { HttpSession } from "./http-session.ts";

export interface SessionLimits {
  readonly count: number;
  readonly idleMs: number;
}

type Whose = Pick<Exchange, "client" | "caller">;

/** Ids that hold nothing which a restart could lose: such a client is taken back under the id it has. */
const revivable = "shared-";

/** All clients that come back, bounded in number and in idleness. */
export class HttpSessions {
  readonly #backend: Backend;
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #sweep: NodeJS.Timeout;

  constructor(backend: Backend, limits: SessionLimits, now: () => number) {
    this.#backend = backend;
    this.#limits = limits;
    this.#now = now;
    this.#sweep = setInterval(() => this.#expire(), Math.min(60_000, limits.idleMs));
    this.#sweep.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** `askable`: the client offers something to servers, so that its session holds more than a name. */
  open(whose: Whose, askable: boolean): HttpSession | undefined {
    if (!this.#room()) return undefined;
    return this.#add(`${askable ? "own-" : revivable}${randomUUID()}`, whose);
  }

  /** The session of that id and that caller. One that only shares connections is taken back after a restart. */
  find(id: string, whose: Whose): HttpSession | undefined {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session.who === whose.client ? session : undefined;
    if (!/^shared-[0-9a-f-]{36}$/.test(id) || !this.#room()) return undefined;
    return this.#add(id, whose);
  }

  async end(session: HttpSession): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map((session) => this.end(session)));
  }

  #add(id: string, whose: Whose): HttpSession {
    const session = new HttpSession(id, whose, this.#backend, this.#now);
    this.#sessions.set(id, session);
    return session;
  }

  /** Makes room by ending the session that was idle longest; none is idle, there is no room. */
  #room(): boolean {
    if (this.#sessions.size < this.#limits.count) return true;
    let oldest: HttpSession | undefined;
    for (const session of this.#sessions.values()) if (session.idle > (oldest?.idle ?? 0)) oldest = session;
    if (oldest === undefined) return false;
    void this.end(oldest);
    return true;
  }

  #expire(): void {
    for (const session of this.#sessions.values()) if (session.idle > this.#limits.idleMs) void this.end(session);
  }
}
