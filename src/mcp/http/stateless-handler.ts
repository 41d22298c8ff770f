import { type AuthInfo, type JSONRPCMessage, PerRequestHTTPServerTransport } from "@modelcontextprotocol/server";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { sendWeb } from "../../http/web.ts";
import { asMessage, errorMessage } from "../json-rpc.ts";
import { type EraHandler, idOf, type McpEndpointOptions } from "./endpoint.ts";
import { isStream } from "./plain-when-single.ts";

type Mode = "auto" | "json" | "sse";

const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/**
 * 2025 requests that each stand alone: a fresh server answers, in plain JSON unless something streams before the
 * answer. There is no stream to open and no session to end.
 */
export function statelessHandler({ makeServer, keepAliveMs = 15_000 }: McpEndpointOptions): EraHandler {
  const answer = async (message: JSONRPCMessage, web: Request, authInfo: AuthInfo, responseMode: Mode) => {
    if (!("method" in message)) return new Response(null, { status: 202 });
    const server = makeServer({ era: "legacy", delivers: "answers-only" });
    const transport = new PerRequestHTTPServerTransport({
      classification: { era: "legacy" },
      responseMode,
      keepAliveMs,
    });
    await server.connect(transport);
    const told = await transport.handleMessage(message, { request: web, authInfo }).catch(() => undefined);
    if (told === undefined || !("id" in message)) queueMicrotask(() => void server.close().catch(() => {}));
    return told;
  };

  return {
    async handle({ exchange, web, body, authInfo }) {
      const { response } = exchange;
      const wrong = methodWrong(web) ?? acceptWrong(web) ?? versionWrong(web);
      if (wrong !== undefined) return refuse(response, wrong);
      if (Array.isArray(body)) {
        const told = await batch(body, (message) => answer(message, web, authInfo, "json"));
        return sendWeb(exchange, told);
      }
      const message = asMessage(body);
      if (message === undefined) return refuse(response, notAMessage);
      const told = await answer(message, web, authInfo, modeFor(web));
      if (told === undefined) {
        response.destroy();
        return;
      }
      const plain = told.status === 202 || isStream(told) ? told : new Response(told.body, { headers: told.headers });
      return sendWeb(exchange, plain, { id: idOf(body) });
    },
    size: () => 0,
    close: async () => {},
  };
}

/** Batches belong to 2025-03-26. Answers come in order, and notifications have none. */
async function batch(body: readonly unknown[], answer: (message: JSONRPCMessage) => Promise<Response | undefined>) {
  const answers: unknown[] = [];
  for (const item of body) {
    const message = asMessage(item);
    if (message === undefined) answers.push(errorMessage(null, -32600, notAMessage.message));
    else {
      const told = await answer(message);
      if (told !== undefined && told.status !== 202) answers.push(await told.json());
    }
  }
  return answers.length === 0 ? new Response(null, { status: 202 }) : Response.json(answers);
}

export const notAMessage = {
  status: 400,
  code: -32600,
  message: "Invalid Request: this is no JSON-RPC 2.0 message.",
} as const satisfies Refusal;

function methodWrong({ method }: Request): Refusal | undefined {
  if (method === "POST") return undefined;
  const message = `Method not allowed: this server keeps no sessions, so there is nothing to ${method}. POST messages.`;
  return { status: 405, message, headers: { allow: "POST" } };
}

/** The revisions ask clients to accept both forms. Those that accept one, or anything, get what they can read. */
function acceptWrong(web: Request): Refusal | undefined {
  if (accepts(web, "application/json") || accepts(web, "text/event-stream")) return undefined;
  return {
    status: 406,
    message: "Not Acceptable: answers are application/json, or text/event-stream when they stream.",
  };
}

export function versionWrong(web: Request): Refusal | undefined {
  const version = web.headers.get("mcp-protocol-version");
  if (version === null || versions.includes(version)) return undefined;
  const message = `Bad Request: Unsupported protocol version ${JSON.stringify(version)}. Supported: 2026-07-28, ${versions.join(", ")}.`;
  return { status: 400, message };
}

function modeFor(web: Request): Mode {
  if (!accepts(web, "text/event-stream")) return "json";
  return accepts(web, "application/json") ? "auto" : "sse";
}

function accepts(web: Request, type: string): boolean {
  const given = web.headers.get("accept");
  if (given === null || given.trim() === "") return type === "application/json";
  const [family] = type.split("/");
  return given.split(",").some((part) => {
    const name = part.split(";")[0]?.trim().toLowerCase();
    return name === type || name === `${family}/*` || (name === "*/*" && type === "application/json");
  });
}
