import { describe, expect, test } from "vitest";
import { checkCeremony } from "../../../src/core/queries/check-ceremony.ts";
import { inDirection } from "../../../src/core/queries/in-direction.ts";
import { neighborhood } from "../../../src/core/queries/neighborhood.ts";
import { relate } from "../../../src/core/queries/relate.ts";
import { nearestNames, resolve } from "../../../src/core/queries/resolve.ts";
import { search } from "../../../src/core/queries/search.ts";
import { sentences } from "../../../src/core/queries/sentences.ts";
import { suggest } from "../../../src/core/queries/suggest.ts";
import { taskTerms } from "../../../src/core/queries/task-terms.ts";
import { conceptFull, conceptLine } from "../../../src/core/render/card.ts";
import { conceptMarkdown } from "../../../src/core/render/concept-markdown.ts";
import { escapeMarkdown } from "../../../src/core/render/markdown.ts";
import { neighborhoodMarkdown } from "../../../src/core/render/neighborhood-markdown.ts";
import { relatingContext } from "../../../src/core/render/relating-markdown.ts";
import { conceptFile, snapshotOf, teaVocabulary } from "../../support/small-vocabulary.ts";

const boundary = `id: fire-rite
name: Fire Rite
names: [{ text: rite of the embers, language: English, tag: en }]
tier: boundary
category: Ware
holder: the keepers of the hearth
`;
const view = snapshotOf({
  "craft/steep.yaml": conceptFile(
    "steep",
    "search_names: [The Art of Waiting]\nusage_tags: [slow mornings]\nusage_contexts: [waiting for the leaves to give what they give]\nrelations:\n  - { type: resonates-with, to: boil, source: B1, why: both need heat }\n  - { type: enables, to: serve, proposed_by: house }\n",
  ),
  "craft/boil.yaml": conceptFile("boil", "relations: [{ type: enables, to: pour, proposed_by: house }]\n"),
  "craft/serve.yaml": conceptFile("serve", "", {
    direction: "middle",
    direction_basis: "functional only, steps-v1: ground",
  }),
  "craft/pour.yaml": conceptFile("pour", "", { direction: "middle", direction_basis: "not-placed" }),
  "ware/fire-rite.yaml": boundary,
  "vocabulary.yaml": `${teaVocabulary["vocabulary.yaml"]}proposers: [{ id: house, name: the House }]\nassociations: [[kettle, boiler]]\n`,
}).viewFor({ protocols: new Set() });
const concept = (id: string) => view.concepts.get(id)!;

describe("resolve", () => {
  test("finds by id, loose name and a name for search alone", () => {
    for (const name of ["steep", "STEEPS", "the art of waiting"])
      expect(resolve(view, name)).toMatchObject({ kind: "found", concept: { concept: { id: "steep" } } });
  });
  test("suggests no boundary for a misspelt name", () => {
    expect(resolve(view, "stepe")).toMatchObject({ kind: "unknown", didYouMean: [{ id: "steep" }] });
    expect(nearestNames(view, "fire rites", 5)).toEqual([]);
  });
});

describe("search", () => {
  const ids = (question: object) => search(view, question).results.map((it) => it.concept.concept.id);
  test("says for each result how it was found", () => {
    const matchedBy = (query: string) => search(view, { query }).results[0]?.matchedBy;
    expect(matchedBy("steep")).toBe("name");
    expect(matchedBy("leaves give")).toBe("all-words");
    expect(matchedBy("leavse")).toBe("corrected");
    expect(matchedBy("wait")).toBe("all-words");
  });
  test("filters by usage sentence and by usage tag", () => {
    expect(ids({ usageContext: "slow mornings" })).toEqual(["steep"]);
    expect(ids({ usageContext: "waiting leaves" })).toEqual(["steep"]);
  });
  test("finds no boundary, by name or by browsing", () => {
    expect(ids({ query: "Fire Rite" })).toEqual([]);
    expect(ids({ category: "Ware" })).toEqual([]);
  });
});

test("a direction lists its own; what is placed in none stands in no center", () => {
  const answer = inDirection(view, "first")!;
  expect(answer.concepts.map((it) => it.concept.id)).toEqual(["boil", "steep"]);
  expect(answer.center.map((it) => it.concept.id)).toEqual(["serve"]);
  expect(concept("pour").concept.direction).toBe("not-placed");
});

test("what only an analogy leads to says so in every ring", () => {
  const answer = neighborhood(view, concept("steep"), 2);
  expect(answer.nodes.map(({ id, byAnalogy }) => [id, byAnalogy])).toEqual([
    ["steep", false],
    ["boil", true],
    ["serve", false],
    ["pour", true],
  ]);
  expect(neighborhoodMarkdown(view, answer)).toMatch(
    /2 relations away: Pour \(by analogy\)[\s\S]*placed in none: Pour \(by analogy\)/,
  );
});

test("two concepts are spoken of together, each relation with who says so and why", () => {
  const answer = relate(view, concept("steep"), concept("boil"), 3);
  expect(relatingContext(view, answer).join(" ")).toContain("not equivalence");
  expect(conceptFull(view, concept("steep")).relations).toMatchObject([
    { to: "serve", proposed_by: "the House", why: null, stored: "forward" },
    { to: "boil", proposed_by: "Brewer", why: "both need heat", source: { key: "B1" }, by_analogy: true },
  ]);
});

test("suggestion reads a task's own words and their associations, and never a boundary", () => {
  expect([...taskTerms(view, "fill the kettle")].map((it) => [...it.stems.keys()].sort())).toContainEqual([
    "boiler",
    "kettl",
  ]);
  expect(suggest(view, "hold a Fire Rite in the morning", 5)).toEqual([]);
});

test("the ceremony check stops at a boundary's names and names whom to ask", () => {
  for (const action of ["hold a Fire Rite", "run a rite of the embers for the team"])
    expect(checkCeremony(view, action)).toMatchObject({
      kind: "stop",
      answer: expect.stringContaining("keepers of the hearth"),
    });
});

test("a boundary is looked up to a name and whom to ask", () => {
  const text = conceptMarkdown(view, concept("fire-rite"), "brief");
  expect(text).toContain("Not told here. Whom to ask: the keepers of the hearth.");
  expect(conceptLine(view, concept("fire-rite"))).toMatchObject({
    tier: "boundary",
    gist: null,
    direction: "not-placed",
  });
});

test.each([
  ["Four words that Verna J. Kirkness wrote. They are hers.", 2],
  ["Eve Tuck with K. Wayne Yang asked it. Then others did.", 2],
  ["Practices, e.g. Stories and songs, differ. Ask.", 2],
  ["Dr. Wilson and St. Thomas agree.", 1],
  ["One? Two! Three", 3],
])("sentences of %j are %i", (text, count) => {
  expect(sentences(text)).toHaveLength(count);
  expect(sentences(text).join(" ")).toBe(text);
});

test("an underscore within a word is shown as written", () => {
  expect(escapeMarkdown("ceremony_required and _this_")).toBe("ceremony_required and \\_this\\_");
});
