import { randomUUID } from "node:crypto";
import type { Exchange } from "../http/exchange.ts";
import type { Backend } from "./client.ts";
import { HttpSession } from "./http-session.ts";

/** When a session is ended without having been asked to. All times in milliseconds without a call or a stream. */
export interface SessionLimits {
  readonly count: number;
  /** For a client that shares its connections, and costs nothing but a name. */
  readonly idleMs: number;
  /** For one that has its own, and with them its own processes. */
  readonly ownIdleMs: number;
  /** For one of those whose stream ended: a client that lives opens it again at once. */
  readonly goneMs: number;
}

export const defaultSessionLimits: SessionLimits = {
  count: 1_000,
  idleMs: 30 * 60_000,
  ownIdleMs: 5 * 60_000,
  goneMs: 60_000,
};

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
    this.#sweep = setInterval(() => this.#expire(), Math.min(5_000, limits.idleMs, limits.ownIdleMs, limits.goneMs));
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
    for (const session of this.#sessions.values())
      if (session.idle > this.#patienceWith(session)) void this.end(session);
  }

  #patienceWith(session: HttpSession): number {
    const { idleMs, ownIdleMs, goneMs } = this.#limits;
    if (session.id.startsWith(revivable)) return idleMs;
    return session.hadStream ? goneMs : ownIdleMs;
  }
}
