import { isLoopback, loopbackNames } from "../http/host-guard.ts";
import { defaultLimits, type Limits, localLimits } from "../http/limits.ts";
import type { ListenOptions } from "../http/listen-options.ts";
import { listen } from "../http/listener.ts";
import { type HttpEndpointOptions, httpEndpoint } from "./http-endpoint.ts";

export interface ServeHttpOptions
  extends HttpEndpointOptions,
    Pick<ListenOptions, "host" | "port" | "tls" | "access" | "log" | "routes" | "trustedProxies" | "publicUrl"> {
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

/** Opens the door behind the same guards as the concept server's: Host, Origin, tokens, rates, sizes, slow peers. */
export async function serveHttp(options: ServeHttpOptions): Promise<ServedHttp> {
  const { host, port, tls, access, log, drainMs = 5_000 } = options;
  const door = httpEndpoint(options);
  const isWildcard = host === "0.0.0.0" || host === "::";
  const own = isWildcard ? [] : [host.includes(":") ? `[${host}]` : host];
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
    limits: {
      ...defaultLimits,
      ...(isLoopback(host) && access.kind === "everyone" ? localLimits : {}),
      ...options.limits,
    },
    routes: [...door.routes, ...options.routes],
  });
  return { url: listening.url, close: () => listening.close(drainMs, () => door.close()) };
}
