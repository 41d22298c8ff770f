import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseFile } from "../../src/core/concept/parse-file.ts";
import type { Rule } from "../../src/core/concept/rule.ts";
import { readInView, rulesOf, type ViewRequest } from "../../src/core/queries/read-in-view.ts";
import { buildSnapshot } from "../../src/core/snapshot/snapshot.ts";
import type { CallerView } from "../../src/core/snapshot/view.ts";
import type { CompiledRules } from "../../src/core/terms/compile-rules.ts";
import type { Reading } from "../../src/core/terms/reading.ts";
import { listFolder } from "../../src/workspace/read-folder.ts";

const folder = fileURLToPath(new URL("../../concepts/", import.meta.url));

/** The packaged vocabulary as the person at this machine sees it. */
export const packagedView: CallerView = (() => {
  const files = listFolder(folder).files.map((path) => parseFile(path, readFileSync(folder + path, "utf8")));
  return buildSnapshot(files, { sequence: 1 }).viewFor({ protocols: new Set() });
})();

export const packagedRules: CompiledRules = rulesOf(packagedView);

/** Every rule, those of concept files included. */
export const everyRule: readonly Rule[] = packagedRules.rules.map((compiled) => compiled.rule);

export function read(text: string, more: Partial<ViewRequest> = {}): Reading {
  return readInView(packagedView, { text, strictness: "standard", ...more });
}
