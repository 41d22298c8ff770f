import type { Log } from "../../base/log.ts";
import type { ServerConfig } from "../config/config.ts";
import { ConfigError } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { type Redact, redactor } from "../config/redact.ts";
import { serverSecrets } from "../config/secrets.ts";
import { buildCatalog, type Catalog, type Source } from "./catalog.ts";
import type { ClientFace } from "./handshake.ts";
import type { LinkEvents } from "./link.ts";
import type { ListKind, Lists } from "./lists.ts";
import type { Params } from "./meta.ts";
import { type ChannelOpener, channelOpener } from "./open-channel.ts";
import { ResourceRoutes } from "./resource-routes.ts";
import { defaultTimeout, type Timeouts, totalFactor } from "./timing.ts";
import { Upstream } from "./upstream.ts";

/** A configured server, ready to be connected to any number of times. */
export interface PreparedServer {
  readonly config: ServerConfig;
  readonly source: Source;
  readonly open: ChannelOpener;
}

export interface Prepared {
  readonly servers: readonly PreparedServer[];
  /** Takes every configured value of every server out of a text for logs, errors and the status. */
  readonly redact: Redact;
  /** Takes the secrets of every server out of what clients get. */
  readonly redactContent: Redact;
  /** Whether a server answers by its caller's grants, so that callers with different ones share no connection. */
  readonly usesGrants: boolean;
}

/** Checks the secrets of all servers and makes them ready. Throws `ConfigError`. `mounted` keeps its names. */
export function prepareServers(
  servers: readonly ServerConfig[],
  context: { readonly environment: Environment; readonly log: Log; readonly mounted?: ServerConfig | undefined },
): Prepared {
  const { environment, log, mounted } = context;
  const all = mounted === undefined ? servers : [mounted, ...servers];
  if (new Set(all.map((one) => one.name)).size < all.length) {
    throw new ConfigError(`a server is named "${mounted?.name}", which is the mounted one's name; choose another`);
  }
  const found = all.filter((one) => one.suspended !== true).map((one) => serverSecrets(one, environment));
  const redact = redactor(found.flatMap(({ values }) => values));
  const redactContent = redactor(found.flatMap(({ secrets }) => secrets));
  const usesGrants = mounted?.takesGrants === true;
  const prepared = (config: ServerConfig): PreparedServer => ({
    config,
    source: {
      name: config.name,
      prefix: config === mounted ? undefined : config.toolsPrefix,
      trusted: config.trustAnnotations !== false,
      scopeOfWrites: config === mounted && usesGrants ? "log" : "read and log",
      toolsAllow: config.toolsAllow,
      toolsDeny: config.toolsDeny,
    },
    open:
      config.suspended === true
        ? () => Promise.reject(new Error("suspended"))
        : channelOpener(config, { environment, log, redact, redactContent, takesGrants: config.takesGrants === true }),
  });
  return { redact, redactContent, usesGrants, servers: all.map(prepared) };
}

export interface SetEvents {
  changed(kind: ListKind): void;
  connected(upstream: Upstream): void;
  requested(upstream: string, method: string, params: Params | undefined): ReturnType<LinkEvents["requested"]>;
  notified(upstream: string, method: string, params: Params | undefined): void;
}

export interface SetContext {
  readonly log: Log;
  readonly redact: Redact;
  /** Community protocols of the callers for whom these connections are. */
  readonly grants: readonly string[];
  readonly timeouts: Timeouts;
  readonly now: () => number;
}

const maxLogged = 1_000;

/** The upstreams as one client sees them, or all clients that share them. */
export class UpstreamSet {
  readonly routes = new ResourceRoutes();
  readonly #members: readonly { readonly source: Source; readonly upstream: Upstream }[];
  readonly #log: Log;
  readonly #logged = new Set<string>();
  #catalog: { readonly of: readonly Lists[]; readonly catalog: Catalog } | undefined;

  constructor(servers: readonly PreparedServer[], face: ClientFace, events: SetEvents, context: SetContext) {
    const log: Log = (level, message, data) => context.log(level, context.redact(message), data);
    this.#log = log;
    this.#members = servers
      .filter((one) => one.config.suspended !== true)
      .map(({ config, source, open }) => {
        const timeout = config.timeout === undefined ? defaultTimeout : config.timeout * 1_000;
        const settings = {
          name: config.name,
          open: () => open(context.grants),
          face,
          timing: { timeout, total: timeout * totalFactor },
          oneChannel: config.command !== undefined,
          timeouts: context.timeouts,
          now: context.now,
          log,
        };
        const upstream: Upstream = new Upstream(settings, {
          changed: (kind) => events.changed(kind),
          connected: () => events.connected(upstream),
          requested: (method, params) => events.requested(config.name, method, params),
          notified: (method, params) => events.notified(config.name, method, params),
        });
        return { source, upstream };
      });
  }

  get upstreams(): readonly Upstream[] {
    return this.#members.map((one) => one.upstream);
  }

  get(name: string): Upstream | undefined {
    return this.#members.find((one) => one.upstream.name === name)?.upstream;
  }

  start(): void {
    for (const { upstream } of this.#members) upstream.start();
  }

  /** Settles when every upstream has been tried once, whatever came of it. */
  async settled(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.connected().catch(() => {})));
  }

  /** What is known now, merged; made anew only when a list changed. */
  get catalog(): Catalog {
    const lists = this.#members.map((one) => one.upstream.known);
    const held = this.#catalog;
    if (held?.of.every((one, index) => one === lists[index]) === true) return held.catalog;
    const catalog = buildCatalog(this.#members.map(({ source }, index) => ({ source, lists: lists[index]! })));
    this.#catalog = { of: lists, catalog };
    this.#logOnce(catalog);
    return catalog;
  }

  /** Fetches what is missing or old from every upstream, each within its bounds, and merges. */
  async listed(...kinds: readonly ListKind[]): Promise<Catalog> {
    await Promise.all(this.#members.flatMap(({ upstream }) => kinds.map((kind) => upstream.list(kind))));
    return this.catalog;
  }

  /** Says what was mended and what is left out, once each. */
  #logOnce({ mended, leftOut }: Catalog): void {
    for (const [what, reasons] of [
      ["mended", mended],
      ["left out", leftOut],
    ] as const) {
      for (const [upstream, list] of reasons) {
        for (const reason of list) {
          if (this.#logged.size >= maxLogged || this.#logged.has(`${upstream} ${reason}`)) continue;
          this.#logged.add(`${upstream} ${reason}`);
          this.#log("warn", `${what}: ${reason}`, { upstream });
        }
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((one) => one.upstream.close()));
  }
}
