import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseFile } from "../../../core/concept/parse-file.ts";
import { rulesOf } from "../../../core/queries/read-in-view.ts";
import { buildSnapshot } from "../../../core/snapshot/snapshot.ts";
import { rulePage, ruleTable } from "../../../core/terms/rule-page.ts";
import { listFolder } from "../../../workspace/read-folder.ts";

/** Writes one page a rule of a vocabulary folder, and `README.md` with the table of all. Returns how many. */
export function writeRulePages(concepts: string, folder: string): number {
  const files = listFolder(concepts).files.map((path) => parseFile(path, readFileSync(join(concepts, path), "utf8")));
  const rules = rulesOf(buildSnapshot(files, { sequence: 1 }).viewFor({ protocols: new Set() }));
  mkdirSync(folder, { recursive: true });
  for (const rule of rules.rules) writeFileSync(join(folder, `${rule.rule.id}.md`), rulePage(rule, rules));
  writeFileSync(join(folder, "README.md"), `# Rules\n\n${ruleTable(rules)}\n`);
  return rules.rules.length;
}
