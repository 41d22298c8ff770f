import type { MessageChannel } from "../../base/json-rpc.ts";
import type { Log } from "../../base/log.ts";
import { UpstreamFault } from "./fault.ts";
import { type ClientFace, type Opened, openLink } from "./handshake.ts";
import type { LinkEvents } from "./link.ts";
import { atMost, type Timeouts, type Wait, wait } from "./timing.ts";

export interface ConnectionSettings {
  readonly name: string;
  readonly open: () => Promise<MessageChannel>;
  readonly face: ClientFace;
  readonly timeouts: Timeouts;
  readonly log: Log;
  readonly now: () => number;
}

export interface ConnectionHooks extends Pick<LinkEvents, "requested" | "notified"> {
  /** Has to succeed before the connection counts as ready; a rejection ends it and it is tried again later. */
  prepare(opened: Opened): Promise<void>;
  /** The connection has just become ready. */
  prepared(): void;
  /** Now and then while the connection is ready. */
  look(): Promise<void>;
  /** The connection is gone; the next one is on its way. */
  lost(): void;
}

export interface ConnectionHealth {
  readonly phase: "idle" | "connecting" | "ready" | "waiting" | "closed";
  /** When the phase was entered, in milliseconds since the epoch. */
  readonly since: number;
  /** The last fault; `undefined` once something succeeded. */
  readonly error: string | undefined;
}

/** Keeps one upstream connected: tries, prepares, watches, and after a loss tries again with growing waits. */
export class Connection {
  readonly #settings: ConnectionSettings;
  readonly #hooks: ConnectionHooks;
  #health: ConnectionHealth;
  #opened: Opened | undefined;
  #channel: MessageChannel | undefined;
  /** Settles when the present attempt, or the next one, has succeeded or failed. */
  #attempt = deferred();
  #pause: Wait | undefined;
  #loop: Promise<void> | undefined;
  #failures = 0;
  #failedAt = 0;
  #renew = false;
  #settleEnded = () => {};

  constructor(settings: ConnectionSettings, hooks: ConnectionHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
    this.#health = { phase: "idle", since: settings.now(), error: undefined };
  }

  get health(): ConnectionHealth {
    return this.#health;
  }

  /** The connection, when it is ready. */
  get ready(): Opened | undefined {
    return this.#health.phase === "ready" ? this.#opened : undefined;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Settles when the present or the next attempt is over, at the latest after `ms`. */
  async attempted(ms: number): Promise<void> {
    await atMost(this.#attempt.done, ms);
  }

  /** The connection, tried again now unless it failed a moment ago. Throws `UpstreamFault`. */
  async usable(ms: number): Promise<Opened> {
    this.start();
    if (this.ready !== undefined) return this.ready;
    const resting = this.#health.phase === "waiting";
    if (!resting || this.#settings.now() - this.#failedAt >= Math.min(this.#nextWait(), 2_000)) {
      if (resting) this.#pause?.end();
      await this.attempted(ms);
    }
    if (this.ready !== undefined) return this.ready;
    const { name } = this.#settings;
    const why = this.#health.error ?? "it has not answered yet";
    throw new UpstreamFault("unavailable", name, `upstream "${name}" is not available: ${why}`);
  }

  /** Notes that something worked. */
  succeeded(): void {
    this.#health = { ...this.#health, error: undefined };
  }

  /** Notes a fault that does not end the connection. */
  note(error: string): void {
    if (this.#health.phase === "closed") return;
    this.#health = { ...this.#health, error };
    this.#settings.log("warn", error, { upstream: this.#settings.name });
  }

  /** Ends this connection, if it is still the present one. `again`: the next one is made at once. */
  giveUp(opened: Opened, again: boolean): void {
    if (this.#opened !== opened || this.#health.phase !== "ready") return;
    this.#renew = again;
    this.#leave();
  }

  async close(): Promise<void> {
    this.#enter("closed");
    this.#pause?.end();
    this.#attempt.settle();
    const opened = this.#opened;
    this.#opened = undefined;
    await Promise.all([opened?.link.close(), this.#channel?.close()]);
    await this.#loop;
  }

  get #closed(): boolean {
    return this.#health.phase === "closed";
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const began = this.#settings.now();
      this.#enter("connecting");
      const ended = deferred();
      this.#settleEnded = ended.settle;
      try {
        await this.#connect(ended.settle);
        this.#attempt.settle();
        await this.#watch(ended.done);
      } catch (error) {
        this.note(error instanceof Error ? error.message : String(error));
        const failed = this.#attempt;
        this.#attempt = deferred();
        failed.settle();
      }
      if (this.#closed) break;
      this.#leave();
      if (this.#settings.now() - began > this.#settings.timeouts.settled) this.#failures = 0;
      if (!this.#renew) await this.#rest();
      this.#renew = false;
    }
    this.#attempt.settle();
  }

  async #connect(ended: () => void): Promise<void> {
    const { name, open, face, timeouts } = this.#settings;
    const channel = await open();
    this.#channel = channel;
    if (this.#closed) return;
    const opened = await openLink(name, channel, face, timeouts.handshake, {
      requested: this.#hooks.requested,
      notified: this.#hooks.notified,
      closed: (reason) => {
        if (this.#health.phase === "ready") this.note(`upstream "${name}" went away: ${reason}`);
        ended();
      },
      trouble: (reason) => this.#trouble(reason),
    });
    this.#opened = opened;
    await this.#hooks.prepare(opened);
    if (!opened.link.open)
      throw new UpstreamFault("unavailable", name, `upstream "${name}" ended while it was listing`);
    this.succeeded();
    this.#enter("ready");
    this.#hooks.prepared();
  }

  async #watch(ended: Promise<void>): Promise<void> {
    let over = false;
    void ended.then(() => {
      over = true;
      this.#pause?.end();
    });
    while (!over && this.#health.phase === "ready") {
      this.#pause = wait(this.#settings.timeouts.lookEvery);
      await this.#pause.done;
      if (!over && this.#health.phase === "ready") await this.#hooks.look();
    }
  }

  /** Leaves the present connection, if there is one; who waits from now on waits for the next attempt. */
  #leave(): void {
    const opened = this.#opened;
    if (opened === undefined) return;
    const wasReady = this.#health.phase === "ready";
    this.#opened = undefined;
    this.#enter("connecting");
    if (wasReady) {
      this.#attempt = deferred();
      this.#hooks.lost();
    }
    this.#settleEnded();
    void opened.link.retire();
  }

  async #rest(): Promise<void> {
    this.#failures++;
    this.#failedAt = this.#settings.now();
    this.#enter("waiting");
    this.#pause = wait(this.#nextWait());
    await this.#pause.done;
  }

  #nextWait(): number {
    const { firstRetry, lastRetry } = this.#settings.timeouts;
    return Math.min(lastRetry, firstRetry * 2 ** Math.max(0, this.#failures - 1));
  }

  #enter(phase: ConnectionHealth["phase"]): void {
    if (this.#health.phase === "closed" || this.#health.phase === phase) return;
    this.#health = { ...this.#health, phase, since: this.#settings.now() };
  }

  #trouble(reason: string): void {
    this.#settings.log("warn", reason, { upstream: this.#settings.name });
  }
}

function deferred(): { readonly done: Promise<void>; readonly settle: () => void } {
  let settle = () => {};
  const done = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { done, settle };
}
