import { maxText } from "./meter.ts";
import { isList, type Value } from "./value.ts";

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
  if (Object.keys(object).length > maxParams)
    return { kind: "wrong", message: `\`params\` holds more than ${maxParams} values.` };
  const entries = Object.entries(object).map(([name, value]) => [name.replace(/^\$/, ""), toValue(value)] as const);
  const tooLarge = entries.find(([, value]) => isTooLarge(value));
  if (tooLarge === undefined) return { kind: "read", params: new Map(entries) };
  const message = `$${tooLarge[0].slice(0, 100)} is too large: a text may have ${maxText} characters, a list ${maxItems} items.`;
  return { kind: "wrong", message };
}

const maxParams = 100;
const maxItems = 10_000;

function isTooLarge(value: Value): boolean {
  if (isList(value)) return value.length > maxItems || value.some(isTooLarge);
  return typeof value === "string" && value.length > maxText;
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
  try {
    return JSON.stringify(given);
  } catch {
    // Nested deeper than the stack holds.
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
