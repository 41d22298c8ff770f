import type { AuthInfo, McpServer, Server } from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json-rpc.ts";
import type { Log } from "../../base/log.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { Exchange, Route } from "../../http/exchange.ts";
import type { Limits } from "../../http/limits.ts";
import { closing, type Refusal } from "../../http/refuse.ts";
import type { Changes } from "../changes.ts";
import { isId } from "../json-rpc.ts";
import type { Delivers } from "../protocol/capabilities.ts";
import type { Connection } from "../protocol/connection.ts";

/** Makes a fresh server for one request or one session. It finds the caller with `callerIn`. */
export type MakeServer = (asked: {
  readonly era: "legacy" | "modern";
  readonly delivers: Delivers;
  readonly connection?: Connection;
}) => Server | McpServer;

export interface McpEndpointOptions {
  readonly makeServer: MakeServer;
  readonly changes: Changes;
  /** A caller with the grants that all callers have. */
  readonly everyone: Caller;
  readonly limits: Limits;
  readonly log: Log;
  /** 2025 sessions; without it every 2025 request stands alone. */
  readonly sessions?: SessionOptions;
  /** The scope a message needs that its caller may lack; only asked where more scopes can be had. */
  readonly scopeOf?: (message: Readonly<Record<string, unknown>>, caller: Caller) => string | undefined;
  readonly keepAliveMs?: number;
}

export interface Endpoint {
  readonly routes: readonly Route[];
  /** Open sessions. */
  size(): number;
  /** Ends streams and sessions in the protocol's own way. */
  close(): Promise<void>;
}

const authKey = "caller";

export function authInfoFor(caller: Caller): AuthInfo {
  return { token: "", clientId: caller.name, scopes: [...caller.scopes], extra: { [authKey]: caller } };
}

export function callerIn(authInfo: AuthInfo | undefined): Caller {
  const caller = authInfo?.extra?.[authKey];
  if (caller === undefined) throw new Error("a request reached a handler without a caller");
  return caller as Caller;
}

export interface SessionOptions {
  /** Milliseconds without a request or an open stream after which a session is gone. */
  readonly idleMs: number;
  /** At this many the one that was idle longest makes room. */
  readonly most: number;
}

/** How one era's requests are answered once they are read. */
export interface EraHandler {
  handle(asked: {
    readonly exchange: Exchange;
    readonly web: Request;
    readonly body: unknown;
    readonly authInfo: AuthInfo;
  }): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

export function idOf(body: unknown): string | number | null {
  return isRecord(body) && isId(body.id) ? body.id : null;
}

export function tooManyStreams({ openStreams }: Limits): Refusal {
  const message = `This client already has ${openStreams} open streams. Close one first.`;
  return { status: 429, message, headers: { "retry-after": "5", ...closing } };
}
