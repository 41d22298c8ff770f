import { classifyInboundRequest, createMcpHandler, type ServerEvent } from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json-rpc.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { Exchange } from "../../http/exchange.ts";
import { readMessage } from "../../http/read-message.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { sendWeb, webRequest } from "../../http/web.ts";
import type { Change } from "../changes.ts";
import { type Endpoint, idOf, type McpEndpointOptions, tooManyStreams } from "./endpoint.ts";
import { sessionHandler } from "./session-handler.ts";
import { statelessHandler } from "./stateless-handler.ts";

/** Streamable HTTP in every revision, on `/mcp` and on `/`, where some bridges post. */
export function mcpEndpoint(options: McpEndpointOptions): Endpoint {
  const { limits } = options;
  const modern = modernHandler(options);
  const legacy = options.sessions === undefined ? statelessHandler(options) : sessionHandler(options, options.sessions);

  const handle = async (exchange: Exchange): Promise<void> => {
    const { response, caller } = exchange;
    const read = await readMessage(exchange);
    if (read.kind === "refused") return refuse(response, read.refusal);
    const { body } = read;
    const scope = exchange.challenge === undefined ? undefined : scopeLacked(options, body, caller);
    if (scope !== undefined) return refuse(response, lacking(scope, exchange.challenge?.(scope) ?? ""));
    if (!isModern(exchange, body)) return legacy.handle(exchange, body);
    if (isListen(body) && !exchange.becomeStream()) return refuse(response, tooManyStreams(limits));
    return modern.handle(exchange, body);
  };

  return {
    routes: [{ paths: ["/mcp", "/"], methods: ["POST", "GET", "DELETE"], handle }],
    size: () => legacy.size(),
    close: async () => {
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}

/** Requests of 2026-07-28 stand alone. Each has its own handler of the SDK, which knows the one caller that it is for. */
function modernHandler({ makeServer, changes, keepAliveMs = 15_000, limits, log }: McpEndpointOptions) {
  const listening = new Set<() => Promise<void>>();
  return {
    async handle(exchange: Exchange, body: unknown): Promise<void> {
      const { caller, response } = exchange;
      const bus = callerBus(caller, changes);
      const handler = createMcpHandler(
        () => makeServer({ era: "modern", delivers: "changes", callerOf: () => caller }),
        {
          legacy: "reject",
          bus,
          keepAliveMs,
          maxRequestBodySize: limits.bodyBytes,
          onerror: (error) => log("debug", error.message),
        },
      );
      if (isListen(body)) {
        listening.add(handler.close);
        response.once("close", () => listening.delete(handler.close));
      }
      const answer = await handler.fetch(webRequest(exchange), { parsedBody: body });
      return sendWeb(exchange, answer, { id: idOf(body), status: statusOf });
    },
    close: async () => {
      await Promise.all([...listening].map((close) => close()));
    },
  };
}

/** What changes for one caller, as the SDK's subscriptions take it. */
function callerBus(caller: Caller, changes: McpEndpointOptions["changes"]) {
  return {
    publish: () => {},
    subscribe: (listener: (event: ServerEvent) => void) =>
      changes.listen(
        () => caller,
        (change) => {
          for (const event of eventsOf(change)) listener(event);
        },
      ),
  };
}

function eventsOf({ tools, prompts, resources, updated }: Change): readonly ServerEvent[] {
  return [
    ...(tools ? [{ kind: "tools_list_changed" as const }] : []),
    ...(prompts ? [{ kind: "prompts_list_changed" as const }] : []),
    ...(resources ? [{ kind: "resources_list_changed" as const }] : []),
    ...updated.map((uri) => ({ kind: "resource_updated" as const, uri })),
  ];
}

function isModern({ request }: Exchange, body: unknown): boolean {
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === "string" ? value : undefined;
  };
  const protocolVersionHeader = header("mcp-protocol-version");
  const mcpMethodHeader = header("mcp-method");
  const mcpNameHeader = header("mcp-name");
  const { kind } = classifyInboundRequest({
    httpMethod: request.method ?? "",
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
