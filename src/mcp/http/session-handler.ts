import { randomUUID } from "node:crypto";
import { isRecord } from "../../base/json-rpc.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { SessionStore, type StoredSession } from "../../http/session-store.ts";
import { announce } from "../announce.ts";
import { asMessage } from "../json-rpc.ts";
import { Connection } from "../protocol/connection.ts";
import {
  headersRefusal,
  type LegacyHandler,
  type McpEndpointOptions,
  notAMessage,
  type SessionOptions,
  sessionNotFound,
  tooManySessions,
  tooManyStreams,
} from "./endpoint.ts";
import { LegacyTransport } from "./legacy-transport.ts";
import { SessionEvents } from "./session-events.ts";

interface Session extends StoredSession {
  readonly transport: LegacyTransport;
}

/** UTF-16 units of events that one session keeps, and that all of them keep together. */
const maxKept = 1024 * 1024;
const maxKeptTotal = 16 * 1024 * 1024;

/**
 * 2025 requests of clients that opened a session: one server a session, with its subscriptions, its stream of
 * notifications and its own memory of what was sent. A session answers only whoever opened it.
 */
export function sessionHandler(options: McpEndpointOptions, sessionOptions: SessionOptions): LegacyHandler {
  const { limits } = options;
  const sessions = new SessionStore<Session>(sessionOptions);
  const maxCharacters = (): number => Math.min(maxKept, maxKeptTotal / Math.max(1, sessions.size));

  const open = async (exchange: Exchange): Promise<Session> => {
    const session = await makeSession(options, exchange, maxCharacters, (it) => sessions.end(it));
    sessions.add(session);
    return session;
  };

  return {
    async handle(exchange, body) {
      const { request, response, client } = exchange;
      const refusal = headersRefusal(exchange);
      if (refusal !== undefined) return refuse(response, refusal);
      const id = request.headers["mcp-session-id"];
      const found = typeof id === "string" ? sessions.find(id, client) : undefined;
      if (id !== undefined && found === undefined) return refuse(response, sessionNotFound);
      const isOpening = isRecord(body) && body.method === "initialize";
      if (found === undefined && !isOpening) return refuse(response, noSession);
      if (found !== undefined && isOpening) return refuse(response, alreadyOpen);
      const messages = (Array.isArray(body) ? body : [body]).map(asMessage).filter((it) => it !== undefined);
      const isPost = request.method === "POST";
      if (isPost && (messages.length === 0 || (Array.isArray(body) && messages.length < body.length))) {
        return refuse(response, notAMessage);
      }
      if (found === undefined && !sessions.makeRoom()) return refuse(response, tooManySessions(sessionOptions.max));
      const session = found ?? (await open(exchange));
      response.once("close", sessions.enter(session));
      if (isPost) return session.transport.post(exchange, messages, Array.isArray(body), () => {});
      if (request.method === "DELETE") {
        await sessions.end(session);
        response.writeHead(200).end();
        return;
      }
      if (!exchange.becomeStream()) return refuse(response, tooManyStreams(limits));
      const last = request.headers["last-event-id"];
      if (typeof last === "string") session.transport.resume(exchange, last);
      else session.transport.listen(exchange);
    },
    size: () => sessions.size,
    close: () => sessions.close(),
  };
}

async function makeSession(
  { makeServer, changes, keepAliveMs = 15_000, log }: McpEndpointOptions,
  { client, caller }: Exchange,
  maxCharacters: () => number,
  end: (session: Session) => Promise<void>,
): Promise<Session> {
  const connection = new Connection();
  const id = randomUUID();
  const transport = new LegacyTransport({ keepAliveMs, session: { id, events: new SessionEvents(maxCharacters) } });
  const made = makeServer({
    era: "legacy",
    delivers: "changes",
    connection,
    callerOf: (request) => transport.callerOf(request),
  });
  const server = "server" in made ? made.server : made;
  const stop = changes.listen(
    () => transport.listener ?? caller,
    (change) =>
      announce(change, connection, "legacy", (method, params) =>
        server.notification(params === undefined ? { method } : { method, params }),
      ),
  );
  const session: Session = { id, client, transport, close: () => made.close() };
  transport.onerror = (error) => log("debug", error.message);
  transport.onclose = () => {
    stop();
    void end(session);
  };
  await made.connect(transport);
  return session;
}

const noSession: Refusal = {
  status: 400,
  message: "Bad Request: the Mcp-Session-Id header is missing. Send initialize first, and its header from then on.",
};

const alreadyOpen: Refusal = {
  status: 400,
  code: -32600,
  message: "Invalid Request: this session is open already. Send initialize without the Mcp-Session-Id header.",
};
