import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseFile } from "../../src/core/concept/parse-file.ts";
import { link } from "../../src/core/snapshot/link.ts";
import { makeView, type View } from "../../src/core/snapshot/view.ts";
import type { CompiledRules } from "../../src/core/terms/compile-rules.ts";
import { readInView, rulesOf, type ViewRequest } from "../../src/core/terms/read-in-view.ts";
import type { Reading } from "../../src/core/terms/reading.ts";
import type { Rule } from "../../src/core/terms/rule.ts";
import { listFolder } from "../../src/workspace/read-folder.ts";

const folder = fileURLToPath(new URL("../../concepts/", import.meta.url));

/** The packaged vocabulary as the person at this machine sees it. */
export const packagedView: View = (() => {
  const files = listFolder(folder).files.map((path) => parseFile(path, readFileSync(folder + path, "utf8")));
  return makeView(link(files), new Set());
})();

export const packagedRules: CompiledRules = rulesOf(packagedView);

/** Every rule, those of concept files included. */
export const everyRule: readonly Rule[] = packagedRules.rules.map((compiled) => compiled.rule);

export function read(text: string, more: Partial<ViewRequest> = {}): Reading {
  return readInView(packagedView, { text, strictness: "standard", ...more });
}
