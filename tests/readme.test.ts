import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readmeTables } from "./support/readme-tables.ts";

const path = join(import.meta.dirname, "../README.md");

/** Each generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`. `npm run readme` writes them. */
test("the README's generated tables are those of the sources", async () => {
  const readme = readFileSync(path, "utf8");
  const tables = await readmeTables();
  const names = [...readme.matchAll(/<!-- generated: (\S+) -->/g)].map((it) => it[1]!);
  expect(names.sort()).toEqual([...tables.keys()].sort());
  const fresh = readme.replace(
    /(<!-- generated: (\S+) -->\n)(?:(?!<!-- generated)[\s\S])*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => `${start}${tables.get(name)}\n${end}`,
  );
  if (process.env.IAIP_WRITE_README === "1") writeFileSync(path, fresh);
  else expect(readme).toBe(fresh);
});

test("the README writes OCAP® with its mark, expands it, and claims no compliance", () => {
  const readme = readFileSync(path, "utf8");
  expect(readme).toContain("The First Nations Principles of OCAP®");
  expect(readme).toContain("not affiliated with, endorsed or certified by FNIGC");
  expect(readme.replace(/`[^`]*`/g, "").replaceAll("OCAP®", "")).not.toMatch(/OCAP/);
  expect(readme).not.toMatch(/OCAP®?[- ]compliant/i);
});
