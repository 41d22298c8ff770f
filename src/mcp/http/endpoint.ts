import type { McpServer, Server } from "@modelcontextprotocol/server";
import { type Id, isRecord } from "../../base/json-rpc.ts";
import type { Log } from "../../base/log.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { Exchange, Route } from "../../http/exchange.ts";
import type { Limits } from "../../http/limits.ts";
import { closing, type Refusal } from "../../http/refuse.ts";
import type { Binding } from "../bind-v2.ts";
import type { Changes } from "../changes.ts";
import { isId } from "../json-rpc.ts";
import { legacyRevisions, modernRevision } from "../protocol/revision.ts";

/** Makes a fresh server for one request or one session. */
export type MakeServer = (binding: Omit<Binding, "serving" | "serverInfo">) => Server | McpServer;

export interface McpEndpointOptions {
  readonly makeServer: MakeServer;
  readonly changes: Changes;
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

export interface SessionOptions {
  /** Milliseconds without a request or an open stream after which a session is gone. */
  readonly idleMs: number;
  /** At this many one that nobody uses makes room. */
  readonly max: number;
}

/** How the requests of the 2025 revisions are answered once they are read. */
export interface LegacyHandler {
  handle(exchange: Exchange, body: unknown): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

export function idOf(body: unknown): Id | null {
  return isRecord(body) && isId(body.id) ? body.id : null;
}

export function tooManyStreams({ openStreams }: Limits): Refusal {
  const message = `This client already has ${openStreams} open streams. Close one first.`;
  return { status: 429, message, headers: { "retry-after": "5", ...closing } };
}

export function tooManySessions(max: number): Refusal {
  const message = `All ${max} sessions of this server are in use. Try again in a while.`;
  return { status: 503, message, headers: { "retry-after": "30" } };
}

export const notAMessage = {
  status: 400,
  code: -32600,
  message: "Invalid Request: this is no JSON-RPC 2.0 message.",
} as const satisfies Refusal;

export const sessionNotFound: Refusal = {
  status: 404,
  code: -32001,
  message: "Session not found. It ended, or this server was started anew: send initialize to open another.",
};

/** Why a 2025 request cannot be answered, from its headers alone. */
export function headersRefusal({ request }: Exchange): Refusal | undefined {
  const version = request.headers["mcp-protocol-version"];
  if (version !== undefined && !legacyRevisions.some((it) => it === version)) {
    const known = [modernRevision, ...legacyRevisions].join(", ");
    const message = `Bad Request: Unsupported protocol version ${JSON.stringify(version)}. Supported: ${known}.`;
    return { status: 400, message };
  }
  const isStream = request.method === "GET";
  if (accepts(request.headers.accept, "text/event-stream")) return undefined;
  if (!isStream && accepts(request.headers.accept, "application/json")) return undefined;
  const forms = isStream ? "text/event-stream" : "application/json, or text/event-stream when they stream";
  return { status: 406, message: `Not Acceptable: answers are ${forms}.` };
}

/** The revisions ask clients to accept both forms. Those that accept one, or anything, get what they can read. */
export function formFor({ request }: Exchange): "json" | "stream" | "either" {
  const { accept } = request.headers;
  if (!accepts(accept, "text/event-stream")) return "json";
  return accepts(accept, "application/json") ? "either" : "stream";
}

function accepts(given: string | undefined, type: string): boolean {
  if (given === undefined || given.trim() === "") return type === "application/json";
  const [family] = type.split("/");
  return given.split(",").some((part) => {
    const name = part.split(";")[0]?.trim().toLowerCase();
    return name === type || name === `${family}/*` || (name === "*/*" && type === "application/json");
  });
}
