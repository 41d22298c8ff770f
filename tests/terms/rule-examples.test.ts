import { describe, expect, it } from "vitest";
import { packagedRules, read, terminology } from "./rule-set.ts";

describe("the packaged rules", () => {
  it("can all be read", () => {
    expect(packagedRules.faults).toEqual([]);
  });

  for (const rule of terminology.rules) {
    it(`${rule.id} speaks where its page says so`, () => {
      for (const example of rule.examples.flags) {
        const found = read(example, {
          strictness: rule.strictness,
        }).findings.map((finding) => finding.rule);
        expect(found, example).toContain(rule.id);
      }
    });

    it(`${rule.id} is silent where its page says so`, () => {
      for (const example of rule.examples.passes) {
        const found = read(example, { strictness: rule.strictness }).findings;
        expect(
          found.map((finding) => `${finding.rule} ${finding.text}`),
          example,
        ).toEqual([]);
      }
    });
  }
});
