import { LOG_LEVEL_META_KEY, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Id } from "../base/json-rpc.ts";
import type { Caller } from "../core/concept/caller.ts";
import { capabilitiesOf, type Delivers, type ServerInfo, servable, serverInfoOf } from "./protocol/capabilities.ts";
import { Connection, isMessageLevel } from "./protocol/connection.ts";
import { Fault, faultCodes } from "./protocol/fault.ts";
import { protocolHandlers } from "./protocol/handlers.ts";
import { iconsFor } from "./protocol/icon.ts";
import { InputNeeded } from "./protocol/input-needed.ts";
import { clientFacts, type Incoming, protocolContext, type Serving } from "./protocol/request.ts";
import { modernRevision, unnamedRevision } from "./protocol/revision.ts";
import { inputRequiredResult, legacySample, modernSample } from "./sampling.ts";

export interface Binding {
  readonly serving: Serving;
  readonly era: "legacy" | "modern";
  readonly delivers: Delivers;
  readonly connection?: Connection;
  /** The surface's own when absent. */
  readonly serverInfo?: ServerInfo;
  /** What a request without a handshake says it speaks. */
  readonly revision?: string | undefined;
  /** Who sent the request with this id. */
  readonly callerOf: (id: Id) => Caller;
}

/**
 * One connection's server on the v2 SDK. Requests come to the handlers as they were sent (the SDK's fallback handler
 * neither checks nor copies them), and results go out as the handlers made them.
 */
export function bindV2(binding: Binding): Server {
  const { serving, era, delivers, connection = new Connection() } = binding;
  const serverInfo = binding.serverInfo ?? serverInfoOf(serving.surface());
  const { name, title, version, instructions } = serverInfo;
  const capabilities = capabilitiesOf(serverInfo, delivers);
  const handlers = servable(protocolHandlers, capabilities);
  const revision = (): string =>
    era === "modern" ? modernRevision : (server.getNegotiatedProtocolVersion() ?? binding.revision ?? unnamedRevision);
  const info = {
    name,
    title,
    version,
    // Read when the handshake is answered, and the revision is known: older clients refuse icons they cannot read.
    get icons() {
      return iconsFor(revision()).icons;
    },
  };
  const server = new Server(info as ConstructorParameters<typeof Server>[0], { capabilities, instructions });
  server.removeRequestHandler("logging/setLevel");
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    const handler = handlers.get(method);
    if (handler === undefined) throw new Fault(faultCodes.methodNotFound, `Method not found: ${method}`);
    try {
      const incoming = incomingOf(server, context, binding, connection, revision());
      return await handler(params ?? {}, await protocolContext(serving, incoming));
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

function incomingOf(
  server: Server,
  context: ServerContext,
  { era, callerOf }: Binding,
  connection: Connection,
  revision: string,
): Incoming {
  const { mcpReq } = context;
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const level = envelope[LOG_LEVEL_META_KEY];
  const sample = era === "modern" ? modernSample(context) : legacySample(server, context);
  return {
    caller: callerOf(mcpReq.id),
    signal: mcpReq.signal,
    connection,
    era,
    revision,
    progressToken: mcpReq._meta?.progressToken,
    ...clientFacts(mcpReq._meta, server.getClientVersion()),
    ...(isMessageLevel(level) ? { level } : {}),
    ...(sample === undefined ? {} : { sample }),
    notify: (method, params) => mcpReq.notify({ method, params }).catch(() => {}),
  };
}
