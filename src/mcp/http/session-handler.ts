import { randomUUID } from "node:crypto";
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Exchange } from "../../http/exchange.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { sendWeb } from "../../http/web.ts";
import { announce } from "../announce.ts";
import { Connection } from "../protocol/connection.ts";
import { type EraHandler, idOf, type McpEndpointOptions, type SessionOptions, tooManyStreams } from "./endpoint.ts";
import { SessionEvents } from "./event-store.ts";
import { plainWhenSingle } from "./plain-when-single.ts";
import { type Session, Sessions } from "./sessions.ts";

/**
 * 2025 requests of clients that opened a session: one server a session, with its subscriptions, its stream of
 * notifications and its own memory of what was sent. A session answers only whoever opened it.
 */
export function sessionHandler(options: McpEndpointOptions, sessionOptions: SessionOptions): EraHandler {
  const { limits } = options;
  const sessions = new Sessions(sessionOptions);

  return {
    async handle({ exchange, web, body, authInfo }) {
      const { response, client } = exchange;
      const id = web.headers.get("mcp-session-id");
      const found = id === null ? undefined : sessions.find(id, client);
      if (id !== null && found === undefined) return refuse(response, notFound);
      if (id === null && !isInitializeRequest(body)) return refuse(response, noSession);
      if (found === undefined && !sessions.makeRoom()) return refuse(response, full(sessionOptions.most));
      if (web.method === "GET" && !exchange.becomeStream()) return refuse(response, tooManyStreams(limits));
      const session = found ?? (await open(options, sessions, exchange));
      // A client that comes for its stream again has lost the one it had, whether or not that socket knows.
      if (web.method === "GET" && web.headers.get("last-event-id") === null)
        session.transport.closeStandaloneSSEStream();
      const leave = sessions.enter(session);
      response.once("close", leave);
      const told = await session.transport.handleRequest(web, { parsedBody: body, authInfo });
      const plain = web.method === "POST" ? await plainWhenSingle(told) : told;
      return sendWeb(exchange, plain, { id: idOf(body) });
    },
    size: () => sessions.size,
    close: () => sessions.close(),
  };
}

async function open(options: McpEndpointOptions, sessions: Sessions, { client, caller }: Exchange): Promise<Session> {
  const { makeServer, changes, keepAliveMs = 15_000, log } = options;
  const connection = new Connection();
  const made = makeServer({ era: "legacy", delivers: "changes", connection });
  const server = "server" in made ? made.server : made;
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new SessionEvents(),
    retryInterval: 500,
    keepAliveMs,
    onsessioninitialized: (id) => sessions.add(id, session),
  });
  const stop = changes.listen(caller, (change) =>
    announce(change, connection, "legacy", (method, params) =>
      server.notification(params === undefined ? { method } : { method, params }),
    ),
  );
  const session: Session = { client, transport, calls: 0, usedAt: performance.now() };
  transport.onerror = (error) => log("debug", error.message);
  transport.onclose = () => {
    stop();
    if (transport.sessionId !== undefined) sessions.forget(transport.sessionId);
  };
  await made.connect(transport);
  return session;
}

const notFound: Refusal = {
  status: 404,
  code: -32001,
  message: "Session not found. It ended, or this server was started anew: send initialize to open another.",
};

const noSession: Refusal = {
  status: 400,
  message: "Bad Request: the Mcp-Session-Id header is missing. Send initialize first, and its header from then on.",
};

function full(most: number): Refusal {
  const message = `All ${most} sessions of this server are in use. Try again in a while.`;
  return { status: 503, message, headers: { "retry-after": "30" } };
}
