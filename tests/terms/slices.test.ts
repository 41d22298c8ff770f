import { describe, expect, it } from "vitest";
import type { Steps } from "../../src/base/steps.ts";
import { readDocument } from "../../src/core/text/formats/read-document.ts";

const units = 256 * 1024;

function timesOf(steps: Steps<unknown>): { readonly longest: number; readonly total: number } {
  let longest = 0;
  let total = 0;
  for (;;) {
    const start = performance.now();
    const { done } = steps.next();
    const took = performance.now() - start;
    longest = Math.max(longest, took);
    total += took;
    if (done === true) return { longest, total };
  }
}

describe("a large text of marks alone", () => {
  it.each([">", "*", "[", "`", "- "])(
    "of %j is masked in short steps, so that others are answered meanwhile",
    (mark) => {
      const text = mark.repeat(units / mark.length);
      const best = Math.min(
        ...Array.from({ length: 5 }, () => {
          const { longest, total } = timesOf(readDocument(text, "markdown"));
          return longest / total;
        }),
      );
      expect(best).toBeLessThan(0.75);
    },
  );
});
