import { classifyInboundRequest, createMcpHandler } from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json-rpc.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { Exchange } from "../../http/exchange.ts";
import { readMessage } from "../../http/read-message.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { sendWeb, webRequest } from "../../http/web.ts";
import type { Change } from "../changes.ts";
import { authInfoFor, type Endpoint, idOf, type McpEndpointOptions, tooManyStreams } from "./endpoint.ts";
import { sessionHandler } from "./session-handler.ts";
import { statelessHandler } from "./stateless-handler.ts";

/** Streamable HTTP in every revision, on `/mcp` and on `/`, where some bridges post. */
export function mcpEndpoint(options: McpEndpointOptions): Endpoint {
  const { changes, limits, log, makeServer, keepAliveMs = 15_000 } = options;
  const modern = createMcpHandler(({ era }) => makeServer({ era, delivers: "changes" }), {
    legacy: "reject",
    keepAliveMs,
    maxRequestBodySize: limits.bodyBytes,
    onerror: (error) => log("debug", error.message),
  });
  // The SDK's router knows which resources are followed, and not by whom.
  const stop = changes.listen(options.everyone, (change) => publish(modern.notify, change));
  const legacy = options.sessions === undefined ? statelessHandler(options) : sessionHandler(options, options.sessions);

  const handle = async (exchange: Exchange): Promise<void> => {
    const { response, caller } = exchange;
    const read = await readMessage(exchange);
    if (read.kind === "refused") return refuse(response, read.refusal);
    const { body } = read;
    const scope = exchange.challenge === undefined ? undefined : scopeLacked(options, body, caller);
    if (scope !== undefined) return refuse(response, lacking(scope, exchange.challenge?.(scope) ?? ""));
    const authInfo = authInfoFor(caller);
    const web = webRequest(exchange);
    if (isModern(web, body)) {
      if (isListen(body) && !exchange.becomeStream()) return refuse(response, tooManyStreams(limits));
      const told = await modern.fetch(web, { authInfo, parsedBody: body });
      return sendWeb(exchange, told, { id: idOf(body), status: statusOf });
    }
    return legacy.handle({ exchange, web, body, authInfo });
  };

  return {
    routes: [{ paths: ["/mcp", "/"], methods: ["POST", "GET", "DELETE"], handle }],
    size: () => legacy.size(),
    close: async () => {
      stop();
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}

function publish(notify: ReturnType<typeof createMcpHandler>["notify"], change: Change): void {
  if (change.tools) notify.toolsChanged();
  if (change.prompts) notify.promptsChanged();
  if (change.resources) notify.resourcesChanged();
  for (const uri of change.updated) notify.resourceUpdated(uri);
}

function isModern(web: Request, body: unknown): boolean {
  const header = (name: string): string | undefined => web.headers.get(name) ?? undefined;
  const protocolVersionHeader = header("mcp-protocol-version");
  const mcpMethodHeader = header("mcp-method");
  const mcpNameHeader = header("mcp-name");
  const { kind } = classifyInboundRequest({
    httpMethod: web.method,
    ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
    ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
    ...(mcpNameHeader === undefined ? {} : { mcpNameHeader }),
    ...(body === undefined ? {} : { body }),
  });
  return kind !== "legacy";
}

function isListen(body: unknown): boolean {
  return isRecord(body) && body.method === "subscriptions/listen";
}

/** The revision wants 404 for an unknown method; handlers, which decide it here, come after the SDK's own status. */
function statusOf(status: number, body: string): number {
  return status === 200 && body.length < 1000 && body.includes('"code":-32601') ? 404 : status;
}

function scopeLacked({ scopeOf }: McpEndpointOptions, body: unknown, caller: Caller): string | undefined {
  return isRecord(body) ? scopeOf?.(body, caller) : undefined;
}

function lacking(scope: string, challenge: string): Refusal {
  const message = `This needs the scope "${scope}", which this token was not given.`;
  return { status: 403, message, headers: { "www-authenticate": challenge } };
}
