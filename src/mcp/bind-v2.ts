import { LOG_LEVEL_META_KEY, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Caller } from "../core/concept/caller.ts";
import { capabilitiesOf, type Delivers, type ServerInfo, servable, serverInfoOf } from "./protocol/capabilities.ts";
import { Connection, isMessageLevel } from "./protocol/connection.ts";
import { Fault, faultCodes } from "./protocol/fault.ts";
import { icons } from "./protocol/icon.ts";
import { InputNeeded } from "./protocol/input-needed.ts";
import type { Handlers, ProtocolRequest, Serving } from "./protocol/request.ts";
import { inputRequiredResult, legacySample, modernSample } from "./sampling.ts";

export interface Binding {
  readonly serving: Serving;
  readonly handlers: Handlers;
  readonly era: "legacy" | "modern";
  readonly delivers: Delivers;
  readonly connection?: Connection;
  /** The surface's own when absent. */
  readonly serverInfo?: ServerInfo;
  /** Who asks, from what the door said about the request. */
  readonly callerOf: (context: ServerContext) => Caller;
}

/**
 * One connection's server on the v2 SDK. Requests come to the handlers as they were sent (the SDK's fallback handler
 * neither checks nor copies them), and results go out as the handlers made them.
 */
export function bindV2(binding: Binding): Server {
  const {
    serving,
    era,
    delivers,
    connection = new Connection(),
    serverInfo = serverInfoOf(serving.surface()),
  } = binding;
  const { name, title, version, instructions } = serverInfo;
  const capabilities = capabilitiesOf(serverInfo, delivers);
  const handlers = servable(binding.handlers, capabilities);
  const info = { name, title, version, ...(era === "legacy" ? { icons } : {}) };
  const server = new Server(info, { capabilities, instructions });
  server.removeRequestHandler("logging/setLevel");
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    const handler = handlers.get(method);
    if (handler === undefined) throw new Fault(faultCodes.methodNotFound, `Method not found: ${method}`);
    try {
      return await handler(params ?? {}, askedBy(server, context, binding, connection));
    } catch (error) {
      if (error instanceof InputNeeded) return inputRequiredResult(error);
      if (error instanceof Fault || context.mcpReq.signal.aborted) throw error;
      serving.log("error", `${method} failed`, { stack: error instanceof Error ? error.stack : String(error) });
      throw new Fault(faultCodes.internal, "Something went wrong inside this server. It is in the server's log.");
    }
  };
  server.onerror = (error) => serving.log("debug", error.message);
  return server;
}

function askedBy(server: Server, context: ServerContext, binding: Binding, connection: Connection): ProtocolRequest {
  const { era, callerOf } = binding;
  const { mcpReq } = context;
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const level = envelope[LOG_LEVEL_META_KEY];
  const sample = era === "modern" ? modernSample(context) : legacySample(server, context);
  const progressToken = mcpReq._meta?.progressToken;
  return {
    caller: callerOf(context),
    signal: mcpReq.signal,
    connection,
    era,
    ...(progressToken === undefined ? {} : { progressToken }),
    ...(isMessageLevel(level) ? { level } : {}),
    ...(sample === undefined ? {} : { sample }),
    notify: (method, params) => mcpReq.notify({ method, params }).catch(() => {}),
  };
}
