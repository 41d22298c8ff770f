import fc from "fast-check";
import { expect, test } from "vitest";
import { neighborhood } from "../../../src/core/queries/neighborhood.ts";
import { maxPaths, relate, shortestPaths } from "../../../src/core/queries/relate.ts";
import { count } from "../../support/counts.ts";
import { conceptFile, type Files, snapshotOf } from "../../support/small-vocabulary.ts";

const anyone = { protocols: new Set<string>() };
const types = ["grounds", "grounded-in", "enables", "enabled-by", "part-of", "complements", "resonates-with"] as const;

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly type: (typeof types)[number];
}
const edges = fc.uniqueArray(fc.record({ from: fc.nat(6), to: fc.nat(6), type: fc.constantFrom(...types) }), {
  maxLength: 14,
  selector: (it) => `${it.from} ${it.type} ${it.to}`,
});

function viewOf(all: readonly Edge[]) {
  const files: Record<string, string> = {};
  for (let i = 0; i <= 6; i++) {
    const own = all.filter((it) => it.from === i && it.to !== i);
    const list = own.map((it) => `{ type: ${it.type}, to: n${it.to}, source: B1 }`).join(", ");
    files[`craft/n${i}.yaml`] = conceptFile(`n${i}`, own.length > 0 ? `relations: [${list}]\n` : "");
  }
  return snapshotOf(files as Files).viewFor(anyone);
}

/** Every simple path up to a length, by trying everything; walked both ways. */
function naivePaths(all: readonly Edge[], from: number, to: number, longest: number): string[] {
  const found: string[][] = [];
  const walk = (at: number, steps: string[], seen: readonly number[]): void => {
    if (at === to) return void found.push(steps);
    if (steps.length === longest) return;
    for (const edge of all) {
      if (edge.from === edge.to) continue;
      const next = edge.from === at ? edge.to : edge.to === at ? edge.from : undefined;
      if (next === undefined || seen.includes(next)) continue;
      walk(next, [...steps, `${at}-${all.indexOf(edge)}-${next}`], [...seen, next]);
    }
  };
  walk(from, [], [from]);
  const least = Math.min(...found.map((it) => it.length));
  return found.filter((it) => it.length === least).map((it) => it.join(" "));
}

test("shortest paths are those that trying everything finds, counted and capped", () => {
  fc.assert(
    fc.property(edges, fc.nat(6), fc.nat(6), fc.integer({ min: 1, max: 8 }), (all, from, to, longest) => {
      fc.pre(from !== to);
      const view = viewOf(all);
      const naive = naivePaths(all, from, to, longest);
      const { paths, total } = shortestPaths(view.graph, `n${from}`, `n${to}`, longest);
      expect(total).toBe(naive.length);
      expect(paths.length).toBe(Math.min(maxPaths, naive.length));
      expect(new Set(paths.map((it) => JSON.stringify(it.steps))).size).toBe(paths.length);
      for (const { steps, byAnalogy } of paths) {
        expect(steps.at(0)?.from).toBe(`n${from}`);
        expect(steps.at(-1)?.to).toBe(`n${to}`);
        for (let i = 1; i < steps.length; i++) expect(steps[i]!.from).toBe(steps[i - 1]!.to);
        expect(byAnalogy).toBe(steps.some((it) => it.type === "resonates-with"));
      }
    }),
    { numRuns: count(150, 2_000) },
  );
});

test("a relation is told from either side by the name that side has for it", () => {
  fc.assert(
    fc.property(edges, (all) => {
      const { graph } = viewOf(all);
      for (let i = 0; i <= 6; i++) {
        for (const edge of graph.edgesOf(`n${i}`)) {
          const back = graph.edgesBetween(edge.to, edge.from).filter((it) => it.stored !== edge.stored);
          const inverse: Readonly<Record<string, string>> = {
            grounds: "grounded-in",
            "grounded-in": "grounds",
            enables: "enabled-by",
            "enabled-by": "enables",
            "part-of": "has-part",
            "has-part": "part-of",
          };
          expect(back.map((it) => it.type)).toContain(inverse[edge.type] ?? edge.type);
        }
      }
    }),
    { numRuns: count(100, 1_000) },
  );
});

test("a neighborhood holds every node once, nearest first, and every edge among them once", () => {
  fc.assert(
    fc.property(edges, fc.nat(6), fc.nat(6), (all, center, hops) => {
      const view = viewOf(all);
      const answer = neighborhood(view, view.concepts.get(`n${center}`)!, hops);
      const distances = answer.nodes.map((it) => it.distance);
      expect(distances).toEqual([...distances].sort((a, b) => a - b));
      const ids = new Set(answer.nodes.map((it) => it.id));
      expect(ids.size).toBe(answer.nodes.length);
      const among = all.filter((it) => it.from !== it.to && ids.has(`n${it.from}`) && ids.has(`n${it.to}`));
      expect(answer.edges.length).toBe(among.length);
    }),
    { numRuns: count(100, 1_000) },
  );
});

test("a hub of a thousand neighbors is answered within its caps, with the true counts", () => {
  const files: Record<string, string> = { "craft/hub.yaml": conceptFile("hub") };
  for (let i = 0; i < 1_000; i++)
    files[`craft/s${i}.yaml`] = conceptFile(`s${i}`, "relations: [{ type: part-of, to: hub, source: B1 }]\n");
  const view = snapshotOf(files).viewFor(anyone);
  const answer = neighborhood(view, view.concepts.get("hub")!, 6);
  expect(answer).toMatchObject({ nodesTotal: 1_001, edgesTotal: 199 });
  expect(answer.nodes.length).toBe(200);
  expect(relate(view, view.concepts.get("s1")!, view.concepts.get("s2")!, 3)).toMatchObject({
    pathsTotal: 1,
    sharedTotal: 1,
  });
});
