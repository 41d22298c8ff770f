import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Exchange } from "../../http/exchange.ts";
import { readMessage } from "../../http/read-message.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { SessionStore, type StoredSession } from "../../http/session-store.ts";
import { announce } from "../announce.ts";
import type { BindingV1 } from "../bind-v1.ts";
import { asMessage } from "../json-rpc.ts";
import { Connection } from "../protocol/connection.ts";
import { type Endpoint, type McpEndpointOptions, notAMessage, tooManySessions, tooManyStreams } from "./endpoint.ts";
import { SseTransport } from "./sse-transport.ts";

export interface SseEndpointOptions extends Pick<McpEndpointOptions, "changes" | "limits" | "log" | "keepAliveMs"> {
  /** Called for each session; the v1 SDK is loaded by the first. */
  readonly makeServer: (binding: Omit<BindingV1, "serving">) => Promise<Server>;
  readonly maxSessions: number;
}

interface Session extends StoredSession {
  readonly transport: SseTransport;
}

/** The HTTP+SSE transport that older remote agents speak: a stream at `/sse`, and messages posted to `/messages`. */
export function sseEndpoint(options: SseEndpointOptions): Endpoint {
  const { limits, maxSessions, changes, makeServer, keepAliveMs = 15_000 } = options;
  // A session is its stream, so none is ever idle.
  const sessions = new SessionStore<Session>({ max: maxSessions, idleMs: Number.POSITIVE_INFINITY, sweepMs: 60_000 });

  const open = async (exchange: Exchange): Promise<void> => {
    const { response, client, caller } = exchange;
    if (!sessions.makeRoom()) return refuse(response, tooManySessions(maxSessions));
    if (!exchange.becomeStream()) return refuse(response, tooManyStreams(limits));
    const transport = new SseTransport(exchange, { endpoint: `${prefixOf(exchange)}/messages`, keepAliveMs });
    const session: Session = { id: transport.sessionId, client, transport, close: () => transport.drain() };
    sessions.add(session);
    const leave = sessions.enter(session);
    const connection = new Connection();
    const server = await makeServer({
      connection,
      revision: () => transport.revision,
      callerOf: (id) => transport.callerOf(id),
    });
    const stop = changes.listen(
      () => caller,
      (change) =>
        announce(change, connection, "legacy", (method, params) =>
          server.notification({ method, ...(params === undefined ? {} : { params }) } as Parameters<
            typeof server.notification
          >[0]),
        ),
    );
    transport.onclose = () => {
      stop();
      leave();
      void sessions.end(session);
    };
    await server.connect(transport);
  };

  const post = async (exchange: Exchange): Promise<void> => {
    const { response, url, client, caller } = exchange;
    const session = sessions.find(url.searchParams.get("sessionId") ?? "", client);
    const read = await readMessage(exchange);
    if (session === undefined) return refuse(response, notFound);
    if (read.kind === "refused") return refuse(response, read.refusal);
    const message = asMessage(read.body);
    if (message === undefined) return refuse(response, notAMessage);
    session.transport.deliver(message, caller);
    response.writeHead(202, { "content-type": "text/plain" }).end("Accepted");
  };

  return {
    routes: [
      { paths: ["/sse"], methods: ["GET"], handle: open },
      { paths: ["/messages"], methods: ["POST"], handle: post },
    ],
    size: () => sessions.size,
    close: () => sessions.close(),
  };
}

/** The path below which the client knows this server; the origin it has from the stream's own address. */
function prefixOf({ publicUrl }: Exchange): string {
  return new URL(publicUrl).pathname.replace(/\/$/, "");
}

const notFound: Refusal = {
  status: 404,
  code: -32001,
  message: "Session not found. Open the stream at /sse again, and post to the address it names.",
};
