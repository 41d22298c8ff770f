import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Id } from "../base/json-rpc.ts";
import type { Caller } from "../core/concept/caller.ts";
import { capabilitiesOf, servable, serverInfoOf } from "./protocol/capabilities.ts";
import type { Connection } from "./protocol/connection.ts";
import { Fault, faultCodes } from "./protocol/fault.ts";
import { protocolHandlers } from "./protocol/handlers.ts";
import { clientFacts, type Incoming, protocolContext, type Serving } from "./protocol/request.ts";
import { samplingParams, textOf } from "./sampling.ts";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface BindingV1 {
  readonly serving: Serving;
  readonly connection: Connection;
  /** The revision that the client opened with. */
  readonly revision: () => string;
  /** Who sent the request with this id. */
  readonly callerOf: (id: Id) => Caller;
}

/** One connection's server on the v1 SDK's low level; its high level answers an unknown tool as if it were a refusal. */
export function bindV1(binding: BindingV1): Server {
  const { serving } = binding;
  const surface = serving.surface();
  const { name, title, version, instructions } = surface;
  const declared = capabilitiesOf(serverInfoOf(surface), "changes");
  const handlers = servable(protocolHandlers, declared);
  // No icons: this SDK does not say which revision it has just agreed on, and older clients refuse them.
  const server = new Server({ name, title, version }, { capabilities: { ...declared }, instructions });
  server.removeRequestHandler("logging/setLevel");
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    const handler = handlers.get(method);
    if (handler === undefined) throw new Fault(faultCodes.methodNotFound, `Method not found: ${method}`);
    try {
      return await handler(params ?? {}, await protocolContext(serving, incomingOf(server, extra, binding)));
    } catch (error) {
      if (error instanceof Fault || extra.signal.aborted) throw error;
      serving.log("error", `${method} failed`, { stack: error instanceof Error ? error.stack : String(error) });
      throw new Fault(faultCodes.internal, "Something went wrong inside this server. It is in the server's log.");
    }
  };
  server.onerror = (error) => serving.log("debug", error.message);
  return server;
}

function incomingOf(server: Server, extra: Extra, { callerOf, connection, revision }: BindingV1): Incoming {
  const { signal, _meta, sendNotification, requestId } = extra;
  const samples = server.getClientCapabilities()?.sampling !== undefined;
  return {
    caller: callerOf(requestId),
    signal,
    connection,
    era: "legacy",
    revision: revision(),
    progressToken: _meta?.progressToken,
    ...clientFacts(_meta, server.getClientVersion()),
    ...(samples ? { sample: async (request) => textOf(await server.createMessage(samplingParams(request))) } : {}),
    notify: (method, params) => sendNotification({ method, params } as ServerNotification).catch(() => {}),
  };
}
