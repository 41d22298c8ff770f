import type { JsonSchema } from "./dispatcher.ts";
import { isRecord } from "./result-content.ts";

/** Takes back the nulls that strict mode makes a model write for what it leaves out. `schema` is the server's own. */
export function withoutAddedNulls(value: unknown, schema: unknown, root: JsonSchema): unknown {
  const own = resolved(schema, root);
  if (own === undefined) return value;
  if (Array.isArray(value)) return value.map((one) => withoutAddedNulls(one, own.items, root));
  if (!isRecord(value)) return value;
  const objectSchema = branchFor(value, own, root);
  if (objectSchema === undefined) return value;
  const properties = isRecord(objectSchema.properties) ? objectSchema.properties : {};
  const required = new Set(Array.isArray(objectSchema.required) ? objectSchema.required : []);
  const kept = Object.entries(value).filter(([key, one]) => {
    return one !== null || required.has(key) || takesNull(properties[key], root);
  });
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutAddedNulls(one, properties[key], root)]));
}

function branchFor(value: Readonly<Record<string, unknown>>, schema: JsonSchema, root: JsonSchema) {
  if (isRecord(schema.properties)) return schema;
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) ?? [];
  return choices
    .map((one) => resolved(one, root))
    .find((one) => {
      const properties = one?.properties;
      return isRecord(properties) && Object.keys(value).every((key) => key in properties);
    });
}

function takesNull(schema: unknown, root: JsonSchema): boolean {
  const own = resolved(schema, root);
  if (own === undefined) return false;
  const types = Array.isArray(own.type) ? own.type : [own.type];
  if (types.includes("null") || own.const === null) return true;
  if (Array.isArray(own.enum) && own.enum.includes(null)) return true;
  return [own.anyOf, own.oneOf].some((choices) => {
    return Array.isArray(choices) && choices.some((one) => takesNull(one, root));
  });
}

function resolved(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  let own: unknown = schema;
  for (let hops = 0; hops < 16; hops++) {
    if (!isRecord(own)) return undefined;
    const ref = own.$ref;
    if (typeof ref !== "string") return own;
    own = ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root);
  }
  return undefined;
}
