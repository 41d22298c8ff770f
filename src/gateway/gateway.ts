import type { Backend, Client, ClientOpening } from "./client.ts";
import { GatewayClient } from "./gateway-client.ts";
import { type ClientFace, revisions } from "./handshake.ts";
import type { ListKind } from "./lists.ts";
import type { GatewayContext, GatewayHome, Subscriber } from "./method.ts";
import { type UpstreamStatus, upstreamStatus } from "./status.ts";
import { type SetEvents, UpstreamSet } from "./upstream-set.ts";

/**
 * Many upstreams as one server. Clients that offer nothing to servers share one set of connections, so that a fleet
 * costs no more processes than one; a client that can be asked (sampling, elicitation, roots) has its own, so that
 * what an upstream asks reaches the right one.
 */
export class Gateway implements Backend, GatewayHome {
  readonly context: GatewayContext;
  readonly #clients = new Set<GatewayClient>();
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #shared: UpstreamSet | undefined;
  #closed = false;

  constructor(context: GatewayContext) {
    this.context = context;
  }

  /** The connections that clients share; made and started on first use. */
  get shared(): UpstreamSet {
    if (this.#shared === undefined) {
      const clientInfo = { name: "iaip-dsl-gateway", version: this.context.version };
      this.#shared = this.makeSet(
        { protocolVersion: revisions[0], capabilities: {}, clientInfo },
        this.#sharedEvents(),
      );
      this.#shared.start();
    }
    return this.#shared;
  }

  makeSet(face: ClientFace, events: SetEvents): UpstreamSet {
    const { prepared, log, patience, now } = this.context;
    return new UpstreamSet(prepared.servers, face, events, { log, redact: prepared.redact, patience, now });
  }

  openClient(opening: ClientOpening): Client {
    const client = new GatewayClient(this, opening, () => this.#forget(client));
    this.#clients.add(client);
    return client;
  }

  status(set: UpstreamSet = this.shared): readonly UpstreamStatus[] {
    const { prepared, now } = this.context;
    return prepared.servers.map(({ config }) => {
      return upstreamStatus(config, set.get(config.name)?.health, set.catalog, { now: now(), redact: prepared.redact });
    });
  }

  subscribe(uri: string, client: Subscriber): boolean {
    const readers = this.#subscribers.get(uri) ?? new Set();
    this.#subscribers.set(uri, readers);
    readers.add(client);
    return readers.size === 1;
  }

  unsubscribe(uri: string, client: Subscriber): boolean {
    const readers = this.#subscribers.get(uri);
    if (readers?.delete(client) !== true || readers.size > 0) return false;
    return this.#subscribers.delete(uri);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([...[...this.#clients].map((client) => client.close()), this.#shared?.close()]);
  }

  #forget(client: GatewayClient): void {
    this.#clients.delete(client);
    for (const uri of [...this.#subscribers.keys()]) {
      if (!this.unsubscribe(uri, client)) continue;
      const owner = this.shared.routes.find(uri, this.shared.catalog);
      if (owner === undefined) continue;
      this.shared
        .get(owner)
        ?.request("resources/unsubscribe", { uri }, true)
        .answer.catch(() => {});
    }
  }

  #sharedEvents(): SetEvents {
    return {
      changed: (kind: ListKind) => {
        for (const client of this.#clients) client.sharedChanged(kind);
      },
      connected: (upstream) => {
        for (const uri of this.#subscribers.keys()) {
          if (this.shared.routes.find(uri, this.shared.catalog) !== upstream.name) continue;
          upstream.request("resources/subscribe", { uri }, true).answer.catch(() => {});
        }
      },
      asked: (_, method) => ({
        answer: Promise.resolve({ error: { code: -32601, message: `no client here offers ${method}` } }),
        cancel: () => {},
      }),
      notified: (_, method, params) => {
        if (method !== "notifications/resources/updated") return;
        for (const client of this.#subscribers.get(String(params?.uri)) ?? []) client.push(method, params);
      },
    };
  }
}
