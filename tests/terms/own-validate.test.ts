import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Strictness } from "../../src/core/concept/rule.ts";
import type { Finding } from "../../src/core/terms/reading.ts";
import { everyRule, read } from "./rule-set.ts";

interface Case {
  readonly id: string;
  readonly text: string;
  /** The spans a careful editor would mark, in order. */
  readonly expect: readonly string[];
  readonly strictness?: Strictness;
}

const lines = readFileSync(new URL("../eval/own-validate.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const cases = lines.map((line) => JSON.parse(line) as Case);

/** A span is found when a finding covers a quarter of it without being much longer; every other finding is wrong. */
function judge({ id, text, expect: spans, strictness = "standard" }: Case): { missed: string[]; wrong: string[] } {
  const { findings } = read(text, { strictness });
  let from = 0;
  const places = spans.map((span) => {
    const start = text.indexOf(span, from);
    from = start + span.length;
    return { start, end: from };
  });
  const fits = (place: { start: number; end: number }, finding: Finding): boolean =>
    4 * (Math.min(place.end, finding.end) - Math.max(place.start, finding.start)) >= place.end - place.start &&
    finding.end - finding.start <= 3 * (place.end - place.start) + 15;
  return {
    missed: places
      .filter((place) => !findings.some((finding) => fits(place, finding)))
      .map((place) => `${id} ${text.slice(place.start, place.end)}`),
    wrong: findings
      .filter((finding) => !places.some((place) => fits(place, finding)))
      .map((finding) => `${id} ${finding.text} (${finding.rule})`),
  };
}

describe("the labelled cases", () => {
  const results = cases.map(judge);
  const missed = results.flatMap((result) => result.missed);
  const wrong = results.flatMap((result) => result.wrong);
  const spans = cases.reduce((sum, entry) => sum + entry.expect.length, 0);

  it("are at least 200 spans, and about half of the texts are clean", () => {
    expect(spans).toBeGreaterThanOrEqual(200);
    const clean = cases.filter((entry) => entry.expect.length === 0).length;
    expect(clean / cases.length).toBeGreaterThan(0.4);
    expect(new Set(cases.map((entry) => entry.strictness ?? "standard"))).toEqual(
      new Set(["gentle", "standard", "strict"]),
    );
  });

  it("are read with a precision of at least 97 % and a recall of at least 95 %", () => {
    const found = spans - missed.length;
    expect(found / (found + wrong.length), wrong.join("\n")).toBeGreaterThanOrEqual(0.97);
    expect(found / spans, missed.join("\n")).toBeGreaterThanOrEqual(0.95);
  });

  it("let every rule speak at least three times, its page included", () => {
    const texts = [...cases.map((entry) => entry.text), ...everyRule.flatMap((rule) => rule.examples.flags)];
    const spoken = new Map<string, number>();
    for (const text of texts) {
      for (const { rule } of read(text, { strictness: "strict" }).findings) {
        spoken.set(rule, (spoken.get(rule) ?? 0) + 1);
      }
    }
    expect(everyRule.filter((rule) => (spoken.get(rule.id) ?? 0) < 3).map((rule) => rule.id)).toEqual([]);
  });

  it("give findings whose text stands at their offsets, whatever precedes them", () => {
    for (const { text } of cases) {
      for (const prefix of ["", "👩🏽‍🌾 e\u0301\r\n\r\n", "Lone \ud83d half.\n\n"]) {
        const whole = prefix + text;
        for (const finding of read(whole, { strictness: "strict" }).findings) {
          expect(whole.slice(finding.start, finding.end)).toBe(finding.text);
          const line = whole.split(/\r\n|\r|\n/)[finding.line - 1] ?? "";
          expect(line.slice(finding.column - 1).startsWith(finding.text.split(/[\r\n]/)[0] ?? "")).toBe(true);
        }
      }
    }
  });
});
