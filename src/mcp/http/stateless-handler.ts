import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Exchange } from "../../http/exchange.ts";
import { refuse } from "../../http/refuse.ts";
import { sendText } from "../../http/send.ts";
import { asMessage, errorMessage } from "../json-rpc.ts";
import { headersRefusal, type LegacyHandler, type McpEndpointOptions, notAMessage } from "./endpoint.ts";
import { LegacyTransport } from "./legacy-transport.ts";

/**
 * 2025 requests that each stand alone: a fresh server answers, in plain JSON unless something streams before the
 * answer. There is no stream to open and no session to end.
 */
export function statelessHandler({ makeServer, keepAliveMs = 15_000 }: McpEndpointOptions): LegacyHandler {
  const answer = async (exchange: Exchange, messages: readonly JSONRPCMessage[], isBatch: boolean): Promise<void> => {
    const transport = new LegacyTransport({ keepAliveMs });
    const revision = exchange.request.headers["mcp-protocol-version"];
    const server = makeServer({
      era: "legacy",
      delivers: "answers-only",
      callerOf: (id) => transport.callerOf(id),
      ...(typeof revision === "string" ? { revision } : {}),
    });
    await server.connect(transport);
    // A client that is gone has given its request up.
    transport.post(exchange, messages, isBatch, () => queueMicrotask(() => void server.close().catch(() => {})));
  };

  return {
    async handle(exchange, body) {
      const { request, response } = exchange;
      if (request.method !== "POST") return refuse(response, notKept(request.method ?? ""));
      const refusal = headersRefusal(exchange);
      if (refusal !== undefined) return refuse(response, refusal);
      const list: readonly unknown[] = Array.isArray(body) ? body : [body];
      const messages = list.map(asMessage);
      const valid = messages.filter((it) => it !== undefined);
      if (valid.length < list.length) {
        if (!Array.isArray(body)) return refuse(response, notAMessage);
        const errors = JSON.stringify([errorMessage(null, notAMessage.code, notAMessage.message)]);
        return sendText(exchange, 400, { "content-type": "application/json" }, errors);
      }
      return answer(exchange, valid, Array.isArray(body));
    },
    size: () => 0,
    close: async () => {},
  };
}

function notKept(method: string) {
  const message = `Method not allowed: this server keeps no sessions, so there is nothing to ${method}. POST messages.`;
  return { status: 405, message, headers: { allow: "POST" } };
}
