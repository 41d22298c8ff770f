// Two-hop and path queries of kag_reason against a naive evaluator, in one run, at growing sizes up to 40,000 concepts.
//   node scripts/bench/kag.mjs [rounds]
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = `${root}node_modules/.cache/iaip-bench-kag`;
const rounds = Number(process.argv[2] ?? 30);
const sizes = [1_000, 5_000, 10_000, 20_000, 40_000];
/** Relations that each concept holds; every one is read from both ends. */
const relationsEach = 3;
/** The naive evaluator is asked once; what would take longer than this is not asked of it. */
const naiveBudgetMs = 30_000;

mkdirSync(cache, { recursive: true });
await build({
  stdin: {
    contents: 'export * from "./src/kag/query/query-graph.ts"; export * from "./src/kag/reason.ts";',
    resolveDir: root,
    loader: "ts",
  },
  outfile: `${cache}/kag.mjs`,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "error",
});
const { buildQueryGraph, reason } = await import(pathToFileURL(`${cache}/kag.mjs`).href);

/** Deterministic numbers from 0 up to `below`. */
function randomly(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function contentOf(size) {
  const random = randomly(7);
  const labels = ["grounds", "enables", "part-of"];
  const id = (index) => `concept-${index}`;
  return {
    types: Array.from({ length: 6 }, (_, it) => `Ns.T${it}`),
    labels: labels.map((it) => ({ id: it, inverse: `${it}-by`, symmetric: false })),
    nodes: Array.from({ length: size }, (_, it) => ({
      id: id(it),
      name: `Concept ${it}`,
      type: `Ns.T${it % 6}`,
      properties: {},
    })),
    relations: Array.from({ length: size * relationsEach }, (_, it) => ({
      from: id(Math.floor(it / relationsEach)),
      label: labels[random(labels.length)],
      to: id(random(size)),
      properties: {},
    })),
    nodeProperties: [],
    edgeProperties: ["label"],
  };
}

/** Walks the pattern as it is written, from every node, and looks at the conditions when a row is complete. */
function naive(content, { hops, keep }) {
  const near = new Map(content.nodes.map((it) => [it.id, []]));
  for (const [relation, { from, to }] of content.relations.entries()) {
    near.get(from).push({ relation, to });
    if (from !== to) near.get(to).push({ relation, to: from });
  }
  const started = performance.now();
  let count = 0;
  const walk = (start, at, trail) => {
    const [least, most] = hops;
    if (trail.length >= least && keep(start, at)) count++;
    if (trail.length === most) return;
    for (const { relation, to } of near.get(at)) {
      if (least !== most && trail.includes(relation)) continue;
      walk(start, to, [...trail, relation]);
    }
  };
  for (const { id } of content.nodes) {
    walk(id, id, []);
    if (performance.now() - started > naiveBudgetMs) return { ms: Number.POSITIVE_INFINITY, count };
  }
  return { ms: performance.now() - started, count };
}

const questions = [
  {
    name: "two hops to a named concept",
    dsl: "MATCH (a)-[p]-(x)-[q]-(b) WHERE b.id = $to RETURN a.id, x.id",
    naive: ({ to }) => ({ hops: [2, 2], keep: (_start, at) => at === to }),
  },
  {
    name: "two hops between two named concepts",
    dsl: "MATCH (a)-[p]-(x)-[q]-(b) WHERE a.id = $from and b.id = $to RETURN x.id",
    naive: ({ from, to }) => ({ hops: [2, 2], keep: (start, at) => start === from && at === to }),
  },
  {
    name: "paths of up to 4 between two named concepts",
    dsl: "MATCH (a)-[p]-{1,4}(b) WHERE a.id = $from and b.id = $to RETURN p",
    naive: ({ from, to }) => ({ hops: [1, 4], keep: (start, at) => start === from && at === to }),
  },
];

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const shown = (ms) => (Number.isFinite(ms) ? `${ms.toFixed(ms < 10 ? 2 : 0)} ms` : `over ${naiveBudgetMs / 1000} s`);
const bounds = { clock: () => performance.now(), milliseconds: 60_000 };

console.log(`kag_reason, ${rounds} rounds each, node ${process.version}`);
for (const size of sizes) {
  const content = contentOf(size);
  const before = performance.now();
  const graph = buildQueryGraph(content);
  console.log(
    `${size} concepts, ${size * relationsEach} relations: graph built in ${shown(performance.now() - before)}`,
  );
  const random = randomly(11);
  for (const question of questions) {
    const times = [];
    const asked = [];
    for (let round = 0; round < rounds; round++) {
      const [from, to] = [random(size), random(size)].map((it) => `concept-${it}`);
      const started = performance.now();
      const told = await reason(graph, question.dsl, new Map(Object.entries({ from, to })), bounds);
      times.push(performance.now() - started);
      if (told.kind !== "finish") throw new Error(told.message);
      asked.push({ from, to, count: told.count });
    }
    times.sort((a, b) => a - b);
    const last = asked[asked.length - 1];
    const other = naive(content, question.naive(last));
    if (Number.isFinite(other.ms) && other.count !== last.count) {
      throw new Error(`${question.name}: ${last.count} rows here, ${other.count} naively`);
    }
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    console.log(
      `  ${question.name}: p50 ${shown(p50)}, p95 ${shown(p95)}; naive ${shown(other.ms)} (${last.count} rows)`,
    );
  }
}
