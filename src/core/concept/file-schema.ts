import { z } from "zod";
import { terminologySchema } from "../terms/rule.ts";
import { conceptSchema } from "./concept.ts";
import { sourcesSchema, vocabularySchema } from "./vocabulary.ts";

const schemas = {
  concept: conceptSchema,
  vocabulary: vocabularySchema,
  sources: sourcesSchema,
  terminology: terminologySchema,
} as const;

/** JSON Schema 2020-12 of one kind of vocabulary file, as people write it (defaults left out are fine). */
export function fileSchema(kind: keyof typeof schemas): Readonly<Record<string, unknown>> {
  return { title: `iaip-dsl ${kind} file`, ...z.toJSONSchema(schemas[kind], { io: "input", unrepresentable: "any" }) };
}
