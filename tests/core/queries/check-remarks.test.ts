import { describe, expect, test } from "vitest";
import { checkConcepts } from "../../../src/core/queries/check-concepts.ts";
import { conceptFile, type Files, snapshotOf, teaVocabulary } from "../../support/small-vocabulary.ts";

const why = "the book says that one comes before the other";
const sources = (more: string): Files => ({ "sources.yaml": `${teaVocabulary["sources.yaml"]}${more}` });
const steep = conceptFile("steep", `relations: [{ type: complements, to: boil, source: B1, why: ${why} }]\n`);
const pair: Files = { "craft/boil.yaml": conceptFile("boil"), "craft/steep.yaml": steep };

const found = (files: Files) =>
  checkConcepts(snapshotOf({ ...pair, ...files })).map(
    (it) => `${it.file}:${it.range.start.line + 1} ${it.severity} ${it.code}`,
  );
const boil = (more: string, fields: Readonly<Record<string, string>> = {}): Files => ({
  "craft/boil.yaml": conceptFile("boil", more, fields),
});

test("two concepts with nothing amiss are left alone", () => {
  expect(found({})).toEqual([]);
});

describe("a seeded fault is remarked on by name, severity and place", () => {
  test.each<[string, Files, string]>([
    [
      "an alias that is the title of a work",
      boil("aliases: [The Book of Tea Words]\n"),
      "craft/boil.yaml:12 warning alias.borrowed",
    ],
    [
      "an alias that the definition quotes as somebody's words",
      boil("aliases: [song of the kettle]\n", {
        definition: 'What water does on the fire, which the head cook likes to call "the song of the kettle".',
      }),
      "craft/boil.yaml:12 warning alias.borrowed",
    ],
    [
      "an alias that is a plain phrase about a people's things",
      boil("aliases: [Teapot water]\npeoples: [Teapot]\n"),
      "craft/boil.yaml:12 warning alias.borrowed",
    ],
    [
      "a relation without a reason",
      { "craft/steep.yaml": steep.replace(`, why: ${why}`, "") },
      "craft/steep.yaml:12 warning relation.unexplained",
    ],
    [
      "a pointer to nowhere",
      {
        ...sources('B2: { citation: "Somebody once said so", seen: secondary }\n'),
        ...boil("tier: pointer\n", { definition: "What the kitchen calls the moving of hot water." }),
        "craft/boil.yaml": conceptFile("boil", "tier: pointer\n")
          .replace("key: B1, seen: full", "key: B2, seen: secondary")
          .replace("access: open", "access: restricted"),
      },
      "craft/boil.yaml:11 warning pointer.unaddressed",
    ],
    [
      "a source that nobody opened and that does not say so",
      {
        ...sources('B2: { citation: "A book on a shelf", seen: ledger }\n'),
        "craft/boil.yaml": conceptFile("boil").replace("key: B1, seen: full", "key: B2, seen: ledger"),
      },
      "craft/boil.yaml:11 warning source.unopened",
    ],
    [
      "a first sentence that nobody reads to its end",
      boil("", { definition: `What cooks do with water ${"and then with more of it ".repeat(6)}until it moves.` }),
      "craft/boil.yaml:9 warning definition.first-sentence",
    ],
    [
      "a first sentence that says only what it is a part of",
      boil("", { definition: "The last part of the making of tea, when the water is hot enough to move." }),
      "craft/boil.yaml:9 warning definition.first-sentence",
    ],
    [
      "a fact that is said twice",
      boil(
        "indigenous_connections: { relational: Ask the head cook before you touch the big kettle on the fire. }\nexamples: [Ask the head cook before you touch the big kettle on the fire.]\n",
      ),
      "craft/boil.yaml:13 warning fact.repeated",
    ],
  ])("%s", (_what, files, expected) => {
    expect(found(files)).toContain(expected);
  });
});

describe("what is right is left alone", () => {
  test.each<[string, Files]>([
    ["a name of its own as an alias", boil("aliases: [rolling boil]\n")],
    ["another's words as a name for search", boil("search_names: [The Book of Tea Words]\n")],
    [
      "an unopened source that says how it is known",
      {
        ...sources('B2: { citation: "A book on a shelf", seen: ledger, note: "Known from its back cover." }\n'),
        "craft/boil.yaml": conceptFile("boil").replace("key: B1, seen: full", "key: B2, seen: ledger"),
      },
    ],
    [
      "initials and titles in a first sentence",
      boil("", { definition: "What Dr. Verna J. Kettle (b. 1950) calls the moment when the water moves by itself." }),
    ],
  ])("%s", (_what, files) => {
    expect(found(files)).toEqual([]);
  });
});
