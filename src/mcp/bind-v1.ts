import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../core/concept/caller.ts";
import { capabilitiesOf, servable, serverInfoOf } from "./protocol/capabilities.ts";
import type { Connection } from "./protocol/connection.ts";
import { Fault, faultCodes } from "./protocol/fault.ts";
import { icons } from "./protocol/icon.ts";
import type { Handlers, ProtocolRequest, Serving } from "./protocol/request.ts";
import { samplingParams, textOf } from "./sampling-params.ts";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface BindingV1 {
  readonly serving: Serving;
  readonly handlers: Handlers;
  readonly connection: Connection;
  readonly callerOf: (extra: Extra) => Caller;
}

/** One connection's server on the v1 SDK's low level; its high level answers an unknown tool as if it were a refusal. */
export function bindV1(binding: BindingV1): Server {
  const { serving } = binding;
  const surface = serving.surface();
  const { name, title, version, instructions } = surface;
  const declared = capabilitiesOf(serverInfoOf(surface), "changes");
  const handlers = servable(binding.handlers, declared);
  const server = new Server({ name, title, version, icons }, { capabilities: { ...declared }, instructions });
  server.removeRequestHandler("logging/setLevel");
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    const handler = handlers.get(method);
    if (handler === undefined) throw new Fault(faultCodes.methodNotFound, `Method not found: ${method}`);
    try {
      return await handler(params ?? {}, askedBy(server, extra, binding));
    } catch (error) {
      if (error instanceof Fault || extra.signal.aborted) throw error;
      serving.log("error", `${method} failed`, { stack: error instanceof Error ? error.stack : String(error) });
      throw new Fault(faultCodes.internal, "Something went wrong inside this server. It is in the server's log.");
    }
  };
  server.onerror = (error) => serving.log("debug", error.message);
  return server;
}

function askedBy(server: Server, extra: Extra, { callerOf, connection }: BindingV1): ProtocolRequest {
  const { signal, _meta, sendNotification } = extra;
  const progressToken = _meta?.progressToken;
  const samples = server.getClientCapabilities()?.sampling !== undefined;
  return {
    caller: callerOf(extra),
    signal,
    connection,
    era: "legacy",
    ...(progressToken === undefined ? {} : { progressToken }),
    ...(samples ? { sample: async (request) => textOf(await server.createMessage(samplingParams(request))) } : {}),
    notify: (method, params) => sendNotification({ method, params } as ServerNotification).catch(() => {}),
  };
}
