import { readFileSync } from "node:fs";
import { parseFile } from "../../../src/core/concept/parse-file.ts";
import type { Rule } from "../../../src/core/concept/rule.ts";
import { readInView, rulesOf } from "../../../src/core/queries/read-in-view.ts";
import { buildSnapshot } from "../../../src/core/snapshot/snapshot.ts";
import { compileRules } from "../../../src/core/terms/compile-rules.ts";
import { readTerminology } from "../../../src/core/terms/read-terminology.ts";
import { listFolder } from "../../../src/workspace/read-folder.ts";

/** The packaged reader over a vocabulary folder, as the tool and the editor call it. */
export function openReader(
  folder: string,
): (text: string) => { readonly findings: number; readonly serious: readonly string[] } {
  const files = listFolder(folder).files.map((path) => parseFile(path, readFileSync(`${folder}/${path}`, "utf8")));
  const view = buildSnapshot(files, { sequence: 1 }).viewFor({ protocols: new Set() });
  rulesOf(view);
  return (text) => {
    const reading = readInView(view, { text, strictness: "standard" });
    const serious = reading.findings.filter((it) => it.severity === "error" || it.severity === "warning");
    return { findings: reading.findings_total, serious: serious.map((it) => `${it.line}: ${it.text} (${it.rule})`) };
  };
}

/** A reader with made rules alone, of words that a text need not hold. */
export function makeRules(words: readonly string[], count: number): (text: string) => number {
  const rule = (index: number): Rule => ({
    id: `made.r${index}`,
    title: "made",
    severity: "warning",
    strictness: "standard",
    language: "en",
    phrases: [`${words[index]} ${words[index + 1]}`, `{${words[index]}} ...2 ${words[index + 7]}`],
    needs: [],
    also: [],
    outcome: false,
    readings: [],
    unless: [],
    never: [`${words[index]} ${words[index + 9]}`],
    structure: undefined,
    cues: [],
    preferred: [],
    advice: undefined,
    reason: "made",
    source: { key: "seed", standing: "house-style" },
    baseline: false,
    negation: "counts",
    names: "exempt",
    self_naming: "counts",
    fix: undefined,
    once: false,
    examples: { flags: ["x"], passes: ["x"] },
    page: undefined,
  });
  const rules = compileRules(
    {},
    Array.from({ length: count }, (_, index) => ({ rule: rule(index) })),
  );
  return (text) => readTerminology({ text, strictness: "standard", rules }).findings_total;
}
