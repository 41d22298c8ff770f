import { describe, expect, it } from "vitest";
import { readTerminology } from "../../src/core/terms/read-terminology.ts";
import { packagedRules, read } from "./rule-set.ts";

const flagged = (text: string): readonly string[] => read(text).findings.map((finding) => finding.text);
const exempted = (text: string): readonly string[] => read(text).exempt.map((it) => it.reason);

describe("regions of Markdown", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["headings", "# My spirit animal\n", ["spirit animal"]],
    ["setext headings", "My spirit animal\n===\n", ["spirit animal"]],
    ["nested items", "- a\n  - my spirit animal\n", ["spirit animal"]],
    ["tasks", "- [x] my spirit animal\n", ["spirit animal"]],
    ["cells", "| a |\n|---|\n| my spirit animal |\n", ["spirit animal"]],
    ["footnotes", "Text[^1].\n\n[^1]: My spirit animal.\n", ["spirit animal"]],
    ["link texts", "[my spirit animal](https://example.org/spirit-animal)\n", ["spirit animal"]],
    ["descriptions of images", "![my spirit animal](a.png)\n", ["spirit animal"]],
    ["soft line breaks", "my spirit\nanimal\n", ["spirit\nanimal"]],
    ["soft breaks in items", "- my spirit\n  animal\n", ["spirit\n  animal"]],
    ["hard line breaks", "my spirit  \nanimal\n", ["spirit  \nanimal"]],
    ["CRLF", "my spirit\r\nanimal\r\n", ["spirit\r\nanimal"]],
    ["strong and emphasized words", "my **spirit** *animal*\n", ["spirit** *animal"]],
    ["struck words", "my ~~old~~ spirit animal\n", ["spirit animal"]],
    ["non-breaking spaces", "my spirit\u00a0animal\n", ["spirit\u00a0animal"]],
    ["hyphens of every kind", "my spirit\u2011animal\n", ["spirit\u2011animal"]],
    ["HTML blocks", "<div>\nmy spirit animal\n</div>\n", ["spirit animal"]],
    ["inline HTML", "my <b>spirit</b> animal\n", ["spirit</b> animal"]],
    ["entities", "Canada&#39;s First Nations\n", ["Canada&#39;s First Nations"]],
    ["possessives", "my spirit animal's name\n", ["spirit animal's"]],
    ["capitals", "MY SPIRIT ANIMAL\n", ["SPIRIT ANIMAL"]],
  ];
  for (const [name, text, expected] of cases) {
    it(`are read: ${name}`, () => {
      expect(flagged(text)).toEqual(expected);
    });
  }

  const silent: readonly (readonly [string, string, string])[] = [
    ["inline code", "`my spirit animal`\n", "code"],
    ["fenced code", "```\nmy spirit animal\n```\n", "code"],
    ["indented code", "    my spirit animal\n", "code"],
    ["code in HTML", "<code>my spirit animal</code> and <pre>my spirit animal</pre>\n", "code"],
    ["HTML comments", "<!-- my spirit animal -->\n", "an HTML comment"],
    ["front matter", "---\nlayout: my spirit animal\n---\n", "front matter"],
    ["block quotations", "> my spirit animal\n", "a block quotation"],
    ["quotations", "He said “my spirit animal” twice.\n", "a quotation"],
    ["single quotations", "He said ‘my spirit animal’ twice.\n", "a quotation"],
    [
      "guillemets",
      "Il dit « my spirit animal » ici.\n The rest of it is in the other language and they wrote it that way.",
      "a quotation",
    ],
    ["titles", "*My Spirit Animal and Me* is a book.\n", "a title"],
    ["what is taught", "Never say spirit animal.\n", "the text speaks about the wording"],
    ["arrows", "spirit animal → favorite\n", "the text speaks about the wording"],
  ];
  for (const [name, text, reason] of silent) {
    it(`are left out, with the reason: ${name}`, () => {
      expect(flagged(text)).toEqual([]);
      expect(exempted(text)).toContain(reason);
    });
  }

  it("addresses are not read at all", () => {
    const reading = read(
      "See https://example.org/spirit-animal and <https://example.org/spirit-animal> [a](x/spirit-animal).\n",
    );
    expect(reading.findings).toEqual([]);
  });
});

describe("strictness", () => {
  const text = "Our goal: steps to bridge the gap to the vision. Coffee is my spirit animal.";

  it("gentle says what standard says, each as a hint", () => {
    const gentle = read(text, { strictness: "gentle" }).findings;
    const standard = read(text).findings;
    expect(gentle).toEqual(standard.map((finding) => ({ ...finding, severity: "hint" })));
    expect(standard.map((finding) => finding.severity)).toEqual(["information", "error"]);
  });

  it("strict adds to standard and takes nothing away", () => {
    const strict = read(text, { strictness: "strict" }).findings;
    for (const finding of read(text).findings) expect(strict).toContainEqual(finding);
    expect(strict.map((finding) => finding.rule)).toContain("language.unaligned");
  });

  it("does not change the coherence score", () => {
    const scores = (["gentle", "standard", "strict"] as const).map(
      (strictness) => read(text, { strictness }).coherence,
    );
    expect(new Set(scores.map((score) => JSON.stringify(score))).size).toBe(1);
  });
});

describe("the coherence score", () => {
  it("follows the formula of the contract", () => {
    expect(read("Coffee is my spirit animal today.").coherence.score).toBe(0.5);
    expect(read("Coffee is my favorite today, friends.").coherence.score).toBe(1);
    const long = `Coffee is my spirit animal. ${"Plain words stand here now. ".repeat(79)}`;
    expect(read(long).coherence.score).toBe(0.8);
  });

  it("is absent under five words", () => {
    expect(read("My spirit animal.").coherence.score).toBeNull();
    expect(read("").coherence.score).toBeNull();
  });

  it("gives language.unaligned no weight", () => {
    expect(read("Our goal is a warm hall for all.", { strictness: "strict" }).coherence.score).toBe(1);
  });
});

describe("suppressions", () => {
  const phrase = "Coffee is my spirit animal.";

  it("silence a region, a line, the next line, one rule or all", () => {
    expect(flagged(`<!-- iaip-dsl-disable -->\n\n${phrase}\n\n<!-- iaip-dsl-enable -->\n\n${phrase}\n`)).toHaveLength(
      1,
    );
    expect(flagged(`<!-- iaip-dsl-disable borrowed.spirit-animal -->\n\n${phrase}\n`)).toEqual([]);
    expect(flagged(`<!-- iaip-dsl-disable gap.bridged -->\n\n${phrase}\n`)).toHaveLength(1);
    expect(
      flagged(`<!-- iaip-dsl-disable-next-line borrowed.spirit-animal -- as he said -->\n${phrase}\n\n${phrase}\n`),
    ).toHaveLength(1);
    expect(flagged(`${phrase} <!-- iaip-dsl-disable-line -->\n\n${phrase}\n`)).toHaveLength(1);
  });

  it("may stand in the front matter", () => {
    expect(flagged(`---\niaip-dsl-disable: [borrowed.spirit-animal]\n---\n\n${phrase}\n`)).toEqual([]);
    expect(flagged(`---\nterminology: off\n---\n\n${phrase}\n`)).toEqual([]);
    expect(exempted(`---\nterminology: off\n---\n\n${phrase}\n`)).toEqual(["terminology is off in this document"]);
  });

  it("that silence nothing are reported, each rule on its own", () => {
    const text = `<!-- iaip-dsl-disable borrowed.spirit-animal, gap.bridged -->\n\n${phrase}\n`;
    expect(read(text).unused_suppressions.map((it) => `${it.rule} ${it.line}`)).toEqual(["gap.bridged 1"]);
  });
});

describe("an answer", () => {
  it("is capped, says so, and gives the true counts", () => {
    const reading = read(`${"My spirit animal. ".repeat(300)}\n\n${"Never say spirit animal. ".repeat(150)}`);
    expect([reading.findings.length, reading.findings_total]).toEqual([200, 300]);
    expect([reading.exempt.length, reading.exempt_total]).toEqual([100, 150]);
    expect(reading.truncated).toBe(true);
  });

  it("names the concepts of a text by any name, with their places", () => {
    const text = "Etuaptmumk, or two-eyed seeing, and netukulimk.";
    const { concepts } = read(text);
    expect(concepts.map((it) => [it.id, it.occurrences.map((place) => place.text)])).toEqual([
      ["two-eyed-seeing", ["Etuaptmumk", "two-eyed seeing"]],
      ["netukulimk", ["netukulimk"]],
    ]);
  });

  it("carries reason, source and page with every finding", () => {
    const [finding] = read("Coffee is my spirit animal.").findings;
    expect(finding?.reason.length).toBeGreaterThan(20);
    expect(finding?.source).toMatchObject({ key: "T9", standing: "seen" });
    expect(finding?.source.citation.length).toBeGreaterThan(10);
    expect(finding?.docs).toContain("borrowed.spirit-animal");
    expect(finding?.preferred).toEqual(["favorite", "inspiration"]);
  });

  it("never exceeds a hint where the source is unverified", () => {
    for (const { rule, severity } of packagedRules.rules) {
      if (rule.source.standing === "unverified" || rule.strictness === "strict") expect(severity, rule.id).toBe("hint");
    }
  });

  it("leaves out rules that the project switched off, and keeps the others", () => {
    const text = "Indians bridge the gap to the vision.";
    expect(read(text, { overrides: { "people.indian": "off" } }).findings.map((it) => it.rule)).toEqual([
      "gap.bridged",
    ]);
    expect(read(text, { overrides: { "gap.bridged": "error" } }).findings.at(-1)?.severity).toBe("error");
    const off = new Set(["gap.bridged"]);
    expect(readTerminology({ text, strictness: "standard", rules: packagedRules, off }).findings).toHaveLength(1);
  });
});

describe("tables with ragged rows", () => {
  it("are read, empty and missing cells included", () => {
    expect(flagged("| | use |\n|---|---|\n| | a | my spirit animal |\n| my spirit animal |\n")).toEqual([
      "spirit animal",
      "spirit animal",
    ]);
    expect(() => flagged("`| Field | Text |\n| --- | --- |\n| Desired outcome | remove all |\n")).not.toThrow();
  });
});
