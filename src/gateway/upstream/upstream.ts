import { Connection, type ConnectionHealth, type ConnectionSettings } from "./connection.ts";
import { UpstreamFault } from "./fault.ts";
import type { Opened } from "./handshake.ts";
import type { Answer, LinkEvents, PendingRequest, Timing } from "./link.ts";
import { announces, fetchList, type Items, kindsOf, type ListKind, type Lists, listKinds, noLists } from "./lists.ts";
import type { Params } from "./meta.ts";
import { atMost } from "./timing.ts";

export interface UpstreamSettings extends ConnectionSettings {
  readonly timing: Timing;
  /** Whether one channel carries everything, so that an announced change is never missed. */
  readonly oneChannel: boolean;
}

export interface UpstreamEvents extends Pick<LinkEvents, "requested" | "notified"> {
  changed(kind: ListKind): void;
  /** After each handshake: levels and subscriptions have to be set again. */
  connected(): void;
}

export interface UpstreamHealth extends ConnectionHealth {
  /** Milliseconds since the epoch of the last list that succeeded. */
  readonly lastListed: number | undefined;
}

const changeNotices: Readonly<Record<string, readonly ListKind[]>> = {
  "notifications/tools/list_changed": ["tools"],
  "notifications/resources/list_changed": ["resources", "templates"],
  "notifications/prompts/list_changed": ["prompts"],
};

/** One upstream for one client, or for all that share it: its requests and its last known lists. */
export class Upstream {
  readonly name: string;
  readonly #settings: UpstreamSettings;
  readonly #events: UpstreamEvents;
  readonly #connection: Connection;
  #lists: Lists = noLists;
  #lastListed: number | undefined;
  #server: Params | undefined;
  #graceTimer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  readonly #listing = new Map<ListKind, Promise<void>>();
  /** When the listing that runs was begun. */
  readonly #listingSince = new Map<ListKind, number>();
  /** Of lists that failed: not before when, and how often in a row. */
  readonly #retryAt = new Map<ListKind, { readonly at: number; readonly failures: number }>();
  readonly #stale = new Set<ListKind>();
  /** Kinds of which a list is known. */
  readonly #listed = new Set<ListKind>();

  constructor(settings: UpstreamSettings, events: UpstreamEvents) {
    this.name = settings.name;
    this.#settings = settings;
    this.#events = events;
    this.#connection = new Connection(settings, {
      requested: (method, params) => events.requested(method, params),
      notified: (method, params) => this.#notified(method, params),
      prepare: (opened) => this.#listTools(opened),
      prepared: () => this.#afterTools(),
      look: async () => void (await Promise.all(listKinds.map((kind) => this.#relist(kind)))),
      lost: () => this.#startGrace(),
    });
  }

  get health(): UpstreamHealth {
    return { ...this.#connection.health, lastListed: this.#lastListed };
  }

  /** The upstream's last answer to `initialize`; kept over reconnections. */
  get server(): Params | undefined {
    return this.#server;
  }

  /** The last known lists, without asking. */
  get known(): Lists {
    return this.#lists;
  }

  start(): void {
    if (this.#startedAt === 0) this.#startedAt = this.#settings.now();
    this.#connection.start();
  }

  /** Settles when the upstream is ready. Throws `UpstreamFault` when it is not to be had. */
  async connected(): Promise<void> {
    await this.#connection.usable(Math.min(this.#settings.timing.timeout, this.#settings.timeouts.handshake));
  }

  /** The last known items; waits, within bounds, for the first list, and shortly for a newer one where changes go unannounced. */
  async list(kind: ListKind): Promise<Items> {
    const { timeouts, oneChannel, now } = this.#settings;
    const { phase } = this.#connection.health;
    // One that is starting is waited for, once for all lists; one that failed or never answered is not.
    const starting = timeouts.listWait - (now() - this.#startedAt);
    if (phase !== "ready" && phase !== "waiting" && this.#lastListed === undefined && starting > 0) {
      await this.#connection.attempted(starting);
    }
    const opened = this.#connection.ready;
    if (opened === undefined || !kindsOf(opened.server).includes(kind)) return this.#lists[kind];
    const isAnnounced = oneChannel && announces(opened.server, kind);
    const old = now() - (this.#lastListed ?? 0) > timeouts.listAge;
    if (this.#stale.has(kind) || this.#listing.has(kind) || (!isAnnounced && old)) {
      if (now() < (this.#retryAt.get(kind)?.at ?? 0)) return this.#lists[kind];
      const run = this.#relist(kind);
      const limit = this.#listed.has(kind) ? timeouts.refreshWait : timeouts.listWait;
      const left = limit - (now() - (this.#listingSince.get(kind) ?? now()));
      if (left > 0) await atMost(run, left);
    }
    return this.#lists[kind];
  }

  /** `repeatable`: may be sent again after a lost session. `answer` rejects with `UpstreamFault` only. */
  request(method: string, params: Params, repeatable: boolean, progress?: (params: Params) => void): PendingRequest {
    const { timing, timeouts } = this.#settings;
    let pending: PendingRequest | undefined;
    let cancelled: { readonly reason: unknown } | undefined;
    const send = async (opened: Opened): Promise<Answer> => {
      pending = opened.link.request(method, params, timing, progress);
      if (cancelled !== undefined) pending.cancel(cancelled.reason);
      try {
        return await pending.answer;
      } catch (fault) {
        this.#examine(fault, opened);
        throw fault;
      }
    };
    const usable = () => this.#connection.usable(Math.min(timing.timeout, timeouts.handshake));
    const ready = this.#connection.ready;
    const first = ready === undefined ? usable().then(send) : send(ready);
    const answer = first.catch(async (fault: unknown) => {
      if (!(fault instanceof UpstreamFault) || fault.kind !== "session-lost") throw fault;
      const next = await usable();
      if (repeatable) return send(next);
      throw new UpstreamFault(
        "session-lost",
        this.name,
        `upstream "${this.name}" had lost its session; it was renewed, and the call was not repeated, because it may change something. Call again.`,
      );
    });
    return {
      answer,
      cancel: (reason) => {
        cancelled = { reason };
        pending?.cancel(reason);
      },
    };
  }

  notify(method: string, params?: Params): void {
    void this.#connection.ready?.link.notify(method, params);
  }

  async close(): Promise<void> {
    clearTimeout(this.#graceTimer);
    await this.#connection.close();
  }

  /** Ends a connection that a fault shows to be of no more use. A slow answer says nothing about the others. */
  #examine(fault: unknown, opened: Opened): void {
    if (!(fault instanceof UpstreamFault)) return;
    if (fault.kind === "session-lost") this.#connection.giveUp(opened, true);
    if ((fault.kind !== "unavailable" && fault.kind !== "broken") || !opened.link.open) return;
    this.#connection.note(fault.message);
    this.#connection.giveUp(opened, false);
  }

  #notified(method: string, params: Params | undefined): void {
    const kinds = changeNotices[method];
    if (kinds === undefined) this.#events.notified(method, params);
    else for (const kind of kinds) void this.#relist(kind);
  }

  /** A server counts as ready once it has listed its tools; what else it has is listed right after. */
  async #listTools(opened: Opened): Promise<void> {
    this.#server = opened.server;
    const has = kindsOf(opened.server).includes("tools");
    const tools = has ? await fetchList(this.name, opened.link, "tools", this.#listTiming) : [];
    clearTimeout(this.#graceTimer);
    this.#lastListed = this.#settings.now();
    this.#stale.delete("tools");
    this.#keep("tools", tools);
  }

  #afterTools(): void {
    const kinds = listKinds.filter((kind) => kind !== "tools" || this.#stale.has(kind));
    for (const kind of kinds) void this.#relist(kind);
    this.#events.connected();
  }

  /** A server that lists slowly is not waited for as long as a call may take. */
  get #listTiming(): Timing {
    const limit = Math.min(this.#settings.timing.timeout, this.#settings.timeouts.handshake);
    return { timeout: limit, total: limit };
  }

  /** Lists one kind anew. Asked for while it runs, it runs once more. Keeps the last list when it fails. */
  #relist(kind: ListKind): Promise<void> {
    const opened = this.#connection.ready;
    this.#stale.add(kind);
    if (opened === undefined || !kindsOf(opened.server).includes(kind)) return Promise.resolve();
    const running = this.#listing.get(kind);
    if (running !== undefined) return running;
    this.#listingSince.set(kind, this.#settings.now());
    const run = this.#listUntilFresh(kind, opened).finally(() => this.#listing.delete(kind));
    this.#listing.set(kind, run);
    return run;
  }

  async #listUntilFresh(kind: ListKind, opened: Opened): Promise<void> {
    try {
      while (this.#stale.delete(kind)) {
        const items = await fetchList(this.name, opened.link, kind, this.#listTiming);
        this.#lastListed = this.#settings.now();
        this.#connection.succeeded();
        this.#retryAt.delete(kind);
        this.#keep(kind, items);
      }
    } catch (error) {
      this.#connection.note(error instanceof Error ? error.message : String(error));
      this.#retryLater(kind);
      this.#examine(error, opened);
    }
  }

  /** Tries a list that failed again after growing waits, whoever wants it meanwhile. */
  #retryLater(kind: ListKind): void {
    const { firstRetry, lastRetry } = this.#settings.timeouts;
    const failures = (this.#retryAt.get(kind)?.failures ?? 0) + 1;
    const wait = Math.min(lastRetry, firstRetry * 2 ** Math.min(failures, 16));
    this.#retryAt.set(kind, { at: this.#settings.now() + wait, failures });
    setTimeout(() => void this.#relist(kind), wait).unref();
  }

  #keep(kind: ListKind, items: Items): void {
    this.#listed.add(kind);
    const same = JSON.stringify(items) === JSON.stringify(this.#lists[kind]);
    this.#lists = { ...this.#lists, [kind]: items };
    if (!same) this.#events.changed(kind);
  }

  /** What is known stays shown for a while after the connection went; then it is taken away. */
  #startGrace(): void {
    clearTimeout(this.#graceTimer);
    this.#graceTimer = setTimeout(() => {
      if (this.#connection.ready !== undefined) return;
      for (const kind of listKinds) this.#keep(kind, []);
    }, this.#settings.timeouts.grace);
    this.#graceTimer.unref();
  }
}
