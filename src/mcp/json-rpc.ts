import type { JSONRPCMessage } from "@modelcontextprotocol/server";

export type Id = string | number;

/** A parsed JSON value as a JSON-RPC message, or `undefined` where it is none. Batches are not messages. */
export function asMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isObject(value) || value.jsonrpc !== "2.0") return undefined;
  const hasId = isId(value.id);
  if ("id" in value && !hasId) return undefined;
  if ("params" in value && !isObject(value.params)) return undefined;
  if (typeof value.method === "string") return value as JSONRPCMessage;
  if (hasId && ("result" in value ? isObject(value.result) : isObject(value.error))) return value as JSONRPCMessage;
  return undefined;
}

export function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function errorMessage(id: Id | null, code: number, message: string) {
  return { jsonrpc: "2.0" as const, id, error: { code, message } };
}
