import {
  ceremonialLevels,
  emptyReasons,
  facets,
  nodeTypes,
  seenMarks,
  statuses,
  tiers,
} from "../../core/concept/concept.ts";
import type { JsonSchema } from "../surface.ts";

/**
 * Output shapes, version 1.1 (frozen). They never close an object: both SDKs' clients throw on a field they do not know,
 * and a later version may add some.
 */
export const text: JsonSchema = { type: "string" };
export const whole: JsonSchema = { type: "integer" };
export const number: JsonSchema = { type: "number" };
export const flag: JsonSchema = { type: "boolean" };
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
export const choice = (values: readonly string[]): JsonSchema => ({ type: "string", enum: values });
export const always = (value: string | boolean): JsonSchema => ({ type: typeof value, const: value });
export const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });

/** An object whose properties are all required, but for those named in `optional`. */
export function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((it) => !optional.includes(it));
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

export const conceptRef = object({ id: text, name: text });

const tier = choice(tiers);
const status = choice(statuses);
const disclosure = choice(["full", "partial", "withheld"]);

const lineProperties = {
  id: text,
  name: text,
  category: text,
  direction: text,
  tier,
  status,
  vocabulary: text,
  holder: text,
  by_line: text,
  gist: orNull(text),
  disclosure,
  notice: orNull(text),
} satisfies Readonly<Record<string, JsonSchema>>;

/** A concept in a list. */
export const conceptLine = object(lineProperties);

export const conceptLineWith = (more: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  object({ ...lineProperties, ...more });

const cardProperties = {
  id: text,
  name: text,
  names: listOf(object({ text, language: text, tag: text }, ["tag"])),
  aliases: listOf(text),
  category: text,
  node_type: choice(nodeTypes),
  direction: text,
  direction_scheme: text,
  direction_basis: text,
  tier,
  status,
  replaced_by: listOf(conceptRef),
  vocabulary: text,
  contested: orNull(object({ note: text })),
  withdrawn: orNull(object({ at: text, reason: text, contact: text })),
  holder: text,
  peoples: listOf(text),
  by_line: text,
  definition: orNull(text),
  disclosure,
  withheld: listOf(text),
  notice: orNull(text),
} satisfies Readonly<Record<string, JsonSchema>>;

export const conceptCard = object(cardProperties);

export const relation = object(
  {
    from: text,
    from_name: text,
    type: text,
    to: text,
    to_name: text,
    stored: choice(["forward", "inverse"]),
    symmetric: flag,
    by_analogy: flag,
    why: orNull(text),
    source: object({ key: text, citation: text }),
    proposed_by: text,
  },
  ["source"],
);

const fullProperties = {
  indigenous_connections: object({
    two_eyed_seeing: orNull(text),
    polycentric: orNull(text),
    relational: orNull(text),
    ceremonial: object({ level: choice(ceremonialLevels), note: orNull(text) }),
    empty: object(Object.fromEntries(facets.map((it) => [it, choice(emptyReasons)])), facets),
  }),
  ocap: object({
    relevance: text,
    ownership: orNull(text),
    control: orNull(text),
    access: text,
    possession: orNull(text),
    status: always("not-assessed"),
  }),
  governance: object({
    care: listOf(text),
    agent_may: listOf(text),
    agent_may_not: listOf(text),
    protocols: listOf(text),
    reviewed_by_holder: orNull(text),
  }),
  relations: listOf(relation),
  usage_contexts: listOf(text),
  usage_tags: listOf(text),
  examples: listOf(text),
  sources: listOf(object({ key: text, citation: text, url: text, seen: choice(seenMarks) }, ["url"])),
} satisfies Readonly<Record<string, JsonSchema>>;

/** A card, and at the depths `full` and `relational` what is given beyond it. */
export const conceptAtAnyDepth = object({ ...cardProperties, ...fullProperties }, Object.keys(fullProperties));
