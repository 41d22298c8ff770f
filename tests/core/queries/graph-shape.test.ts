import fc from "fast-check";
import { expect, test } from "vitest";
import { cyclesOf, type Link } from "../../../src/core/queries/graph-shape.ts";
import { count } from "../../support/counts.ts";

const links = fc.array(
  fc.record({
    from: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    type: fc.constantFrom("grounds", "enables"),
    to: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  }),
  { maxLength: 14 },
);

/** Whether `to` can be reached from `from` by one link or more. */
function reaches(all: readonly Link[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const ring = [from];
  for (const at of ring)
    for (const it of all) {
      if (it.from !== at || seen.has(it.to)) continue;
      seen.add(it.to);
      ring.push(it.to);
    }
  return seen.has(to);
}

test("a cycle is told for a type exactly where a concept reaches itself, and is one", () => {
  fc.assert(
    fc.property(links, (all) => {
      const told = cyclesOf(all);
      for (const type of ["grounds", "enables"]) {
        const own = all.filter((it) => it.type === type);
        const isCyclic = own.some((it) => reaches(own, it.from, it.from));
        const cycles = told.filter((it) => it.type === type);
        expect(cycles.length > 0).toBe(isCyclic);
        for (const { ids } of cycles) {
          expect(new Set(ids).size).toBe(ids.length);
          ids.forEach((from, i) => {
            expect(own.some((it) => it.from === from && it.to === ids[(i + 1) % ids.length])).toBe(true);
          });
        }
      }
    }),
    { numRuns: count(300, 5_000) },
  );
});

test("a chain and a ring of twenty thousand are read in linear time", () => {
  const chain = Array.from({ length: 20_000 }, (_, i): Link => ({ from: `n${i}`, type: "grounds", to: `n${i + 1}` }));
  expect(cyclesOf(chain)).toEqual([]);
  const [ring] = cyclesOf([...chain, { from: "n20000", type: "grounds", to: "n0" }]);
  expect(ring?.ids.length).toBe(20_001);
});
