import fc from "fast-check";
import { expect, test } from "vitest";
import { parseQuery } from "../../../src/kag/dsl/parse-query.ts";
import { buildQueryGraph } from "../../../src/kag/query/query-graph.ts";
import { resolveQuery } from "../../../src/kag/query/resolve-query.ts";
import { runQuery } from "../../../src/kag/query/run-query.ts";
import { toCell } from "../../../src/kag/query/to-cell.ts";
import { count } from "../../support/counts.ts";
import { arbitraryGraph, arbitraryQuery } from "./arbitrary-query.ts";
import { inverses, type NaiveGraph, type NaiveQuery, naiveRows, symmetric } from "./naive-matcher.ts";
import { printQuery } from "./print-query.ts";

test("the planner finds what trying everything finds, on random graphs and queries", () => {
  let rows = 0;
  let nonEmpty = 0;
  const forms = new Map<string, number>();
  const cases = count(500, 10_000);
  fc.assert(
    fc.property(arbitraryGraph, arbitraryQuery, fc.nat(1_000), (graph, query, style) => {
      const { text, params } = printQuery(query, style);
      const built = toQueryGraph(graph);
      const work = runQuery(resolveQuery(parseQuery(text), built, params), built, 200);
      let step = work.next();
      while (!step.done) step = work.next();
      const expected = naiveRows(graph, query).map((row) => row.map(toCell));
      const found = step.value;
      expect(found.count, text).toBe(expected.length);
      if (expected.length <= 200) expect(sorted(found.rows), text).toEqual(sorted(expected));
      else expect(isPartOf(found.rows, expected) && found.rows.length === 200, text).toBe(true);
      rows += expected.length;
      if (expected.length === 0) return;
      nonEmpty++;
      for (const form of formsOf(query)) forms.set(form, (forms.get(form) ?? 0) + 1);
    }),
    { numRuns: cases, seed: 9 },
  );
  const told = [...forms].map(([form, count]) => `${count} ${form}`).join(", ");
  console.log(`planner against naive matcher: ${cases} cases, ${nonEmpty} with rows (of them ${told}), ${rows} rows`);
  expect(nonEmpty).toBeGreaterThan(cases / 10);
  expect([...forms.keys()].sort()).toEqual([
    "conditions",
    "inside",
    "limited",
    "optional",
    "repeated",
    "several paths",
  ]);
});

/** What a query holds, so that a generator that forgets a form fails the test. */
function formsOf({ paths, where }: NaiveQuery): readonly string[] {
  const edges = paths.flatMap((it) => it.edges);
  return [
    ...(edges.some((it) => it.hops) ? ["repeated"] : []),
    ...(edges.some((it) => it.limit !== undefined) ? ["limited"] : []),
    ...(paths.some((it) => it.optional) ? ["optional"] : []),
    ...(paths.some((it) => it.nodes.some((node) => node.where)) ? ["inside"] : []),
    ...(paths.length > 1 ? ["several paths"] : []),
    ...(where ? ["conditions"] : []),
  ];
}

function toQueryGraph({ nodes, relations }: NaiveGraph) {
  return buildQueryGraph({
    types: ["Ns.X", "Ns.Y"],
    labels: ["likes", "near", "holds"].map((id) => ({ id, inverse: inverses[id], symmetric: symmetric.has(id) })),
    nodes: nodes.map(({ num, ...node }) => ({ ...node, properties: num === undefined ? {} : { num } })),
    relations: relations.map(({ from, to, label }) => ({
      from: nodes[from]?.id ?? "",
      to: nodes[to]?.id ?? "",
      label,
      properties: {},
    })),
    nodeProperties: ["num"],
    edgeProperties: [],
  });
}

function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((it) => JSON.stringify(it)).sort();
}

function isPartOf(part: readonly unknown[], whole: readonly unknown[]): boolean {
  const left = new Map<string, number>();
  for (const it of sorted(whole)) left.set(it, (left.get(it) ?? 0) + 1);
  return sorted(part).every((it) => {
    const count = left.get(it) ?? 0;
    left.set(it, count - 1);
    return count > 0;
  });
}
