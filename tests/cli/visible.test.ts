import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleLine, visibleText } from "../../src/base/visible-text.ts";
import { conceptFile, teaVocabulary } from "../support/small-vocabulary.ts";
import { commandLine } from "./support.ts";

const line = commandLine();
/** What steers a terminal, a carriage return among it; and the marks that reorder a line. */
const steering = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const escaping = "\u001b[31m";

test("text made visible holds nothing that steers a terminal, and JSON stays what it says", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visibleText(text)).not.toMatch(steering);
      expect(visibleLine(text)).not.toMatch(/[\t\n]/);
      expect(JSON.parse(visibleText(JSON.stringify({ text })))).toEqual({ text });
    }),
  );
});

test.each([
  [["concepts", "list"]],
  [["concepts", "list", "--json"]],
  [["concepts", "check"]],
  [["concepts", "check", "--format", "json"]],
  [["concepts", "check", "--format", "sarif"]],
  [["call", "iaip_concept_lookup", '{"concept":"steep"}']],
  [["call", "iaip_concept_lookup", '{"concept":"steep"}', "--json"]],
  [["call", "iaip_concept_lookup", `{"concept":"st\u009b31meep"}`]],
  [["call", `iaip_${escaping}`]],
  [["call", "--stream"]],
  [["explain"]],
  [["explain", "steep.hasty"]],
  [["explain", `steep.${escaping}`]],
  [["check", "."]],
  [["check", ".", "--format", "json"]],
  [["check", ".", "--format", "sarif"]],
  [["check", ".", "--format", "github"]],
  [["check", ".", "--format", "checkstyle"]],
  [["check", `no${escaping}where.md`]],
  [["check", "--stdin-filename", `a${escaping}.zz`]],
  [["history", "steep"]],
  [["ledger", "summary"]],
  [["ledger", "received", `x${escaping}`]],
  [["token", "list", "--token-file", `t${escaping}.json`]],
  [["gateway", "--config", `g${escaping}.yaml`]],
  [["serve", "--mcp", `x${escaping}`]],
  [[`${escaping}`]],
])("nothing that %j prints steers a terminal", async (args) => {
  const evil = "\u001b]0;owned\u0007\u009b31m\u202e";
  const quoted = JSON.stringify(`Steep ${evil}`);
  const rule = `terminology:\n  - { id: steep.hasty, title: ${quoted}, severity: warning, phrases: [hasty], reason: ${quoted}, source: { key: B1, standing: seen }, examples: { flags: [hasty], passes: [slow] } }\n`;
  for (const [file, text] of Object.entries(teaVocabulary)) line.put(`words/${file}`, text);
  line.put("words/craft/steep.yaml", `${conceptFile("steep", `aliases: [${quoted}]\nwrong${evil}: 1\n`)}`);
  line.put("words/craft/other.yaml", conceptFile("other", rule, { name: quoted, holder: quoted, by_line: quoted }));
  line.put(`words/craft/ev${evil.replaceAll("/", "")}il.yaml`, "id: [\n");
  line.put(`text${escaping}.md`, `Too hasty ${evil}.\n`);
  line.put(`text${escaping}.zz`, "x");
  line.put(".iaip-dsl.yaml", `concepts: words\n"st${"\\u001b"}[31m": 1\n`);
  const { stdout, stderr } = await line.cli(args, {
    stdin: `{"tool":"iaip_concept_lookup","arguments":{"concept":"steep"}}\n`,
    isTerminal: args[0] !== "check" || args.includes("--format"),
    env: { NO_COLOR: "1" },
  });
  expect(stdout + stderr).not.toMatch(steering);
});

test("a file name with a line break is one line, so that it cannot speak to a workflow", async () => {
  line.put("a\n::error x.md", "My spirit animal is the sloth.\n");
  const { stdout } = await line.cli(["check", "."]);
  expect(stdout).toContain("spirit animal");
  expect(stdout).not.toMatch(/^::error/m);
});

test("a colored report keeps its own colors and no others", async () => {
  line.put(`a${escaping}.md`, "My spirit animal \u001b[5m.\n");
  const { stdout } = await line.cli(["check", "."], { isTerminal: true });
  expect(stdout).toContain("\u001b[31m");
  const own = [31, 33, 36, 90, 4, 0].map((code) => `\u001b[${code}m`);
  expect(own.reduce((text, color) => text.replaceAll(color, ""), stdout)).not.toMatch(steering);
  expect(stdout).toContain("a\\u001b[31m.md");
});

test("commands write to stdout through the printing functions, protocols to their own streams", () => {
  const folder = join(import.meta.dirname, "../../src/cli");
  const writers = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /\bstdout\.write\(/.test(readFileSync(join(folder, file), "utf8")));
  expect(writers.sort()).toEqual(["kit/io.ts", "program.ts"]);
});
