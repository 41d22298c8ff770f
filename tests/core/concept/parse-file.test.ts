import { describe, expect, test } from "vitest";
import { parseFile } from "../../../src/core/concept/parse-file.ts";
import { conceptFile, snapshotOf } from "../../support/small-vocabulary.ts";

/** Codes and 1-based places of a file's problems. */
function problems(text: string, file = "craft/steep.yaml"): string[] {
  return parseFile(file, text).problems.map(
    (it) => `${it.range.start.line + 1}:${it.range.start.character + 1} ${it.code}`,
  );
}

const good = conceptFile("steep");

describe("one file", () => {
  test.each([
    ["YAML that does not parse", "id: [steep\n", ["2:1 yaml.malformed"]],
    ["a key that stands twice", "id: a\nid: b\n", ["2:1 yaml.duplicate-key"]],
    ["an empty file", "", ["1:1 file.empty"]],
    ["a byte order mark and nothing else", "\uFEFF\n", ["1:1 file.empty"]],
    ["a binary file", "id: a\0b", ["1:1 file.binary"]],
    ["text that is not UTF-8", "id: a\uFFFD", ["1:1 file.binary"]],
    ["tabs as indentation", "id: a\nocap:\n\taccess: open\n", ["3:1 yaml.malformed"]],
    ["a list instead of a concept", "- id: a\n", ["1:1 field.invalid"]],
    ["a bare word", "steep\n", ["1:1 field.invalid"]],
  ])("%s is a problem with a place", (_what, text, expected) => {
    expect(problems(text).slice(0, 1)).toEqual(expected);
  });

  test("a file of 5 MB is a problem, and is not read further", () => {
    expect(problems(`id: steep\n# ${"x".repeat(5_000_000)}`)).toEqual(["1:1 file.too-large"]);
  });

  test("an alias bomb ends as a problem, at once", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 12; i++) {
      const [name, before] = [String.fromCharCode(97 + i), String.fromCharCode(96 + i)];
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`);
    }
    expect(problems(bomb.join("\n"))).toEqual(["1:1 file.unreadable"]);
  });

  test.each([
    ["brackets", "["],
    ["braces", "{a: "],
    ["list marks", "- "],
    ["question marks", "? "],
  ])("%s nested without end are a problem, not a crash", (_what, mark) => {
    expect(problems(mark.repeat(200_000))).toEqual(["1:1 file.unreadable"]);
  });

  test("indentation without end is a problem, not a crash", () => {
    const lines = Array.from({ length: 1_300 }, (_, i) => `${" ".repeat(i)}a:`);
    expect(problems(lines.join("\n"))).toEqual(["1:1 file.unreadable"]);
  });

  test("an unknown field names the nearest known one and its place, and the concept stays", () => {
    const parsed = parseFile("craft/steep.yaml", `${good}usage_context: [morning]\n`);
    expect(parsed.value).toMatchObject({ id: "steep" });
    expect(parsed.problems).toMatchObject([
      {
        code: "field.unknown",
        fix: "usage_contexts",
        message: expect.stringContaining("Did you mean `usage_contexts`?"),
      },
    ]);
    const line = good.split("\n").length - 1;
    expect(parsed.problems[0]!.range.start).toEqual({ line, character: 0 });
  });

  test("an unknown field inside a part is named with the part", () => {
    const text = conceptFile("steep", "ocap: { relevance: none, acces: open, access: open, status: not-assessed }\n");
    expect(parseFile("craft/steep.yaml", text).problems[0]!.message).toBe(
      "There is no field `acces` in `ocap`. Did you mean `access`?",
    );
  });

  test("a wrong type and a missing field say what is taken", () => {
    const wrong = good.replace(/^definition:.*$/m, "definition: [a]");
    expect(parseFile("craft/steep.yaml", wrong).problems[0]!.message).toBe("`definition` is not valid: it takes text.");
    const missing = good.replace(/^definition:.*\n/m, "");
    expect(parseFile("craft/steep.yaml", missing).problems[0]!.message).toContain("The field `definition` is missing");
  });

  test("a status other than not-assessed is refused: software cannot assess it", () => {
    const text = conceptFile("steep", "ocap: { relevance: none, access: open, status: compliant }\n");
    expect(parseFile("craft/steep.yaml", text).problems[0]!.message).toContain("`not-assessed`");
  });

  test("CRLF, a byte order mark and words of other scripts are read as they are", () => {
    const text = `\uFEFF${conceptFile("steep", "aliases: [ᐃᓄᐃᑦ, 茶, Ohén:ton]\n")}`.replace(/\n/g, "\r\n");
    expect(parseFile("craft/steep.yaml", text)).toMatchObject({
      problems: [],
      value: { id: "steep", aliases: ["ᐃᓄᐃᑦ", "茶", "Ohén:ton"] },
    });
  });
});

describe("files together", () => {
  const codes = (files: Record<string, string>) =>
    snapshotOf(files).problems.map((it) => `${it.file}:${it.range.start.line + 1} ${it.code}`);

  test.each([
    [
      "a duplicate id",
      { "craft/a.yaml": good, "craft/b.yaml": good },
      ["craft/a.yaml:1 id.duplicate", "craft/b.yaml:1 id.duplicate"],
    ],
    ["a reserved id", { "craft/a.yaml": conceptFile("registry") }, ["craft/a.yaml:1 id.reserved"]],
    [
      "an unknown category",
      { "craft/a.yaml": conceptFile("a", "", { category: "Crafts" }) },
      ["craft/a.yaml:3 category.unknown"],
    ],
    [
      "an unknown direction",
      { "craft/a.yaml": conceptFile("a", "", { direction: "east" }) },
      ["craft/a.yaml:7 direction.unknown"],
    ],
    [
      "an unknown family",
      { "craft/a.yaml": conceptFile("a", "", { family: "attic" }) },
      ["craft/a.yaml:4 family.unknown"],
    ],
    ["an unknown source", { "craft/a.yaml": good.replace("key: B1", "key: B2") }, ["craft/a.yaml:11 source.unknown"]],
  ])("%s is told and the rest goes on", (_what, files, expected) => {
    const all = { ...files, "ware/pot.yaml": conceptFile("pot", "", { category: "Ware" }) };
    expect(codes(all)).toEqual(expected);
    expect([...snapshotOf(all).undisclosed.keys()]).toContain("pot");
  });

  const relations = (relation: string) => conceptFile("steep", `relations: [${relation}]\n`);
  const pot = { "ware/pot.yaml": conceptFile("pot", "", { category: "Ware", family: "garden" }) };
  test.each([
    ["an unknown relation type", "{ type: ground, to: pot, proposed_by: iaip }", "relation.unknown-type"],
    ["an unknown target", "{ type: enables, to: pott, proposed_by: iaip }", "relation.unknown-target"],
    ["a relation to itself", "{ type: enables, to: steep, proposed_by: iaip }", "relation.to-itself"],
    ["a relation without source or proposer", "{ type: enables, to: pot }", "relation.unsourced"],
    ["a relation with a missing source", "{ type: enables, to: pot, source: B9 }", "source.unknown"],
    ["a relation that a rule forbids", "{ type: grounds, to: pot, source: B1 }", "relation.forbidden"],
    ["the same relation by its inverse", "{ type: has-part, to: pot, source: B1 }", "relation.forbidden"],
  ])("%s is left out and told; the concept stays", (_what, relation, code) => {
    const snapshot = snapshotOf({ "craft/steep.yaml": relations(relation), ...pot });
    expect(snapshot.problems.map((it) => it.code)).toEqual([code]);
    expect(snapshot.undisclosed.get("steep")?.relations).toEqual([]);
  });

  test.each(["constructor", "to-string", "hasownproperty", "valueof"])("the id %s is an id like any other", (id) => {
    const snapshot = snapshotOf({
      "craft/a.yaml": conceptFile(id, "relations: [{ type: enables, to: steep, source: B1 }]\n"),
      "craft/b.yaml": good,
    });
    const { graph } = snapshot.viewFor({ protocols: new Set() });
    expect(graph.edgesOf(id)).toMatchObject([{ from: id, type: "enables", to: "steep" }]);
    expect(graph.edgesOf("steep")).toMatchObject([{ from: "steep", type: "enabled-by", to: id, stored: "inverse" }]);
  });

  test("`__proto__` is no id, and does no harm", () => {
    const snapshot = snapshotOf({ "craft/a.yaml": good.replace("id: steep", "id: __proto__") });
    expect(snapshot.problems.map((it) => it.code)).toEqual(["field.invalid"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a folder without vocabulary.yaml says so", () => {
    expect(snapshotOf({ "craft/a.yaml": good }, {}).problems.map((it) => it.code)).toContain("vocabulary.missing");
  });
});
