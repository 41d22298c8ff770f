import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Exchange } from "../../http/exchange.ts";
import { readMessage } from "../../http/read-message.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { announce } from "../announce.ts";
import { asMessage } from "../json-rpc.ts";
import { Connection } from "../protocol/connection.ts";
import { authInfoFor, type Endpoint, type McpEndpointOptions, tooManyStreams } from "./endpoint.ts";
import { SseStream } from "./sse-stream.ts";
import { notAMessage } from "./stateless-handler.ts";

export interface SseEndpointOptions extends Pick<McpEndpointOptions, "changes" | "limits" | "log" | "keepAliveMs"> {
  /** Called for each session; the v1 SDK is loaded by the first. */
  readonly makeServer: (connection: Connection) => Promise<Server>;
  readonly mostSessions: number;
}

interface Session {
  readonly stream: SseStream;
  readonly client: string;
}

/** The HTTP+SSE transport that older remote agents speak: a stream at `/sse`, and messages posted to `/messages`. */
export function sseEndpoint(options: SseEndpointOptions): Endpoint {
  const { limits, mostSessions } = options;
  const sessions = new Map<string, Session>();

  const open = async (exchange: Exchange): Promise<void> => {
    const { response, client } = exchange;
    if (sessions.size >= mostSessions) return refuse(response, full(mostSessions));
    if (!exchange.becomeStream()) return refuse(response, tooManyStreams(limits));
    const stream = new SseStream(response, {
      endpoint: "/messages",
      keepAliveMs: options.keepAliveMs ?? 15_000,
      answerBytes: limits.answerBytes,
      unreadBytes: 2 * limits.answerBytes,
      stalledMs: limits.stalledMs,
    });
    sessions.set(stream.sessionId, { stream, client });
    response.once("close", () => sessions.delete(stream.sessionId));
    const connection = new Connection();
    const server = await options.makeServer(connection);
    const stop = options.changes.listen(exchange.caller, (change) =>
      announce(change, connection, "legacy", (method, params) =>
        server.notification({ method, ...(params === undefined ? {} : { params }) } as Parameters<
          typeof server.notification
        >[0]),
      ),
    );
    stream.onclose = stop;
    await server.connect(stream);
  };

  const post = async (exchange: Exchange): Promise<void> => {
    const { response, url, client, caller } = exchange;
    const session = sessions.get(url.searchParams.get("sessionId") ?? "");
    const read = await readMessage(exchange);
    if (session?.client !== client) return refuse(response, notFound);
    if (read.kind === "refused") return refuse(response, read.refusal);
    const message = asMessage(read.body);
    if (message === undefined) return refuse(response, notAMessage);
    session.stream.deliver(message, { authInfo: authInfoFor(caller) });
    response.writeHead(202, { "content-type": "text/plain" }).end("Accepted");
  };

  return {
    routes: [
      { paths: ["/sse"], methods: ["GET"], handle: open },
      { paths: ["/messages"], methods: ["POST"], handle: post },
    ],
    size: () => sessions.size,
    close: async () => {
      await Promise.all([...sessions.values()].map(({ stream }) => stream.drain()));
    },
  };
}

const notFound: Refusal = {
  status: 404,
  code: -32001,
  message: "Session not found. Open the stream at /sse again, and post to the address it names.",
};

function full(most: number): Refusal {
  const message = `All ${most} sessions of this server are in use. Try again in a while.`;
  return { status: 503, message, headers: { "retry-after": "30" } };
}
