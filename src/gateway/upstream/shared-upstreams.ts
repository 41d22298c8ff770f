import type { Params } from "./meta.ts";
import type { SetEvents, UpstreamSet } from "./upstream-set.ts";

/** Who reads an address on shared connections. */
export interface Subscriber {
  push(method: string, params: Params | undefined): boolean;
}

/** Connections that clients with the same grants share, and who among them reads which address. */
export class SharedUpstreams {
  readonly set: UpstreamSet;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #clients = new Set<object>();
  readonly #now: () => number;
  #lastUse: number;

  constructor(
    makeSet: (events: SetEvents) => UpstreamSet,
    options: { readonly changed: SetEvents["changed"]; readonly now: () => number },
  ) {
    this.#now = options.now;
    this.#lastUse = options.now();
    this.set = makeSet(this.#events(options.changed));
    this.set.start();
  }

  /** Milliseconds since the last client left; zero while there is one. */
  get idle(): number {
    return this.#clients.size > 0 ? 0 : this.#now() - this.#lastUse;
  }

  join(client: object): void {
    this.#clients.add(client);
  }

  /** Counts one more reader of an address; true when it is the first. */
  subscribe(uri: string, client: Subscriber): boolean {
    const readers = this.#subscribers.get(uri) ?? new Set();
    this.#subscribers.set(uri, readers);
    readers.add(client);
    return readers.size === 1;
  }

  /** True when it was the last reader. */
  unsubscribe(uri: string, client: Subscriber): boolean {
    const readers = this.#subscribers.get(uri);
    if (readers?.delete(client) !== true || readers.size > 0) return false;
    return this.#subscribers.delete(uri);
  }

  /** The client is gone: what only it was reading is no longer subscribed to. */
  leave(client: Subscriber): void {
    if (this.#clients.delete(client)) this.#lastUse = this.#now();
    for (const uri of [...this.#subscribers.keys()]) {
      if (this.unsubscribe(uri, client)) this.#request("resources/unsubscribe", uri);
    }
  }

  #request(method: string, uri: string): void {
    const owner = this.set.routes.find(uri, this.set.catalog);
    const upstream = owner === undefined ? undefined : this.set.get(owner);
    upstream?.request(method, { uri }, true).answer.catch(() => {});
  }

  #events(changed: SetEvents["changed"]): SetEvents {
    return {
      changed,
      connected: (upstream) => {
        for (const uri of this.#subscribers.keys()) {
          if (this.set.routes.find(uri, this.set.catalog) === upstream.name) this.#request("resources/subscribe", uri);
        }
      },
      requested: (_, method) => ({
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
