import type { JsonSchema } from "./dispatcher.ts";
import { isRecord } from "./result-content.ts";

export interface StrictNote {
  /** JSON pointer into the schema. */
  readonly at: string;
  readonly reason: string;
}

/**
 * `converted`: fits strict function calling; `notes` lists constraints that moved into descriptions.
 * `kept`: cannot be said in strict form; `notes` says why, and the schema stays as it was.
 */
export type StrictSchema =
  | { readonly kind: "converted"; readonly schema: JsonSchema; readonly notes: readonly StrictNote[] }
  | { readonly kind: "kept"; readonly notes: readonly StrictNote[] };

/** Constraints that strict mode does not take on every model; they move into the description. */
const loosened = ["format", "default", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"];
const loosenedToo = ["exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "examples"];
const movable = new Set([...loosened, ...loosenedToo]);
const silent = new Set(["$schema", "$id", "$comment", "title", "deprecated", "readOnly", "writeOnly"]);
const refused = new Set(["patternProperties", "propertyNames", "dependentSchemas", "dependentRequired", "not", "if"]);
const refusedToo = new Set(["then", "else", "prefixItems", "contains", "unevaluatedProperties", "minProperties"]);
const known = new Set(["type", "properties", "required", "additionalProperties", "items", "enum", "const"]);
const alsoKnown = new Set(["anyOf", "oneOf", "allOf", "$ref", "$defs", "definitions", "description", "maxProperties"]);

interface Walk {
  readonly moved: StrictNote[];
  readonly blocked: StrictNote[];
}

/** Converts an input schema for strict function calling: closed objects, every property required, optional → nullable. */
export function strictSchema(schema: JsonSchema): StrictSchema {
  const walk: Walk = { moved: [], blocked: [] };
  const typed = schema.type === undefined && isRecord(schema.properties) ? { ...schema, type: "object" } : schema;
  if (typed.type !== "object" || typed.anyOf !== undefined || typed.oneOf !== undefined) {
    return { kind: "kept", notes: [{ at: "", reason: "the root is not a plain object" }] };
  }
  const root = typed.properties === undefined ? { ...typed, properties: {} } : typed;
  const empty = root.additionalProperties === true || isRecord(root.additionalProperties);
  const closed = empty ? root : { ...root, additionalProperties: false };
  const converted = convert(closed, "", walk);
  if (walk.blocked.length > 0) return { kind: "kept", notes: walk.blocked };
  return { kind: "converted", schema: converted, notes: walk.moved };
}

function convert(schema: unknown, at: string, walk: Walk): JsonSchema {
  if (!isRecord(schema)) return block(walk, at, "the schema says neither a type nor a choice");
  const out: Record<string, unknown> = {};
  const facts: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (silent.has(key)) continue;
    if (movable.has(key)) {
      facts.push(`${key}: ${JSON.stringify(value)}`);
      walk.moved.push({ at, reason: `"${key}" moved into the description` });
    } else if (refused.has(key) || refusedToo.has(key)) {
      block(walk, at, `"${key}" has no strict form`);
    } else if (!known.has(key) && !alsoKnown.has(key)) {
      walk.moved.push({ at, reason: `"${key}" left out` });
    }
  }
  Object.assign(out, shape(schema, at, walk));
  const description = [schema.description, facts.length > 0 ? `(${facts.join("; ")})` : undefined];
  const said = description.filter((one): one is string => typeof one === "string" && one !== "").join(" ");
  if (said !== "") out.description = said;
  return out;
}

function shape(schema: Readonly<Record<string, unknown>>, at: string, walk: Walk): JsonSchema {
  const out: Record<string, unknown> = {};
  for (const key of ["$defs", "definitions"]) {
    if (isRecord(schema[key])) out.$defs = { ...(out.$defs ?? {}), ...each(schema[key], `${at}/${key}`, walk) };
  }
  if (typeof schema.$ref === "string") {
    const ref = schema.$ref.replace(/^#\/definitions\//, "#/$defs/");
    if (!/^#(\/\$defs\/[^/]+)?$/.test(ref)) block(walk, at, `"$ref" to ${schema.$ref} cannot be followed`);
    return { ...out, $ref: ref };
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    return { ...out, anyOf: choices.map((one, index) => convert(one, `${at}/anyOf/${index}`, walk)) };
  }
  if (Array.isArray(schema.allOf)) {
    if (schema.allOf.length === 1) return { ...out, ...convert(schema.allOf[0], `${at}/allOf/0`, walk) };
    return block(walk, at, '"allOf" has no strict form');
  }
  if (Array.isArray(schema.enum)) out.enum = schema.enum;
  if (schema.const !== undefined) out.const = schema.const;
  const types = typesOf(schema);
  if (types.length === 0 && out.enum === undefined && out.const === undefined) {
    return block(walk, at, "anything is accepted here, which has no strict form");
  }
  if (types.length > 0) out.type = types.length === 1 ? types[0] : types;
  if (types.includes("object")) Object.assign(out, objectShape(schema, at, walk));
  if (types.includes("array")) out.items = convert(schema.items, `${at}/items`, walk);
  return out;
}

function objectShape(schema: Readonly<Record<string, unknown>>, at: string, walk: Walk): JsonSchema {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const more = schema.additionalProperties;
  if (isRecord(more) || more === true) return block(walk, at, "free-form keys have no strict form");
  if (Object.keys(properties).length === 0 && more !== false) {
    return block(walk, at, "an object without named properties has no strict form");
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const converted = Object.entries(each(properties, `${at}/properties`, walk)).map(([key, one]) => {
    return [key, required.has(key) ? one : nullable(one)] as const;
  });
  return {
    properties: Object.fromEntries(converted),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function each(schemas: Readonly<Record<string, unknown>>, at: string, walk: Walk): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([key, one]) => [key, convert(one, `${at}/${key}`, walk)]));
}

function nullable(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  if (types.includes("null")) return schema;
  if (types.length > 0 && schema.const === undefined) {
    const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
    return { ...schema, type: [...types, "null"], ...values };
  }
  const { description, ...rest } = schema;
  return { anyOf: [rest, { type: "null" }], ...(description === undefined ? {} : { description }) };
}

function typesOf(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const type = schema.type;
  const types = Array.isArray(type) ? type : [type];
  return types.filter((one): one is string => typeof one === "string");
}

function block(walk: Walk, at: string, reason: string): JsonSchema {
  walk.blocked.push({ at, reason });
  return {};
}
