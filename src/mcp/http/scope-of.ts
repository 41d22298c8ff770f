import { isRecord } from "../../base/json-rpc.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { Surface } from "../surface.ts";

const readMethods = ["resources/list", "resources/read", "resources/subscribe", "prompts/get"];

/** The scope that this message needs and its caller lacks. */
export function scopeOf(
  surface: Surface,
  { method, params }: Readonly<Record<string, unknown>>,
  caller: Caller,
): string | undefined {
  const needed = neededFor(surface, method, params);
  return needed === undefined || caller.scopes.has(needed) ? undefined : needed;
}

function neededFor(surface: Surface, method: unknown, params: unknown): "read" | "log" | undefined {
  if (readMethods.some((it) => it === method)) return "read";
  if (method !== "tools/call" || !isRecord(params)) return undefined;
  return surface.tools.find(({ name }) => name === params.name)?.scope;
}
