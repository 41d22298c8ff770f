import { isRecord } from "../../base/json-rpc.ts";
import type { ListKind } from "./lists.ts";
import type { Params } from "./meta.ts";

export type Mended =
  | { readonly kind: "kept"; readonly item: Params; readonly mended: readonly string[] }
  | { readonly kind: "left-out"; readonly reason: string };

/**
 * A listed item in the shape that clients check for: many reject a whole list for one field of one item. What means the
 * same without the field, or has one obvious meaning, is mended; an item without its key is left out. An item that is
 * as it should be comes back as the very same object.
 */
export function mendItem(kind: ListKind, item: Params): Mended {
  const key = kind === "resources" ? "uri" : kind === "templates" ? "uriTemplate" : "name";
  const id = item[key];
  if (typeof id !== "string" || id === "") return { kind: "left-out", reason: `an item of ${kind} has no ${key}` };
  const draft = new Draft(item);
  for (const field of ["title", "description", "mimeType"]) draft.text(field);
  for (const field of ["_meta", "annotations", "execution"]) draft.record(field);
  if (item.icons !== undefined && !Array.isArray(item.icons)) draft.drop("icons");
  if (kind === "tools") mendTool(draft);
  if (kind === "prompts") mendPrompt(draft);
  if ((kind === "resources" || kind === "templates") && typeof item.name !== "string") {
    draft.set("name", id.split(/[/:]/).findLast((part) => part !== "") ?? id);
  }
  const { mended } = draft;
  const said = mended.length === 0 ? [] : [`${JSON.stringify(id.slice(0, 100))}: ${mended.join(", ")}`];
  return { kind: "kept", item: draft.item, mended: said };
}

const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

function mendTool(draft: Draft): void {
  draft.set("inputSchema", objectSchema(draft.item.inputSchema), draft.item.inputSchema);
  const output = draft.item.outputSchema;
  if (output !== undefined && (!isRecord(output) || output.type !== "object")) draft.drop("outputSchema");
  else if (output !== undefined) draft.set("outputSchema", objectSchema(output), output);
  const { annotations } = draft.item;
  if (!isRecord(annotations)) return;
  const wrong = (name: string, value: unknown) =>
    (hints.includes(name) && typeof value !== "boolean") || (name === "title" && typeof value !== "string");
  const kept = Object.entries(annotations).filter(([name, value]) => !wrong(name, value));
  if (kept.length < Object.keys(annotations).length) draft.set("annotations", Object.fromEntries(kept));
}

/** A schema of an object, with a schema for each property; the same one where it is that already. */
function objectSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return { type: "object" };
  const properties = isRecord(schema.properties) ? schema.properties : undefined;
  const wrong = Object.values(properties ?? {}).some((it) => !isRecord(it));
  const required = schema.required === undefined || isTexts(schema.required);
  const isFine = schema.type === "object" && !wrong && required;
  if (isFine && (schema.properties === undefined || properties !== undefined)) return schema;
  const { properties: _, required: __, ...rest } = schema;
  const mended = Object.entries(properties ?? {}).map(([name, it]) => [name, propertySchema(it)] as const);
  return {
    ...rest,
    type: "object",
    ...(properties === undefined ? {} : { properties: Object.fromEntries(mended) }),
    ...(schema.required !== undefined && required ? { required: schema.required } : {}),
  };
}

/** Clients take objects only: `true` is the schema of everything, `false` of nothing. */
function propertySchema(schema: unknown): unknown {
  if (isRecord(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((it) => typeof it === "string");
}

function mendPrompt(draft: Draft): void {
  const given = draft.item.arguments;
  if (given === undefined) return;
  if (!Array.isArray(given)) {
    draft.drop("arguments");
    return;
  }
  const kept = given.filter((it) => isRecord(it) && typeof it.name === "string");
  const clean = kept.map((it: Params) => {
    const fields = Object.entries(it).filter(([name, value]) => {
      if (name === "description" || name === "title") return typeof value === "string";
      return name !== "required" || typeof value === "boolean";
    });
    return fields.length === Object.keys(it).length ? it : Object.fromEntries(fields);
  });
  if (clean.length < given.length || clean.some((it, index) => it !== given[index])) draft.set("arguments", clean);
}

/** An item that is changed field by field, and what was changed. */
class Draft {
  item: Params;
  readonly mended: string[] = [];

  constructor(item: Params) {
    this.item = item;
  }

  /** Keeps text and absence, writes a number as text, drops everything else. */
  text(field: string): void {
    const value = this.item[field];
    if (value === undefined || typeof value === "string") return;
    if (typeof value === "number") this.set(field, String(value));
    else this.drop(field);
  }

  record(field: string): void {
    if (this.item[field] !== undefined && !isRecord(this.item[field])) this.drop(field);
  }

  drop(field: string): void {
    const { [field]: _, ...rest } = this.item;
    this.item = rest;
    this.mended.push(`${field} was dropped`);
  }

  /** Does nothing where the new value is the old one. */
  set(field: string, value: unknown, before?: unknown): void {
    if (value === before) return;
    this.item = { ...this.item, [field]: value };
    this.mended.push(`${field} was mended`);
  }
}
