import { randomUUID } from "node:crypto";
import { isRecord, type JsonRpcMessage } from "../../base/json-rpc.ts";
import { EventStream } from "../../http/event-stream.ts";
import type { Exchange, Route } from "../../http/exchange.ts";
import { readMessage } from "../../http/read-message.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { Reply, type ReplyOptions } from "../../http/reply.ts";
import { SessionStore, type StoredSession } from "../../http/session-store.ts";
import { revisions } from "../upstream/handshake.ts";
import { traceKeys, withMeta } from "../upstream/meta.ts";
import type { Backend, Client } from "./client.ts";

/** When a session is ended without a request to. All times in milliseconds without a call or a stream. */
export interface SessionLimits {
  readonly count: number;
  /** For a client that shares its connections, and costs nothing but a name. */
  readonly idleMs: number;
  /** For one that has its own, and with them its own processes. */
  readonly ownIdleMs: number;
  /** For one of those whose stream ended: a client that lives opens it again at once. */
  readonly goneMs: number;
}

const defaultSessionLimits: SessionLimits = {
  count: 1_000,
  idleMs: 30 * 60_000,
  ownIdleMs: 5 * 60_000,
  goneMs: 60_000,
};

export interface HttpEndpointOptions {
  readonly backend: Backend;
  readonly sessionLimits?: Partial<SessionLimits>;
  readonly keepAliveMs?: number;
  /** The status of an answer that is no plain success; by default every answer is a 200. */
  readonly statusOf?: NonNullable<ReplyOptions["statusOf"]>;
  /** Mends what a careless client left out of a message, before it is looked at. */
  readonly repair?: (message: unknown) => unknown;
  readonly now: () => number;
}

export interface HttpEndpoint {
  /** The endpoint at `/` and `/mcp`, to be served behind the guards of `http/listener.ts`. */
  readonly routes: readonly Route[];
  /** Ends every session and its streams. The backend is left open. */
  close(): Promise<void>;
}

const defaultKeepAliveMs = 15_000;

/** Streamable HTTP of the 2025 revisions, with or without sessions, message for message. */
export function httpEndpoint(options: HttpEndpointOptions): HttpEndpoint {
  const limits = { ...defaultSessionLimits, ...options.sessionLimits };
  const { idleMs, ownIdleMs, goneMs } = limits;
  const sessions = new SessionStore<HttpSession>({
    max: limits.count,
    idleMs: (it) => (it.isShared ? idleMs : it.hadStream ? goneMs : ownIdleMs),
    sweepMs: Math.min(5_000, idleMs, ownIdleMs, goneMs),
    now: options.now,
  });
  const open = (exchange: Exchange, id: string): HttpSession | undefined => {
    if (!sessions.makeRoom()) return undefined;
    const session = new HttpSession(id, exchange, options);
    sessions.add(session);
    return session;
  };

  const post = async (exchange: Exchange, known: HttpSession | undefined): Promise<void> => {
    const { response } = exchange;
    const read = await readMessage(exchange);
    if (read.kind === "refused") return refuse(response, read.refusal);
    const { repair = (it: unknown) => it } = options;
    const list = (Array.isArray(read.body) ? read.body : [read.body]).map(repair);
    if (list.length === 0 || !list.every(isRecord)) return refuse(response, notAMessage);
    const messages = list.map((one) => traced(one as unknown as JsonRpcMessage, exchange));
    const opens = messages[0]!.method === "initialize" && known === undefined;
    const id = `${takesRequests(messages[0]!) ? ownStart : sharedStart}${randomUUID()}`;
    const session = opens ? open(exchange, id) : known;
    if (opens && session === undefined) return refuse(response, tooManySessions);
    const leave = session === undefined ? undefined : sessions.enter(session);
    const { backend } = options;
    const { client: who, caller } = exchange;
    const client = session?.backendClient ?? backend.openClient({ who, caller, alone: false, push: () => false });
    const onDone = () => (leave === undefined ? void client.close() : leave());
    answer(exchange, { options, client, messages, batch: Array.isArray(read.body), session, onDone });
  };

  const handle = async (exchange: Exchange): Promise<void> => {
    const { request, response, url } = exchange;
    if (url.pathname.startsWith("/mcp/") && url.pathname !== "/mcp/") return refuse(response, notFound);
    const version = request.headers["mcp-protocol-version"];
    if (version !== undefined && !revisions.some((one) => one === version)) return refuse(response, unknown(version));
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? (sessions.find(id, exchange.client) ?? revived(id, exchange)) : undefined;
    if (typeof id === "string" && session === undefined) return refuse(response, sessionNotFound);
    if (request.method === "POST") return await post(exchange, session);
    if (session === undefined) return refuse(response, noSession);
    if (request.method === "DELETE") {
      await sessions.end(session);
      response.writeHead(204).end();
      return;
    }
    if (!exchange.becomeStream()) return refuse(response, tooManyStreams);
    session.listen(exchange, sessions.enter(session));
  };

  /** One that only shares connections holds nothing that a restart could lose: it is taken back under its id. */
  const revived = (id: string, exchange: Exchange): HttpSession | undefined => {
    if (sessions.has(id) || !/^shared-[0-9a-f-]{36}$/.test(id)) return undefined;
    return open(exchange, id);
  };

  return {
    routes: [{ paths: ["/", "/mcp", "/mcp/"], methods: ["POST", "GET", "DELETE"], handle }],
    close: () => sessions.close(),
  };
}

const sharedStart = "shared-";
const ownStart = "own-";
/** What waits for a client that has no stream open; the oldest is dropped. */
const maxHeld = 100;

/** A client that comes back: its id, its backend's side, and the stream on which it gets what is no answer. */
class HttpSession implements StoredSession {
  readonly id: string;
  readonly client: string;
  readonly backendClient: Client;
  readonly #keepAliveMs: number;
  #stream: EventStream | undefined;
  #held: JsonRpcMessage[] = [];
  #hadStream = false;

  constructor(id: string, { client, caller }: Exchange, { backend, keepAliveMs }: HttpEndpointOptions) {
    this.id = id;
    this.client = client;
    this.#keepAliveMs = keepAliveMs ?? defaultKeepAliveMs;
    const push = (message: JsonRpcMessage) => this.#push(message);
    this.backendClient = backend.openClient({ who: client, caller, alone: false, push });
  }

  get isShared(): boolean {
    return this.id.startsWith(sharedStart);
  }

  /** Whether the client ever opened a stream. */
  get hadStream(): boolean {
    return this.#hadStream;
  }

  /** Takes over the client's stream; an older one, which may be half open, is ended. */
  listen(exchange: Exchange, onclose: () => void): void {
    this.#stream?.end();
    const headers = { "mcp-session-id": this.id };
    this.#stream = new EventStream(exchange, { keepAliveMs: this.#keepAliveMs, headers, onclose });
    this.#hadStream = true;
    for (const message of this.#held.splice(0)) this.#push(message);
  }

  async close(): Promise<void> {
    this.#stream?.end();
    await this.backendClient.close();
  }

  #push(message: JsonRpcMessage): boolean {
    if (this.#stream?.isOpen === true) return this.#stream.send({ data: JSON.stringify(message) });
    // A request cannot wait: whoever sent it learns that nobody is there.
    if (message.id !== undefined) return false;
    this.#held.push(message);
    if (this.#held.length > maxHeld) this.#held.shift();
    return true;
  }
}

interface Posted {
  readonly options: HttpEndpointOptions;
  readonly client: Client;
  readonly messages: readonly JsonRpcMessage[];
  readonly batch: boolean;
  readonly session: HttpSession | undefined;
  readonly onDone: () => void;
}

function answer(exchange: Exchange, { options, client, messages, batch, session, onDone }: Posted): void {
  const { request, response } = exchange;
  const { statusOf, keepAliveMs = defaultKeepAliveMs } = options;
  const headers: Readonly<Record<string, string>> = session === undefined ? {} : { "mcp-session-id": session.id };
  const expected = messages.filter((one) => one.method !== undefined && (one.id ?? undefined) !== undefined).length;
  if (expected > 0) {
    const takes = (request.headers.accept ?? "").toLowerCase().includes("text/event-stream") ? "either" : "json";
    const special = statusOf === undefined ? {} : { statusOf };
    const reply = new Reply(exchange, { expected, batch, takes, headers, keepAliveMs, ...special, onDone });
    for (const message of messages) client.receive(message, reply);
    return;
  }
  for (const message of messages) client.receive(message, { send: () => false, end: () => {} });
  onDone();
  // A client that names no revision is an older one, which may take nothing but a 200 with a body.
  if (request.headers["mcp-protocol-version"] !== undefined) response.writeHead(202, headers).end();
  else response.writeHead(200, { ...headers, "content-type": "application/json" }).end('{"jsonrpc":"2.0"}');
}

/** Trace context that came as headers goes on in `_meta`, where every transport carries it. */
function traced(message: JsonRpcMessage, { request }: Exchange): JsonRpcMessage {
  const found = traceKeys.filter((key) => typeof request.headers[key] === "string");
  if (found.length === 0 || message.method === undefined) return message;
  const own = isRecord(message.params?._meta) ? message.params._meta : {};
  const trace = Object.fromEntries(found.map((key) => [key, request.headers[key]]));
  return { ...message, params: withMeta(message.params ?? {}, { ...trace, ...own }) };
}

/** Whether the client offers something to servers, so that its session holds more than a name. */
function takesRequests(initialize: JsonRpcMessage): boolean {
  const capabilities = initialize.params?.capabilities;
  return isRecord(capabilities) && ["sampling", "elicitation", "roots"].some((one) => capabilities[one] !== undefined);
}

const notAMessage: Refusal = { status: 400, code: -32600, message: "The body is one JSON-RPC message, or an array." };
const notFound: Refusal = { status: 404, message: "Not found: the endpoint is /mcp." };
const sessionNotFound: Refusal = { status: 404, code: -32001, message: "Session not found: initialize again." };
const tooManyStreams: Refusal = { status: 429, message: "This client has too many streams." };
const noSession: Refusal = {
  status: 405,
  message: "Method not allowed without a session: use POST.",
  headers: { allow: "POST" },
};
const tooManySessions: Refusal = {
  status: 503,
  message: "There are too many sessions, and none is idle. Try later.",
  headers: { "retry-after": "5" },
};

function unknown(version: unknown): Refusal {
  const known = revisions.join(", ");
  return {
    status: 400,
    message: `Bad Request: Unsupported protocol version: ${version} (supported versions: ${known})`,
  };
}
