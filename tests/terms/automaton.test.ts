import { describe, expect, it } from "vitest";
import { parsePattern } from "../../src/core/concept/pattern.ts";
import { terminologySchema } from "../../src/core/concept/rule.ts";
import { buildAutomaton } from "../../src/core/terms/automaton.ts";
import { type Tokens, tokenize } from "../../src/core/text/words/tokens.ts";

/** Every step of a scan beyond the first token of a match reads the gap before a token. */
function counted(tokens: Tokens): { readonly tokens: Tokens; readonly steps: () => number } {
  let steps = 0;
  const gap = new Proxy(tokens.gap, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) {
        steps += 1;
        if (steps > 5_000_000) throw new Error("The scan takes too many steps.");
      }
      return Reflect.get(target, key, target);
    },
  });
  return { tokens: { ...tokens, gap }, steps: () => steps };
}

describe("a phrase whose places have entries of different lengths", () => {
  it("is looked for in as many steps as it has places and the text words, not in every way through it", () => {
    const sets = new Map([["z", [parsePattern("zap"), parsePattern("zap-zap")]]]);
    const automaton = buildAutomaton([parsePattern("@z ".repeat(40))], sets);
    const { tokens, steps } = counted(tokenize("zap ".repeat(90)));
    const hits = automaton.scan(tokens);
    expect(hits.find((hit) => hit.start === 0)).toMatchObject({ end: 80, from: 0, to: 80 });
    expect(steps()).toBeLessThan(90 * 90 * 40 * 2);
  });

  it("is a problem of the vocabulary when it can be read in too many ways", () => {
    const many = terminologySchema.safeParse({ sets: { z: ["zap|zap-zap ".repeat(40)] } });
    expect(many.error?.issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([
      ["sets.z.0", expect.stringMatching(/more than 4096 ways.*choices of different lengths/)],
    ]);
    expect(terminologySchema.safeParse({ sets: { z: ["zap|zap-zap ".repeat(12)] } }).success).toBe(true);
    expect(terminologySchema.safeParse({ sets: { z: ["zap|zing ".repeat(40)] } }).success).toBe(true);
  });

  it("is a problem of the vocabulary when it is longer than any sentence", () => {
    expect(() => parsePattern("zap ".repeat(257))).toThrow(/more than 256 words/);
  });
});
