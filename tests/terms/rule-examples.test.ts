import { describe, expect, it } from "vitest";
import { everyRule, packagedRules, packagedView, read } from "./rule-set.ts";

describe("the packaged rules", () => {
  it("can all be read, and name sources of the bibliography", () => {
    expect(packagedRules.faults).toEqual([]);
    const keys = new Set([...Object.keys(packagedView.sources), "unverified"]);
    expect(everyRule.filter((rule) => !keys.has(rule.source.key)).map((rule) => rule.id)).toEqual([]);
  });

  for (const rule of everyRule) {
    it(`${rule.id} speaks where its page says so`, () => {
      for (const example of rule.examples.flags) {
        const found = read(example, { strictness: rule.strictness }).findings.map((finding) => finding.rule);
        expect(found, example).toContain(rule.id);
      }
    });

    it(`${rule.id} is silent where its page says so`, () => {
      for (const example of rule.examples.passes) {
        const found = read(example, { strictness: "standard" }).findings;
        expect(
          found.map((finding) => `${finding.rule} ${finding.text}`),
          example,
        ).toEqual([]);
        const strict = read(example, { strictness: "strict" }).findings.filter((finding) => finding.rule === rule.id);
        expect(rule.strictness === "strict" ? strict : [], example).toEqual([]);
      }
    });
  }
});
