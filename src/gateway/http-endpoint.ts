import { isRecord, type JsonRpcMessage } from "../base/json-rpc.ts";
import type { Exchange, Route } from "../http/exchange.ts";
import { closing, refuse } from "../http/refuse.ts";
import type { Backend, Client } from "./client.ts";
import { revisions } from "./handshake.ts";
import type { HttpSession } from "./http-session.ts";
import { defaultSessionLimits, HttpSessions, type SessionLimits } from "./http-sessions.ts";
import { traceKeys, withMeta } from "./meta.ts";
import { PostReply, type PostReplyOptions } from "./post-reply.ts";

export interface HttpEndpointOptions {
  readonly backend: Backend;
  readonly sessionLimits?: Partial<SessionLimits>;
  readonly keepAliveMs?: number;
  /** The status of an answer that is no plain success; by default every answer is a 200. */
  readonly statusOf?: PostReplyOptions["statusOf"];
  /** Mends what a careless client left out of a message, before it is looked at. */
  readonly repair?: (message: unknown) => unknown;
  readonly now: () => number;
}

export interface HttpEndpoint {
  /** The endpoint at `/` and `/mcp`, to be served behind the guards of `mcp/http/listener.ts`. */
  readonly routes: readonly Route[];
  /** Ends every session and its streams. The backend is left open. */
  close(): Promise<void>;
}

const defaultKeepAliveMs = 15_000;

/** Streamable HTTP of the 2025 revisions, with or without sessions, message for message. */
export function httpEndpoint(options: HttpEndpointOptions): HttpEndpoint {
  const sessions = new HttpSessions(
    options.backend,
    { ...defaultSessionLimits, ...options.sessionLimits },
    options.now,
  );
  const handle = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const version = request.headers["mcp-protocol-version"];
    if (version !== undefined && !revisions.some((one) => one === version)) {
      const message = `Bad Request: Unsupported protocol version: ${String(version)} (supported versions: ${revisions.join(", ")})`;
      return refuse(response, { status: 400, message });
    }
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? sessions.find(id, exchange) : undefined;
    if (typeof id === "string" && session === undefined) {
      return refuse(response, { status: 404, code: -32001, message: "Session not found: initialize again." });
    }
    if (request.method === "POST") return await post({ ...options, exchange, sessions, session });
    if (session === undefined) {
      const headers = { allow: "POST" };
      return refuse(response, { status: 405, message: `Method not allowed without a session: use POST.`, headers });
    }
    if (request.method === "DELETE") {
      await sessions.end(session);
      response.writeHead(204).end();
      return;
    }
    if (!exchange.becomeStream())
      return refuse(response, { status: 429, message: "This client has too many streams." });
    session.openStream(response, options.keepAliveMs ?? defaultKeepAliveMs);
  };
  return {
    routes: [{ paths: ["/", "/mcp"], methods: ["POST", "GET", "DELETE"], handle }],
    close: () => sessions.close(),
  };
}

interface Posted extends HttpEndpointOptions {
  readonly exchange: Exchange;
  readonly sessions: HttpSessions;
  readonly session: HttpSession | undefined;
}

async function post(posted: Posted): Promise<void> {
  const { exchange, repair } = posted;
  const { response } = exchange;
  const body = await parsedBody(exchange);
  if (body === undefined) return;
  const list = (Array.isArray(body) ? body : [body]).map((one) => (repair === undefined ? one : repair(one)));
  if (list.length === 0 || list.length > 100 || !list.every(isRecord)) {
    const message = "The body is one JSON-RPC message, or up to 100 in an array.";
    return refuse(response, { status: 400, code: -32600, message });
  }
  const messages = list.map((one) => traced(one as unknown as JsonRpcMessage, exchange));
  const opens = messages[0]!.method === "initialize" && posted.session === undefined;
  const session = opens ? posted.sessions.open(exchange, isAskable(messages[0]!)) : posted.session;
  if (opens && session === undefined) {
    const headers = { "retry-after": "5" };
    return refuse(response, {
      status: 503,
      message: "There are too many sessions, and none is idle. Try later.",
      headers,
    });
  }
  carryOut(posted, session, messages, Array.isArray(body));
}

function carryOut(
  posted: Posted,
  session: HttpSession | undefined,
  messages: readonly JsonRpcMessage[],
  batch: boolean,
): void {
  const { exchange, backend, statusOf } = posted;
  const { request, response, caller, client: who } = exchange;
  const client: Client = session?.client ?? backend.openClient({ who, caller, alone: false, push: () => false });
  const headers: Readonly<Record<string, string>> = session === undefined ? {} : { "mcp-session-id": session.id };
  session?.began();
  const onDone = () => {
    if (session === undefined) void client.close();
    else session.ended();
  };
  const expected = messages.filter((one) => one.method !== undefined && (one.id ?? undefined) !== undefined).length;
  if (expected > 0) {
    const reply = new PostReply(response, {
      expected,
      batch,
      streams: (request.headers.accept ?? "").toLowerCase().includes("text/event-stream"),
      headers,
      keepAliveMs: posted.keepAliveMs ?? defaultKeepAliveMs,
      ...(statusOf === undefined ? {} : { statusOf }),
      onDone,
    });
    for (const message of messages) client.receive(message, reply);
    return;
  }
  for (const message of messages) client.receive(message, { send: () => false, end: () => {} });
  onDone();
  // A client that names no revision is an older one, which may take nothing but a 200 with a body.
  if (request.headers["mcp-protocol-version"] !== undefined) response.writeHead(202, headers).end();
  else response.writeHead(200, { ...headers, "content-type": "application/json" }).end('{"jsonrpc":"2.0"}');
}

async function parsedBody({ body, response }: Exchange): Promise<unknown> {
  const read = await body();
  if (read.kind === "broken-off") {
    response.destroy();
    return undefined;
  }
  if (read.kind === "too-large") {
    refuse(response, { status: 413, message: `A body may have ${read.limit} bytes.`, headers: closing });
    return undefined;
  }
  try {
    return JSON.parse(read.bytes.toString("utf8")) as unknown;
  } catch {
    refuse(response, { status: 400, code: -32700, message: "Parse error: the body is not JSON." });
    return undefined;
  }
}

/** Trace context that came as headers goes on in `_meta`, where every transport carries it. */
function traced(message: JsonRpcMessage, { request }: Exchange): JsonRpcMessage {
  const found = traceKeys.filter((key) => typeof request.headers[key] === "string");
  if (found.length === 0 || message.method === undefined) return message;
  const own = isRecord(message.params?._meta) ? message.params._meta : {};
  const trace = Object.fromEntries(found.map((key) => [key, request.headers[key]]));
  return { ...message, params: withMeta(message.params ?? {}, { ...trace, ...own }) };
}

function isAskable(initialize: JsonRpcMessage): boolean {
  const capabilities = initialize.params?.capabilities;
  return isRecord(capabilities) && ["sampling", "elicitation", "roots"].some((one) => capabilities[one] !== undefined);
}
