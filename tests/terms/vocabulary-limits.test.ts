import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseFile } from "../../src/core/concept/parse-file.ts";
import { maxPatternSize, vocabularyLimits } from "../../src/core/concept/vocabulary-limits.ts";
import { rulesOf } from "../../src/core/queries/read-in-view.ts";
import { buildSnapshot, type Snapshot } from "../../src/core/snapshot/snapshot.ts";
import { readTerminology } from "../../src/core/terms/read-terminology.ts";
import { everyRule, packagedView } from "./rule-set.ts";

const snapshotOf = (terminology: object): Snapshot =>
  buildSnapshot([parseFile("terminology.yaml", stringify(terminology))], { sequence: 1 });

const rule = (id: string, phrases: readonly string[]): object => ({
  id: `${id}.hostile`,
  title: "Hostile",
  severity: "warning",
  phrases,
  reason: "A test.",
  source: { key: "unverified", standing: "unverified" },
  examples: { flags: ["a"], passes: ["b"] },
});

const oversized = (snapshot: Snapshot) => snapshot.problems.filter((it) => it.code.endsWith(".oversized"));

describe("a vocabulary whose phrases can be read in too many ways", () => {
  it("leaves out the rules beyond the limit, with a problem at the place of each", () => {
    const optional = Array.from({ length: 11 }, (_, at) => `(word${at})`).join(" ");
    const rules = Array.from({ length: 40 }, (_, at) =>
      rule(
        `r${at}`,
        at === 0 ? ["plain"] : Array.from({ length: 60 }, (__, phrase) => `begin${at}x${phrase} ${optional}`),
      ),
    );
    const snapshot = snapshotOf({ rules });
    const found = oversized(snapshot);
    expect(found.map((it) => it.code)).toEqual(Array.from({ length: 39 }, () => "rule.oversized"));
    expect(new Set(found.map((it) => it.range.start.line)).size).toBe(39);
    expect(found[0]?.message).toContain("r1.hostile");
    const compiled = rulesOf(snapshot.viewFor({ protocols: new Set() }));
    expect(compiled.rules.map((it) => it.rule.id)).toEqual(["r0.hostile"]);
  });

  it("has five times the room that the packaged vocabulary takes", () => {
    const limits = vocabularyLimits(maxPatternSize / 5);
    expect([...limits.sets(packagedView.terminology.sets)]).toEqual([]);
    expect(everyRule.map((it) => limits.rule(it)).filter((it) => it !== undefined)).toEqual([]);
  });
});

describe("sets that name sets", () => {
  const chain = (length: number): Record<string, string[]> => ({
    ...Object.fromEntries(Array.from({ length }, (_, at) => [`s${at}`, [at % 2 ? `@s${at + 1}` : `also|@s${at + 1}`]])),
    [`s${length}`]: ["word"],
  });

  it("in a row are followed as far as the limit", () => {
    const snapshot = snapshotOf({ sets: chain(20), rules: [rule("a", ["@s0"])] });
    expect(oversized(snapshot)).toEqual([]);
    const rules = rulesOf(snapshot.viewFor({ protocols: new Set() }));
    expect(readTerminology({ text: "A word here.", strictness: "strict", rules }).findings_total).toBe(1);
  });

  it.each([2000])("%i in a row are problems at their places and are left out", (length) => {
    const snapshot = snapshotOf({ sets: chain(length), rules: [rule("a", ["@s0", `@s${length - 5}`])] });
    const found = oversized(snapshot);
    expect(found).toHaveLength(100);
    expect(found[0]).toMatchObject({
      code: "set.oversized",
      message: expect.stringContaining("in a row or in a circle"),
    });
    const rules = rulesOf(snapshot.viewFor({ protocols: new Set() }));
    expect(readTerminology({ text: "A word here.", strictness: "strict", rules }).findings_total).toBe(1);
  });

  it("in a circle are problems too", () => {
    const snapshot = snapshotOf({ sets: { a: ["@b"], b: ["word|@a"] } });
    expect(oversized(snapshot).map((it) => it.code)).toEqual(["set.oversized", "set.oversized"]);
  });

  it("by doubling are problems where their entries grow too many", () => {
    const sets = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [`s${at}`, at === 0 ? ["word"] : [`@s${at - 1}`, `@s${at - 1}`]]),
    );
    expect(oversized(snapshotOf({ sets })).length).toBeGreaterThan(5);
  });
});
