import { isRecord } from "../../base/json-rpc.ts";
import { UpstreamFault } from "../upstream/fault.ts";
import { revisions } from "../upstream/handshake.ts";
import type { Answer } from "../upstream/link.ts";
import type { ListKind } from "../upstream/lists.ts";
import type { Params } from "../upstream/meta.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { gatewayMethods, lackedScope } from "./gateway-methods.ts";
import type { Method, MethodClient, Running } from "./method.ts";

/** One server as it is: every request goes on unchanged, but for the few that belong to a connection. */
export const adapterMethods: Readonly<Record<string, Method>> = {
  initialize: introduce,
  ping: () => ({ result: {} }),
  "logging/setLevel": gatewayMethods["logging/setLevel"]!,
  "resources/subscribe": gatewayMethods["resources/subscribe"]!,
  "resources/unsubscribe": gatewayMethods["resources/unsubscribe"]!,
};

const listsOf: Readonly<Record<string, ListKind>> = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "templates",
  "prompts/list": "prompts",
};

const repeatable =
  /^(?:(?:tools|resources|resources\/templates|prompts|tasks)\/(?:list|read|get)|completion\/complete)$/;

export function passOn(client: MethodClient, params: Params, running: Running): Promise<Answer> {
  const kind = listsOf[running.method];
  if (kind !== undefined) client.knows(kind);
  const owner = client.set.catalog.toolOwners.get(String(params.name));
  const readOnly = owner?.readOnly === true;
  if (running.method === "tools/call") {
    const lacked = client.lacks(owner?.needs ?? ["read", "log"]);
    if (lacked !== undefined) {
      return Promise.resolve({ error: { code: -32602, message: lackedScope(String(params.name), readOnly, lacked) } });
    }
  }
  const again = running.method === "tools/call" ? readOnly : repeatable.test(running.method);
  return client.forward(running, onlyOne(client), running.method, params, again);
}

/** The server's own answer, in the older of the client's revision and the one the server speaks. */
async function introduce(client: MethodClient, params: Params): Promise<Answer> {
  const version = client.introduced(params);
  const upstream = onlyOne(client);
  await upstream.connected();
  const server = upstream.server;
  if (server === undefined) {
    throw new UpstreamFault(
      "unavailable",
      upstream.name,
      `"${upstream.name}" is not available: ${upstream.health.error ?? "it has not answered yet"}`,
    );
  }
  const spoken = revisions.indexOf(server.protocolVersion as (typeof revisions)[number]);
  const wanted = revisions.indexOf(version as (typeof revisions)[number]);
  const protocolVersion = spoken > wanted ? server.protocolVersion : version;
  return { result: { ...server, protocolVersion } };
}

function onlyOne(client: MethodClient): Upstream {
  return client.set.upstreams[0]!;
}

/**
 * Mends an envelope: a missing `jsonrpc`, and a missing `id` on what is no notification, so that it gets an answer.
 * Strict servers fall over either.
 */
export function repairEnvelope(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const method = message.method;
  const needsId =
    typeof method === "string" && !method.startsWith("notifications/") && (message.id ?? undefined) === undefined;
  return { ...message, jsonrpc: "2.0", ...(needsId ? { id: 0 } : {}) };
}
