import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePattern } from "../../src/core/concept/pattern.ts";
import type { Rule, Strictness } from "../../src/core/concept/rule.ts";
import { compileRules } from "../../src/core/terms/compile-rules.ts";
import { readTerminology } from "../../src/core/terms/read-terminology.ts";
import type { Reading } from "../../src/core/terms/reading.ts";
import { everyRule, read } from "./rule-set.ts";

const isLong = process.env.IAIP_LONG === "1";

function expectSound(text: string, reading: Reading): void {
  for (const it of [...reading.findings, ...reading.exempt]) {
    expect(it.start).toBeGreaterThanOrEqual(0);
    expect(it.end).toBeGreaterThan(it.start);
    expect(it.end).toBeLessThanOrEqual(text.length);
    expect(it.line).toBeGreaterThanOrEqual(1);
    expect(it.column).toBeGreaterThanOrEqual(1);
  }
  for (const it of reading.findings) expect(text.slice(it.start, it.end)).toBe(it.text);
  for (const { occurrences } of reading.concepts) {
    for (const it of occurrences) expect(text.slice(it.start, it.end)).toBe(it.text);
  }
  const { score } = reading.coherence;
  if (score !== null) expect(score >= 0 && score <= 1).toBe(true);
}

/** Three to four edits a run: a million edits in 300,000 runs. */
describe("random edits of the labelled cases", () => {
  const lines = readFileSync(new URL("../eval/own-validate.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const texts = lines.map((line) => (JSON.parse(line) as { text: string }).text);
  const scraps = [
    "`",
    "```\n",
    "*",
    "**",
    "> ",
    "\n\n",
    "\r\n",
    "| ",
    "- ",
    "# ",
    '"',
    "“",
    "’",
    "'",
    "->",
    "®",
    "\u0301",
    "\ud83d",
    "\udc00",
    "\0",
    "😀",
    "[",
    "](",
    "<!--",
    "-->",
    "<b>",
    "---\n",
    "not ",
    "Indian ",
    " the gap",
    "{",
    ":",
  ];
  const edit = fc.record({
    text: fc.constantFrom(...texts),
    other: fc.constantFrom(...texts),
    edits: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.nat(6),
        put: fc.oneof(fc.constantFrom(...scraps), fc.string({ unit: "binary", maxLength: 3 })),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    format: fc.constantFrom("markdown", "plaintext", "html", "restructuredtext", "asciidoc", "mdx"),
    strictness: fc.constantFrom<Strictness[]>("gentle", "standard", "strict"),
  });

  it("never break the reader or its offsets, and give the same answer whatever was read before", {
    timeout: 3_600_000,
  }, () => {
    fc.assert(
      fc.property(edit, ({ text, other, edits, format, strictness }) => {
        let edited = text;
        for (const { at, cut, put } of edits) {
          const from = Math.floor(at * edited.length);
          edited = edited.slice(0, from) + put + edited.slice(from + cut);
        }
        const reading = read(edited, { format, strictness });
        expectSound(edited, reading);
        read(other, { format });
        expect(read(edited, { format, strictness })).toEqual(reading);
      }),
      { numRuns: isLong ? 300_000 : 800 },
    );
  });
});

/** The least CPU time of three readings, in milliseconds. */
function cost(text: string, format = "markdown"): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const start = process.cpuUsage();
    expectSound(text, read(text, { format, strictness: "strict" }));
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

describe("hostile text", () => {
  const size = isLong ? 1_000_000 : 60_000;
  const fill = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const texts: readonly (readonly [string, (length: number) => string])[] = [
    ["one word", fill("gap ")],
    ["one long word", fill("a")],
    ["one flagged phrase", fill("close the gap ")],
    ["sentences of a name", fill("The Indians believed. ")],
    ["stars", fill("*")],
    ["stars and words", fill("*a* ")],
    ["underscores", fill("_a")],
    ["nested block quotes", fill("> ")],
    ["nested quotation marks", fill('"“‘')],
    ["apostrophes", fill("'a ")],
    ["brackets", fill("[")],
    ["links", fill("[a](")],
    ["combining marks", fill("e\u0301\u0301\u0301")],
    ["lone surrogates", fill("\ud83d")],
    ["NUL", fill("\0")],
    ["backticks", fill("`a")],
    ["tables", fill("| a | b |\n")],
    ["angle brackets", fill("<a ")],
    ["comments", fill("<!-- a ")],
    ["labels", fill("Desired outcome: reduce. ")],
    ["negations", fill("not ")],
    ["arrows", fill("gap -> ")],
    ["lists", fill("- a\n")],
    [
      "deeper lists",
      (length) =>
        Array.from({ length: Math.floor(Math.sqrt(length)) }, (_, depth) => `${"  ".repeat(depth % 200)}- gap`).join(
          "\n",
        ),
    ],
    ["capitals", fill("The Great ")],
    ["directives", fill("<!-- iaip-dsl-disable gap.bridged -->\n\n")],
  ];
  for (const [name, make] of texts) {
    it(`${name} ends in time that grows with the text`, { timeout: 300_000 }, () => {
      cost(make(size / 8));
      const small = cost(make(size / 4));
      const large = cost(make(size));
      expect(large, `${small} ms for a quarter, ${large} ms for all`).toBeLessThan(10 * small + 150);
    });
  }
  for (const format of ["plaintext", "html", "restructuredtext", "asciidoc", "mdx"]) {
    it(`${format} is read in time that grows with the text`, { timeout: 300_000 }, () => {
      for (const unit of [
        "gap ",
        "`a ",
        "*a",
        "_a ",
        "|a",
        "<a",
        ":a:`",
        "a::\n",
        "[a](",
        "{a",
        "== a\n",
        ".. a\n",
        " a\n\n",
      ]) {
        const make = fill(unit);
        cost(make(size / 8), format);
        const small = cost(make(size / 8), format);
        const large = cost(make(size / 2), format);
        expect(large, `${JSON.stringify(unit)}: ${small} ms for a quarter, ${large} ms`).toBeLessThan(10 * small + 150);
      }
    });
  }
});

describe("the number of rules", () => {
  const words = Array.from({ length: 40_000 }, (_, index) => `w${index.toString(36)}x`);
  const template = everyRule[0] as Rule;
  const rulesOf = (count: number) =>
    compileRules(
      {},
      Array.from({ length: count }, (_, index) => ({
        rule: {
          ...template,
          id: `made.r${index}`,
          phrases: [`${words[index]} ${words[index + 1]}`, `{${words[index]}} ...2 ${words[index + 7]}`],
          readings: [],
          unless: [],
          never: [`${words[index]} ${words[index + 9]}`],
        },
      })),
    );
  it("costs nothing where they do not match: ten thousand take little more time than a hundred", {
    timeout: 120_000,
  }, () => {
    const text = Array.from({ length: 60_000 }, (_, index) =>
      index % 17 === 0 ? words[index % 90] : `plain${index % 500}`,
    )
      .join(" ")
      .replace(/((?:\S+ ){12})/g, "$1.\n\n");
    const [few, many] = [rulesOf(100), rulesOf(10_000)];
    const time = (rules: typeof few): number => {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 7; round += 1) {
        const start = process.cpuUsage();
        readTerminology({ text, strictness: "standard", rules });
        const used = process.cpuUsage(start);
        best = Math.min(best, (used.user + used.system) / 1000);
      }
      return best;
    };
    time(few);
    time(many);
    expect(time(many) / time(few)).toBeLessThan(1.3);
  });
});

describe("a pattern", () => {
  it("without a word, or with a stray bracket, is refused in a sentence", () => {
    expect(() => parsePattern("...")).toThrow(/holds no word/);
    expect(() => parsePattern("a (b c")).toThrow(/stray bracket/);
  });
});
