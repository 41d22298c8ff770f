import type { Caller } from "../core/concept/caller.ts";
import type { Backend, Client, ClientOpening } from "./client/client.ts";
import { GatewayClient } from "./client/gateway-client.ts";
import type { GatewayContext, GatewayHome } from "./client/method.ts";
import { UpstreamFault } from "./upstream/fault.ts";
import { type ClientFace, revisions } from "./upstream/handshake.ts";
import { SharedUpstreams } from "./upstream/shared-upstreams.ts";
import { type UpstreamStatus, upstreamStatus } from "./upstream/status.ts";
import { type SetEvents, UpstreamSet } from "./upstream/upstream-set.ts";

/** So many different sets of grants have connections at one time; of those in no use the longest unused is closed. */
const maxShared = 16;
/** Connections of a set of grants that no client uses are closed after this, in milliseconds. */
const idleGrantsMs = 5 * 60_000;

/**
 * Many upstreams as one server. Clients that take no requests share one set of connections, so that a fleet costs no
 * more processes than one; a client that does (sampling, elicitation, roots) has its own, so that what an upstream
 * requests reaches the right one. Where the concept server is mounted, only clients with the same grants share.
 */
export class Gateway implements Backend, GatewayHome {
  readonly context: GatewayContext;
  readonly #clients = new Set<GatewayClient>();
  readonly #shared = new Map<string, SharedUpstreams>();
  #closed = false;

  constructor(context: GatewayContext) {
    this.context = context;
  }

  /** The connections of callers without a grant; made and started on first use. */
  get shared(): UpstreamSet {
    return this.sharedFor([]).set;
  }

  sharedFor(protocols: Iterable<string>): SharedUpstreams {
    const grants = this.#grantsOf(protocols);
    const key = JSON.stringify(grants);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    this.#closeIdle();
    if (this.#closed || this.#shared.size >= maxShared) {
      throw new UpstreamFault(
        "unavailable",
        "gateway",
        "callers with too many different grants are connected; try later",
      );
    }
    const clientInfo = { name: "iaip-dsl-gateway", version: this.context.version };
    const face = { protocolVersion: revisions[0], capabilities: {}, clientInfo };
    const made: SharedUpstreams = new SharedUpstreams((events) => this.#makeSet(face, grants, events), {
      changed: (kind) => {
        for (const client of this.#clients) client.sharedChanged(made, kind);
      },
      now: this.context.now,
    });
    this.#shared.set(key, made);
    return made;
  }

  makeSet(face: ClientFace, caller: Caller, events: SetEvents): UpstreamSet {
    return this.#makeSet(face, this.#grantsOf(caller.protocols), events);
  }

  openClient(opening: ClientOpening): Client {
    const client = new GatewayClient(this, opening, () => this.#clients.delete(client));
    this.#clients.add(client);
    return client;
  }

  status(set: UpstreamSet = this.shared): readonly UpstreamStatus[] {
    const { prepared, now } = this.context;
    return prepared.servers.map(({ config }) => {
      return upstreamStatus(config, set.get(config.name)?.health, set.catalog, { now: now(), redact: prepared.redact });
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const shared = [...this.#shared.values()].map((one) => one.set.close());
    await Promise.all([...[...this.#clients].map((client) => client.close()), ...shared]);
  }

  /** Grants matter only to a server that answers by them. */
  #grantsOf(protocols: Iterable<string>): readonly string[] {
    return this.context.prepared.usesGrants ? [...new Set(protocols)].sort() : [];
  }

  #makeSet(face: ClientFace, grants: readonly string[], events: SetEvents): UpstreamSet {
    const { prepared, log, timeouts, now } = this.context;
    return new UpstreamSet(prepared.servers, face, events, { log, redact: prepared.redact, grants, timeouts, now });
  }

  #closeIdle(): void {
    const idle = [...this.#shared].filter(([key, one]) => key !== "[]" && one.idle > 0);
    const sorted = idle.sort(([, a], [, b]) => b.idle - a.idle);
    for (const [key, one] of sorted) {
      if (one.idle < idleGrantsMs && this.#shared.size < maxShared) continue;
      this.#shared.delete(key);
      void one.set.close();
    }
  }
}
