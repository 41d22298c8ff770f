import { expect, test } from "vitest";
import { resolve } from "../../../src/core/queries/resolve.ts";
import { search } from "../../../src/core/queries/search.ts";
import { conceptMarkdown } from "../../../src/core/render/concept-markdown.ts";
import { conceptFile, snapshotOf } from "../../support/small-vocabulary.ts";

const bad = (more: string, fields: Readonly<Record<string, string>> = {}) => conceptFile("bad", more, fields);
const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i));

/** Vocabulary files that nobody writes by accident, and some that people do. */
const kinds: Readonly<Record<string, string>> = {
  "nothing but a key": "id:",
  "a number": "42",
  "a null": "null",
  "an id of another type": bad("").replace("id: bad", "id: 12"),
  "an id that is a path": bad("").replace("id: bad", "id: ../../etc/passwd"),
  "an id that is a prototype": bad("").replace("id: bad", "id: __proto__"),
  "an anchor that holds itself": "id: &a [*a]",
  "an alias bomb": `a: &a [x,x,x,x,x,x,x,x,x]\n${many(20, (i) => `k${i}: &k${i} [*${i === 0 ? "a" : `k${i - 1}`}, *${i === 0 ? "a" : `k${i - 1}`}]`).join("\n")}`,
  "a merge key": `${bad("")}<<: { tier: pointer }\n`,
  "a tag of another language": "id: !!js/function 'function () {}'",
  "a binary tag": "id: !!binary R0lGODlh",
  "a directive": "%YAML 9.9\n---\nid: bad\n",
  "a thousand documents": "---\nid: bad\n".repeat(1_000),
  "ten thousand unknown fields": bad(many(10_000, (i) => `x${i}: 1\n`).join("")),
  "ten thousand relations": bad(
    `relations:\n${many(10_000, (i) => `  - { type: enables, to: c${i}, source: B1 }\n`).join("")}`,
  ),
  "ten thousand aliases": bad(`aliases: [${many(10_000, (i) => `a${i}`).join(", ")}]\n`),
  "ten thousand sources": bad("").replace(
    /^sources:.*$/m,
    `sources: [${many(10_000, (i) => `{ key: K${i}, seen: full }`).join(", ")}]`,
  ),
  "an alias of a hundred thousand words": bad(`aliases: ["${"word ".repeat(100_000)}"]\n`),
  "a name of one letter, very often": bad("", { name: "a".repeat(200_000) }),
  "a definition without a space": bad("", { definition: "x".repeat(500_000) }),
  "a definition of stops": bad("", { definition: ". ".repeat(100_000) }),
  "a definition of quotation marks": bad("", { definition: '"'.repeat(50_000) }),
  "a definition of brackets": bad("", { definition: "[".repeat(100_000) }),
  "a definition of control characters": bad("", { definition: "\u0007\u001b[31m red" }),
  "a definition of lone surrogates": bad("", { definition: "a \ud800 b" }),
  "letters that turn around": bad("", { name: "\u202etxet" }),
  "a relation to itself": bad("relations: [{ type: enables, to: bad, source: B1 }]\n"),
  "a relation of no type": bad("relations: [{ type: '', to: good, source: B1 }]\n"),
  "a replacement by itself": bad("status: deprecated\nreplaced_by: [bad, bad, nobody]\n"),
  "a boundary with everything": bad("tier: boundary\naliases: [good]\nexamples: [one]\n"),
  "a withheld file with faults": bad("existence: withheld\nnonsense: [\n"),
  "windows line ends only": bad("").replaceAll("\n", "\r\n"),
  "old line ends only": bad("").replaceAll("\n", "\r"),
  tabs: bad("\taliases: [x]\n"),
  "a very deep list": bad(`aliases: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n`),
  "a very deep map": bad(`ocap: ${"{a: ".repeat(5_000)}1${"}".repeat(5_000)}\n`),
  "a key of a megabyte": `${"k".repeat(900_000)}: 1\n`,
  "a comment of a megabyte": `# ${"c".repeat(900_000)}\nid: bad\n`,
  "a protocol of no name": bad("governance: { protocols: [''] }\n"),
  "another's id": conceptFile("good"),
};

test.each(Object.entries(kinds))("%s ends as a value or a problem, and the rest is answered", (_kind, text) => {
  const snapshot = snapshotOf({ "craft/bad.yaml": text, "craft/fine.yaml": conceptFile("fine") });
  const view = snapshot.viewFor({ protocols: new Set() });
  const fine = resolve(view, "fine");
  expect(fine.kind).toBe("found");
  expect(search(view, { query: "fine" }).total).toBeGreaterThan(0);
  for (const it of view.concepts.values())
    expect(Buffer.byteLength(conceptMarkdown(view, it))).toBeLessThanOrEqual(8_000);
  expect(snapshot.problems.length).toBeLessThanOrEqual(20_100);
});

test("there are forty kinds of them", () => {
  expect(Object.keys(kinds).length).toBeGreaterThanOrEqual(40);
});
