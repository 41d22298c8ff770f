import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type CompiledRules, compileRules } from "../../src/core/terms/compile-rules.ts";
import { readTerminology, type TerminologyRequest } from "../../src/core/terms/read-terminology.ts";
import type { Reading } from "../../src/core/terms/reading.ts";
import { type Terminology, terminologySchema } from "../../src/core/terms/rule.ts";

const file = new URL("../../concepts/terminology.yaml", import.meta.url);

/** The packaged rules, without those of concept files. */
export const terminology: Terminology = terminologySchema.parse(parse(readFileSync(file, "utf8")));

export const packagedRules: CompiledRules = compileRules(
  terminology.sets,
  terminology.rules.map((rule) => ({ rule })),
);

export function read(text: string, more: Partial<TerminologyRequest> = {}): Reading {
  return readTerminology({
    text,
    strictness: "standard",
    rules: packagedRules,
    ...more,
  });
}
