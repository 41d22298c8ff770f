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
  readonly limits: Limits;
  readonly routes: readonly Route[];
  readonly log: Log;
}
