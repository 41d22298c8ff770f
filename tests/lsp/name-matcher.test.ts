import fc from "fast-check";
import { expect, test } from "vitest";
import { buildNameMatcher, type NameEntry } from "../../src/core/text/names/name-matcher.ts";
import { looseKey, strictKey, words } from "../../src/core/text/words/words.ts";
import { count } from "../support/counts.ts";

const runs = { numRuns: count(300, 10_000) };

const plainWord = fc.constantFrom(
  "land",
  "water",
  "story",
  "two",
  "eyed",
  "seeing",
  "circle",
  "of",
  "care",
  "co",
  "a",
  "mi'kmaw",
  "nêhiyaw",
  "bias",
);
const separator = fc.constantFrom(" ", " ", " ", "-", ", ", ". ", "\n", "\n\n", "_", " 😀 ");
const prose = fc
  .array(fc.tuple(plainWord, separator), { maxLength: 25 })
  .map((pairs) => pairs.map(([word, gap]) => word + gap).join(""));
const names = fc.uniqueArray(
  fc.array(plainWord, { minLength: 1, maxLength: 3 }).map((list) => list.join(" ")),
  { minLength: 1, maxLength: 12, selector: (name) => looseKey(name) },
);

const entriesOf = (texts: readonly string[]): readonly NameEntry[] =>
  texts.map((text) => ({ id: looseKey(text).replaceAll(" ", "-"), text, kind: "other-language", match: "loose" }));

/** Tries every pair of words as ends: slow and plain. Names here are without endings and without hyphens. */
function naive(texts: readonly string[], text: string): readonly string[] {
  const read = words(text);
  const keys = new Set(texts.map(looseKey));
  const found: string[] = [];
  let at = 0;
  while (at < read.length) {
    let best = -1;
    for (let end = at; end < Math.min(read.length, at + 4); end += 1) {
      const gap = end === at ? " " : text.slice(read[end - 1]?.end, read[end]?.start);
      if (!/^(?: |-|_|\n)$/.test(gap)) break;
      const key = read
        .slice(at, end + 1)
        .map((it) => it.loose)
        .join(" ");
      if (keys.has(key)) best = end;
    }
    if (best < 0) at += 1;
    else {
      found.push(`${read[at]?.start}-${read[best]?.end}`);
      at = best + 1;
    }
  }
  return found;
}

test("the matcher finds what a search over every pair of words finds", () => {
  fc.assert(
    fc.property(names, prose, (texts, text) => {
      const mentions = buildNameMatcher(entriesOf(texts)).find(text);
      expect(mentions.map((it) => `${it.start}-${it.end}`)).toEqual(naive(texts, text));
    }),
    runs,
  );
});

test("the name at an offset is the one that reading the whole text gives there", () => {
  fc.assert(
    fc.property(names, prose, fc.nat(), (texts, text, seed) => {
      const matcher = buildNameMatcher(entriesOf(texts));
      const offset = text.length === 0 ? 0 : seed % (text.length + 1);
      const all = matcher.find(text);
      const expected = all.find((it) => it.start <= offset && offset < it.end) ?? all.find((it) => it.end === offset);
      expect(matcher.at(text, offset)).toEqual(expected);
    }),
    runs,
  );
});

test("every name finds itself, in any case, without marks, and by a whole-string question", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (text) => {
      if (words(text).length === 0) return;
      const matcher = buildNameMatcher([{ id: "x", text, kind: "name", match: "loose" }]);
      expect(matcher.lookup(text).map((it) => it.id)).toEqual(["x"]);
      expect(matcher.lookup(strictKey(text)).map((it) => it.id)).toEqual(["x"]);
    }),
    runs,
  );
});

test("mentions never overlap, stay inside the text and never cut a surrogate pair, whatever the text", () => {
  const matcher = buildNameMatcher(entriesOf(["land", "two eyed seeing", "a"]));
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), prose, (noise, text) => {
      const mixed = `${noise}${text}${noise}`;
      let end = 0;
      for (const mention of matcher.find(mixed)) {
        expect(mention.start).toBeGreaterThanOrEqual(end);
        expect(mention.end).toBeLessThanOrEqual(mixed.length);
        end = mention.end;
      }
    }),
    runs,
  );
});

test("reading time grows with the text, not with the names, and no text is slow", () => {
  const plenty = Array.from({ length: 20_000 }, (_, index) => `land${index % 97} of water${index}`);
  const matcher = buildNameMatcher(entriesOf(plenty));
  const hostile = [
    "aB".repeat(200_000),
    "a'".repeat(200_000),
    "a-".repeat(200_000),
    "a\n".repeat(200_000),
    "́".repeat(200_000),
    "\ud800".repeat(200_000),
    "land ".repeat(80_000),
  ];
  for (const text of hostile) {
    const began = performance.now();
    matcher.find(text);
    matcher.at(text, 100_000);
    expect(performance.now() - began).toBeLessThan(4000);
  }
});
