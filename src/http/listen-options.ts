import type { Log } from "../base/log.ts";
import type { Access } from "./access.ts";
import type { Route } from "./exchange.ts";
import type { Limits } from "./limits.ts";
import type { OriginRules } from "./origin-guard.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly access: Access;
  readonly allowedHosts: readonly string[];
  readonly origins: OriginRules;
  /** Addresses and networks of proxies whose `X-Forwarded-…` headers are believed; none when absent. */
  readonly trustedProxies?: readonly string[];
  /** The address that clients know this server by, when it is not the one it is reached at. No slash at the end. */
  readonly publicUrl?: string;
  readonly limits: Limits;
  readonly routes: readonly Route[];
  readonly log: Log;
}
