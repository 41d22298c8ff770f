import { z } from "zod";
import { conceptSchema } from "./concept.ts";
import { terminologySchema } from "./rule.ts";
import { sourcesSchema, vocabularySchema } from "./vocabulary.ts";

/** The shape of each kind of vocabulary file. */
export const fileSchemas = {
  concept: conceptSchema,
  vocabulary: vocabularySchema,
  sources: sourcesSchema,
  terminology: terminologySchema,
} as const;

export type FileKind = keyof typeof fileSchemas;

/** JSON Schema 2020-12 of one kind of vocabulary file, as people write it (defaults left out are fine). */
export function jsonSchemaOf(kind: FileKind): Readonly<Record<string, unknown>> {
  return {
    title: `iaip-dsl ${kind} file`,
    ...z.toJSONSchema(fileSchemas[kind], { io: "input", unrepresentable: "any" }),
  };
}
