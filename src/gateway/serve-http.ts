import type { ServerResponse } from "node:http";
import type { Route } from "../http/exchange.ts";
import { isLoopback, loopbackNames } from "../http/host-guard.ts";
import { defaultLimits, type Limits, localLimits } from "../http/limits.ts";
import type { ListenOptions } from "../http/listen-options.ts";
import { listen } from "../http/listener.ts";
import { type HttpEndpointOptions, httpEndpoint } from "./client/http-endpoint.ts";

export interface ServeHttpOptions
  extends HttpEndpointOptions,
    Pick<ListenOptions, "host" | "port" | "tls" | "access" | "log" | "trustedProxies" | "publicUrl"> {
  readonly isHealthy: () => boolean;
  readonly isReady: () => boolean;
  /** Further names this server answers to: `gateway.example`, `*.svc`. */
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Milliseconds that calls under way may take once `close` was called. */
  readonly drainMs?: number;
}

export interface ServedHttp {
  readonly url: string;
  close(): Promise<void>;
}

/** Answers of other servers may be larger than our own. */
const passedOn: Pick<Limits, "answerBytes" | "unreadBytes" | "unreadTotalBytes"> = {
  answerBytes: 64 * 1024 * 1024,
  unreadBytes: 80 * 1024 * 1024,
  unreadTotalBytes: 256 * 1024 * 1024,
};

/** Listens behind the same guards as the concept server: Host, Origin, tokens, rates, sizes, slow peers. */
export async function serveHttp(options: ServeHttpOptions): Promise<ServedHttp> {
  const { host, port, tls, access, log, isHealthy, isReady, drainMs = 5_000 } = options;
  const endpoint = httpEndpoint(options);
  const isWildcard = host === "0.0.0.0" || host === "::";
  const own = isWildcard ? [] : [host.includes(":") ? `[${host}]` : host];
  const isLocal = isLoopback(host) && access.kind === "everyone";
  const listening = await listen({
    host,
    port,
    access,
    log,
    ...(tls === undefined ? {} : { tls }),
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    allowedHosts: [...loopbackNames, ...own, ...(options.allowHosts ?? [])],
    origins: { allowed: options.allowOrigins ?? [], loopback: isLoopback(host) },
    limits: { ...defaultLimits, ...passedOn, ...(isLocal ? localLimits : {}), ...options.limits },
    routes: [
      ...endpoint.routes,
      probeRoute("/healthz", isHealthy, { yes: "ok", no: "not alive" }),
      probeRoute("/readyz", isReady, { yes: "ready", no: "not ready" }),
    ],
  });
  return { url: listening.url, close: () => listening.close(drainMs, () => endpoint.close()) };
}

/** 200 or 503, and one word: a probe is open to everybody, so it says nothing else. */
function probeRoute(path: string, holds: () => boolean, status: { readonly yes: string; readonly no: string }): Route {
  const send = (response: ServerResponse, good: boolean) => {
    response.writeHead(good ? 200 : 503, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify({ status: good ? status.yes : status.no }));
  };
  return {
    paths: [path],
    methods: ["GET", "HEAD"],
    open: "always",
    handle: async ({ response }) => send(response, holds()),
  };
}
