import type { Value } from "./value.ts";

export type ReadParams =
  | { readonly kind: "read"; readonly params: ReadonlyMap<string, Value> }
  | { readonly kind: "wrong"; readonly message: string };

/**
 * The values of `$name`. They are values and never become part of the query's text. A list may come as a list or as its
 * JSON, since hosts differ in which they send; so may the whole object.
 */
export function readParams(given: unknown): ReadParams {
  const object = typeof given === "string" ? parsed(given) : (given ?? {});
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    return {
      kind: "wrong",
      message: '`params` takes an object of names and values, as in {"ids": ["two-eyed-seeing"]}.',
    };
  }
  const entries = Object.entries(object).map(([name, value]) => [name.replace(/^\$/, ""), toValue(value)] as const);
  return { kind: "read", params: new Map(entries) };
}

function toValue(given: unknown): Value {
  if (typeof given === "string") {
    const list = given.trimStart().startsWith("[") ? parsed(given) : undefined;
    return Array.isArray(list) ? list.map(toItem) : given;
  }
  return Array.isArray(given) ? given.map(toItem) : toItem(given);
}

function toItem(given: unknown): Value {
  if (given === null || given === undefined) return null;
  if (typeof given === "string" || typeof given === "boolean") return given;
  if (typeof given === "number") return Number.isFinite(given) ? given : null;
  return JSON.stringify(given);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
