import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isRecord } from "../base/json-rpc.ts";

export type Id = string | number;

/** A parsed JSON value as a JSON-RPC message, or `undefined` where it is none. Batches are not messages. */
export function asMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isRecord(value) || value.jsonrpc !== "2.0") return undefined;
  const hasId = isId(value.id);
  if ("id" in value && !hasId) return undefined;
  if ("params" in value && !isRecord(value.params)) return undefined;
  if (typeof value.method === "string") return value as JSONRPCMessage;
  if (hasId && ("result" in value ? isRecord(value.result) : isRecord(value.error))) return value as JSONRPCMessage;
  return undefined;
}

export function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function errorMessage(id: Id | null, code: number, message: string) {
  return { jsonrpc: "2.0" as const, id, error: { code, message } };
}
