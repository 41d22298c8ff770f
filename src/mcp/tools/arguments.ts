import { nearest } from "../../core/concept/nearest.ts";
import type { JsonSchema } from "../surface.ts";

export interface Property {
  readonly type: "string" | "integer";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface InputSchema extends JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

/** The values that a vocabulary allows; nothing where it has none, as an empty `enum` is no valid schema. */
export function oneOf(values: readonly string[]): Pick<Property, "enum"> {
  return values.length === 0 ? {} : { enum: values };
}

type ValueOf<P extends Property> = P extends { readonly type: "integer" }
  ? number
  : P extends { readonly enum: readonly (infer E extends string)[] }
    ? E
    : string;

/** The values of a tool's arguments: those that are required or have a default are always there. */
export type ArgumentsOf<P extends Readonly<Record<string, Property>>, R extends keyof P> = {
  readonly [K in keyof P]: K extends R
    ? ValueOf<P[K]>
    : P[K] extends { readonly default: string | number }
      ? ValueOf<P[K]>
      : ValueOf<P[K]> | undefined;
};

export type Arguments = Readonly<Record<string, string | number | undefined>>;

export type ReadArguments<A> =
  | { readonly kind: "read"; readonly args: A; readonly ignored: readonly string[] }
  | { readonly kind: "wrong"; readonly fault: string; readonly ignored: readonly string[] };

/**
 * Reads a tool's arguments as models send them: numbers as text, text as JSON of an object, absent as nothing.
 * Unknown keys never fail a call; each is named with the one that was perhaps meant.
 */
export function readArguments<P extends Readonly<Record<string, Property>>, R extends keyof P>(
  schema: InputSchema,
  given: unknown,
): ReadArguments<ArgumentsOf<P, R>> {
  const args = objectOf(given);
  if (!args) {
    const fault = `The arguments must be an object with ${fieldList(schema)}; ${shown(given)} was given.`;
    return { kind: "wrong", fault, ignored: [] };
  }
  const ignored = ignoredKeys(schema, args);
  const values: Record<string, string | number | undefined> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const isMissing = value === undefined || value === null || value === "";
    if (isMissing && schema.required?.includes(name) !== true) {
      values[name] = property.default;
      continue;
    }
    const read = isMissing ? undefined : readValue(property, value);
    if (read === undefined) return { kind: "wrong", fault: faultOf(name, property, isMissing, value), ignored };
    values[name] = read;
  }
  // The loop above has gone through every property of the schema that the type is made from.
  return { kind: "read", args: values as ArgumentsOf<P, R>, ignored };
}

function readValue(property: Property, value: unknown): string | number | undefined {
  return property.type === "integer" ? readInteger(property, value) : readString(property, value);
}

function faultOf(name: string, property: Property, isMissing: boolean, value: unknown): string {
  return isMissing
    ? `\`${name}\` is required and was not given. It takes ${accepted(property)}.`
    : `\`${name}\` takes ${accepted(property)}; ${shown(value)} was given.${hint(property, value)}`;
}

function ignoredKeys(schema: InputSchema, args: Readonly<Record<string, unknown>>): string[] {
  const known = Object.keys(schema.properties);
  return Object.keys(args)
    .filter((it) => !known.includes(it))
    .slice(0, 10)
    .map((it) => {
      const meant = nearest(it, known);
      return `\`${printable(it)}\`${meant ? `; did you mean \`${meant}\`?` : ""}`;
    });
}

function objectOf(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined || given === null) return {};
  if (typeof given === "string") {
    try {
      return objectOf(JSON.parse(given) as unknown);
    } catch {
      return undefined;
    }
  }
  return typeof given === "object" && !Array.isArray(given) ? (given as Readonly<Record<string, unknown>>) : undefined;
}

function readInteger({ minimum, maximum }: Property, value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*[+-]?\d{1,9}(?:\.0+)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) return undefined;
  if (minimum !== undefined && number < minimum) return undefined;
  return maximum !== undefined && maximum < number ? undefined : number;
}

function readString(property: Property, value: unknown): string | undefined {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof text !== "string" || text.trim() === "") return undefined;
  if (!property.enum) return text;
  return (
    property.enum.find((it) => it === text) ??
    property.enum.find((it) => it.toLowerCase() === text.trim().toLowerCase())
  );
}

function hint(property: Property, value: unknown): string {
  const near = typeof value === "string" ? nearest(value, property.enum ?? []) : undefined;
  return near ? ` Did you mean \`${near}\`?` : "";
}

function accepted({ type, enum: values, minimum, maximum }: Property): string {
  if (values) return `one of ${values.map((it) => `\`${it}\``).join(", ")}`;
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  return "text that is not empty";
}

function fieldList(schema: InputSchema): string {
  return Object.keys(schema.properties)
    .map((it) => `\`${it}\``)
    .join(", ");
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return `\`${printable(text.length <= 80 ? text : `${text.slice(0, 77)}…`)}\``;
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}`]/gu, "�").slice(0, 100);
}
