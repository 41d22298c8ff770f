import { expect, test } from "vitest";
import { conceptFile, teaVocabulary } from "../support/small-vocabulary.ts";
import { commandLine } from "./support.ts";

const line = commandLine();

/** Strongest first. */
const sources = ["flag", "environment", "user", "project"] as const;

/** A vocabulary whose one concept and one rule say who named it. */
function vocabulary(name: string): void {
  for (const [file, text] of Object.entries(teaVocabulary)) line.put(`words-${name}/${file}`, text);
  line.put(`words-${name}/craft/of-${name}.yaml`, conceptFile(`of-${name}`));
  line.put(
    `words-${name}/terminology.yaml`,
    `rules:\n  - { id: of.${name}, title: t, severity: error, phrases: [hasty tea], reason: r, source: { key: B1, standing: seen }, examples: { flags: [hasty tea], passes: [slow tea] } }\n`,
  );
}

test.each([
  [["concepts", "list"]],
  [["concepts", "list", "--json"]],
  [["concepts", "check", "--format", "sarif"]],
  [["explain"]],
  [["check", "a.md"]],
  [["check", "-"]],
  [["call", "iaip_concept_search", "{}", "--ledger", "none"]],
  [["call", "--stream", "--ledger", "none"]],
  [["concepts", "new", "--id", "x", "--name", "X", "--category", "nothing"]],
])("%j takes the vocabulary of the strongest source that names one", async (args) => {
  for (const name of sources) vocabulary(name);
  line.put("a.md", "A hasty tea.\n");
  for (const [strongest, name] of sources.entries()) {
    const named = new Set<string>(sources.slice(strongest));
    const folder = (source: string): string => `${line.folder}/words-${source}`;
    line.put(".config/iaip-dsl/config.yaml", named.has("user") ? `concepts: ${folder("user")}\n` : "");
    line.put(".iaip-dsl.yaml", named.has("project") ? "concepts: words-project\n" : "");
    const flags = named.has("flag") ? ["--concepts", folder("flag")] : [];
    const env: Record<string, string> = named.has("environment") ? { IAIP_DSL_CONCEPTS: folder("environment") } : {};
    const stdin = args.includes("--stream") ? '{"tool":"iaip_concept_search","arguments":{}}\n' : "A hasty tea.\n";
    const { stdout, stderr } = await line.cli([...args, ...flags], { env, stdin });
    const said = stdout + stderr;
    if (args[1] === "new") {
      // What is asked for comes from a vocabulary of tea, whoever named it.
      expect(said).toContain("Craft, Ware");
      continue;
    }
    expect([name, said]).toEqual([name, expect.stringMatching(new RegExp(`\\bof[-.]${name}\\b|words-${name}/`))]);
    for (const other of sources.filter((it) => it !== name))
      expect(said).not.toMatch(new RegExp(`\\bof[-.]${other}\\b|words-${other}/`));
  }
});
