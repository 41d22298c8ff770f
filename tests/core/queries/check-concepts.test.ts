import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { checkConcepts } from "../../../src/core/queries/check-concepts.ts";
import { openWorkspace } from "../../../src/workspace/workspace.ts";
import { conceptFile, type Files, snapshotOf, teaVocabulary } from "../../support/small-vocabulary.ts";

const relation = (type: string, to: string) =>
  `relations: [{ type: ${type}, to: ${to}, source: B1, why: so it is done }]\n`;
const pair: Files = {
  "craft/steep.yaml": conceptFile("steep", relation("complements", "boil")),
  "craft/boil.yaml": conceptFile("boil"),
};
const found = (files: Files, base: Files = teaVocabulary) =>
  checkConcepts(snapshotOf(files, base)).map((it) => `${it.file}:${it.range.start.line + 1} ${it.severity} ${it.code}`);

test("two related, documented concepts have nothing to say of them", () => {
  expect(found(pair)).toEqual([]);
});

describe("a seeded fault is found by name, severity and place", () => {
  test.each<[string, Files, string]>([
    [
      "a name without a language tag",
      { ...pair, "craft/boil.yaml": conceptFile("boil", "names: [{ text: Bouillir, language: French }]\n") },
      "craft/boil.yaml:12 warning tag.missing",
    ],
    [
      "a tag that is none",
      {
        ...pair,
        "craft/boil.yaml": conceptFile("boil", "names: [{ text: Bouillir, language: French, tag: french_FR }]\n"),
      },
      "craft/boil.yaml:12 error tag.invalid",
    ],
    [
      "a label that two concepts carry",
      { ...pair, "craft/boil.yaml": conceptFile("boil", "aliases: [STEEP]\n") },
      "craft/steep.yaml:2 warning label.duplicate",
    ],
    [
      "an alias that is a name already",
      { ...pair, "craft/boil.yaml": conceptFile("boil", "aliases: [BOIL]\n") },
      "craft/boil.yaml:12 warning label.overlapping",
    ],
    [
      "a definition of a few words",
      { ...pair, "craft/boil.yaml": conceptFile("boil", "", { definition: "Hot water." }) },
      "craft/boil.yaml:9 warning concept.undocumented",
    ],
    [
      "a concept without a source",
      { ...pair, "craft/boil.yaml": conceptFile("boil").replace(/^sources:.*$/m, "sources: []") },
      "craft/boil.yaml:1 warning concept.unsourced",
    ],
    [
      "a definition that goes on and on",
      {
        ...pair,
        "craft/boil.yaml": conceptFile("boil", "", { definition: "It is long and says much. ".repeat(10).trim() }),
      },
      "craft/boil.yaml:9 information definition.long",
    ],
    [
      "a concept related to none",
      { ...pair, "craft/alone.yaml": conceptFile("alone") },
      "craft/alone.yaml:1 warning concept.orphan",
    ],
    [
      "a cluster of its own",
      {
        ...pair,
        "craft/pour.yaml": conceptFile("pour", relation("complements", "serve")),
        "craft/serve.yaml": conceptFile("serve"),
        "craft/third.yaml": conceptFile("third", relation("complements", "steep")),
      },
      "craft/pour.yaml:1 warning cluster.disconnected",
    ],
    [
      "a relation that stands twice",
      { ...pair, "craft/boil.yaml": conceptFile("boil", relation("complements", "steep")) },
      "craft/steep.yaml:12 warning relation.redundant",
    ],
    [
      "a second type for a pair",
      { ...pair, "craft/boil.yaml": conceptFile("boil", relation("enables", "steep")) },
      "craft/steep.yaml:12 warning relation.redundant",
    ],
    [
      "a circle of one type, inverse names included",
      {
        "craft/a.yaml": conceptFile("a", relation("enables", "b")),
        "craft/b.yaml": conceptFile("b", relation("enables", "c")),
        "craft/c.yaml": conceptFile("c", relation("enabled-by", "c2")),
        "craft/c2.yaml": conceptFile("c2", relation("complements", "a")),
        "craft/d.yaml": conceptFile(
          "d",
          "relations: [{ type: enables, to: a, source: B1 }, { type: enabled-by, to: c, source: B1, why: so it is done }]\n",
        ),
      },
      "craft/a.yaml:12 warning relation.cycle",
    ],
    [
      "a definition that starts with its term",
      {
        ...pair,
        "craft/boil.yaml": conceptFile("boil", "", {
          definition: "A boil is what water does when it is hot enough to bubble.",
        }),
      },
      "craft/boil.yaml:9 warning definition.starts-with-term",
    ],
    [
      "two definitions by each other",
      {
        "craft/steep.yaml": conceptFile("steep", relation("complements", "boil"), {
          definition: "What one does with leaves right after boil and before the pour.",
        }),
        "craft/boil.yaml": conceptFile("boil", "", {
          definition: "What one does with water right before steep and after the fill.",
        }),
      },
      "craft/steep.yaml:9 warning definition.circular",
    ],
    [
      "a file in the wrong folder",
      { ...pair, "ware/boil.yaml": pair["craft/boil.yaml"]!, "craft/boil.yaml": "" },
      "ware/boil.yaml:1 warning file.misplaced",
    ],
    [
      "a pointer that elaborates",
      {
        ...pair,
        "craft/boil.yaml": conceptFile(
          "boil",
          "tier: pointer\nocap: { relevance: none, access: restricted, status: not-assessed }\n",
          {
            definition: "One sentence is here. Two sentences are here. Three sentences are too many.",
          },
        ),
      },
      "craft/boil.yaml:9 error pointer.elaborated",
    ],
    [
      "a practice of ceremony that is open",
      {
        ...pair,
        "craft/boil.yaml": conceptFile(
          "boil",
          "node_type: practice\nindigenous_connections: { ceremonial: { level: not-for-this-tool } }\n",
        ),
      },
      "craft/boil.yaml:10 warning ceremony.open",
    ],
  ])("%s", (_what, files, expected) => {
    expect(found(files)).toContain(expected);
  });

  test("a relation type that cannot be told from the other side", () => {
    const base = {
      ...teaVocabulary,
      "vocabulary.yaml": teaVocabulary["vocabulary.yaml"]!.replace("id: enables, inverse: enabled-by,", "id: enables,"),
    };
    const files = { ...pair, "craft/steep.yaml": conceptFile("steep", relation("enables", "boil")) };
    expect(found(files, base)).toContain("craft/steep.yaml:12 warning relation.one-way");
  });

  test("a source whose link is none", () => {
    const base = {
      ...teaVocabulary,
      "sources.yaml": 'B1: { citation: "A book", seen: full, url: "not an address" }\n',
    };
    expect(found(pair, base)).toContain("sources.yaml:1 warning source.broken-link");
  });
});

test("the shipped vocabulary has no error, no warning and no remark", async () => {
  const workspace = openWorkspace(join(import.meta.dirname, "../../../concepts"), { log: silentLog, watch: false });
  await workspace.ready;
  expect(workspace.snapshot.problems).toEqual([]);
  expect(checkConcepts(workspace.snapshot)).toEqual([]);
  expect(workspace.snapshot.undisclosed.size).toBeGreaterThanOrEqual(78);
});
