import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Concept } from "../../src/core/concept/concept.ts";
import { search } from "../../src/core/queries/search.ts";
import { conceptsFolder, openShipped, type Shipped } from "./shipped.ts";

let shipped: Shipped;
let told: readonly Concept[];
beforeAll(async () => {
  shipped = await openShipped();
  told = shipped.concepts.filter((it) => it.tier !== "boundary");
});

const firstSentence = (text: string) => text.split(/(?<=[.!?])\s+(?=["“(]?\p{Lu})/u)[0]!;

describe("definitions", () => {
  test("begin with at most thirty words that say what it is", () => {
    const long = told.flatMap(({ id, definition }) => {
      const words = firstSentence(definition ?? "").split(/\s+/).length;
      return words > 30 ? [`${id}: ${words}`] : [];
    });
    expect(long).toEqual([]);
    const parts = told.filter(({ definition }) =>
      /^(?:the|a|an|one of|another) (?:first|second|third|fourth|last|next|part|step|phase|component|element|chapter)\b/i.test(
        definition ?? "",
      ),
    );
    expect(parts.map((it) => it.id)).toEqual([]);
  });

  test("name nobody by a cut name and carry no mark of another format", () => {
    const odd = told.filter(
      ({ definition }) =>
        /\b\p{Lu}\.$/u.test(firstSentence(definition ?? "")) || /\\_|\*\*|<\/?\w+>/.test(definition ?? ""),
    );
    expect(odd.map((it) => it.id)).toEqual([]);
  });

  test("name languages as languages", () => {
    const odd = shipped.concepts.flatMap(({ id, names }) =>
      names.filter(({ language }) => /[,(]|\bas\b/.test(language)).map(({ language }) => `${id}: ${language}`),
    );
    expect(odd).toEqual([]);
  });
});

describe("relations", () => {
  test("each says why, and who says so", () => {
    const bare = told.flatMap(({ id, relations }) =>
      relations.filter((it) => !it.why || (!it.source && !it.proposed_by)).map((it) => `${id} ${it.type} ${it.to}`),
    );
    expect(bare).toEqual([]);
  });

  test("Structural Tension and Creative Orientation are directly related", () => {
    const { relations } = told.find((it) => it.id === "structural-tension")!;
    expect(relations.map((it) => `${it.type} ${it.to}`)).toContain("enables creative-orientation");
  });

  test("no instrument is said to protect one people's named teaching", () => {
    const teachings = new Set(told.filter((it) => it.family === "teaching").map((it) => it.id));
    const protectedBy = told
      .filter((it) => it.family === "governance")
      .flatMap(({ id, relations }) =>
        relations.filter((it) => it.type === "protects" && teachings.has(it.to)).map((it) => `${id} ${it.to}`),
      );
    expect(protectedBy).toEqual([]);
  });
});

test("each facet is filled, or says why it is empty", () => {
  const silent = told.flatMap(({ id, indigenous_connections: facets }) =>
    (["two_eyed_seeing", "polycentric", "relational"] as const)
      .filter((it) => (facets[it] === null) !== (facets.empty[it] !== undefined))
      .map((it) => `${id}: ${it}`)
      .concat(
        (facets.ceremonial.note === null) === (facets.empty.ceremonial !== undefined) ? [] : [`${id}: ceremonial`],
      ),
  );
  expect(silent).toEqual([]);
});

test("each full card has an example", () => {
  expect(told.filter((it) => it.tier === "full" && it.examples.length === 0).map((it) => it.id)).toEqual([]);
});

test.each([
  ["AI development", ["indigenous-protocol-and-ai", "ocap", "structural-tension", "creative-orientation"]],
  ["ceremony", ["ceremony", "smudging", "talking-circle", "protocol"]],
  ["framework design", ["creative-orientation", "structural-tension", "two-eyed-seeing", "ethical-space"]],
])("the usage context %s finds what a person expects", (usageContext, expected) => {
  const missed = expected.filter((id) => {
    const { name } = told.find((it) => it.id === id)!;
    return !search(shipped.view, { query: name, usageContext }).results.some((it) => it.concept.concept.id === id);
  });
  expect(missed).toEqual([]);
});

describe("sources", () => {
  test("each is used", () => {
    const terminology = readFileSync(join(conceptsFolder, "terminology.yaml"), "utf8");
    const used = new Set([
      ...shipped.concepts.flatMap((it) => [
        ...it.sources.map(({ key }) => key),
        ...it.relations.flatMap(({ source }) => source ?? []),
        ...it.terminology.map(({ source }) => source.key),
      ]),
      ...[...terminology.matchAll(/key: (\w+)/g)].map(([, key]) => key!),
    ]);
    // What only rules of wording cite (T…) comes and goes with them.
    expect(Object.keys(shipped.snapshot.sources).filter((it) => !used.has(it) && !it.startsWith("T"))).toEqual([]);
  });

  test("each has an address, or says in words why not", () => {
    const silent = Object.entries(shipped.snapshot.sources).filter(
      ([, { url, doi, note }]) => url === undefined && doi === undefined && !/address/.test(note ?? ""),
    );
    expect(silent.map(([key]) => key)).toEqual([]);
  });

  test("an address that is a site's root says that it is no more", () => {
    const roots = Object.entries(shipped.snapshot.sources).filter(
      ([, { url, note }]) => url !== undefined && /^https?:\/\/[^/]+\/?$/.test(url) && !/site/.test(note ?? ""),
    );
    expect(roots.map(([key]) => key)).toEqual([]);
  });
});
