import fc from "fast-check";
import type {
  NaiveEdge,
  NaiveGraph,
  NaiveNode,
  NaivePath,
  NaiveQuery,
  NaiveTest,
  NaiveValue,
} from "./naive-matcher.ts";

const types = ["Ns.X", "Ns.Y"] as const;
const labels = ["likes", "near", "holds"] as const;
const readable = ["likes", "liked-by", "near", "holds"] as const;

export const arbitraryGraph: fc.Arbitrary<NaiveGraph> = fc.integer({ min: 2, max: 5 }).chain((size) =>
  fc.record({
    nodes: fc.tuple(
      ...Array.from({ length: size }, (_, index) =>
        fc.record(
          {
            id: fc.constant(`n${index}`),
            name: fc.constantFrom("A", "B", "A b"),
            type: fc.constantFrom(...types),
            num: fc.integer({ min: 0, max: 2 }),
          },
          { requiredKeys: ["id", "name", "type"] },
        ),
      ),
    ),
    relations: fc.array(
      fc.record({ from: fc.nat(size - 1), to: fc.nat(size - 1), label: fc.constantFrom(...labels) }),
      { minLength: size, maxLength: 3 * size },
    ),
  }),
);

/** Node names repeat, so that paths join and close; edges have their own. */
export const arbitraryQuery: fc.Arbitrary<NaiveQuery> = fc
  .tuple(fc.array(arbitraryPath(), { minLength: 1, maxLength: 3 }), fc.infiniteStream(fc.nat(99)))
  .filter(([paths]) => paths.reduce((sum, it) => sum + it.edges.length, 0) <= 4)
  .chain(([raw]) => {
    let count = 0;
    const paths = raw.map((path, index) => ({
      ...path,
      optional: index > 0 && path.optional,
      edges: path.edges.map((edge) => ({ ...edge, slot: `p${count++}` })),
    }));
    const nodes = [...new Set(paths.flatMap((it) => it.nodes.map(({ slot }) => slot)))];
    const edges = paths.flatMap((it) => it.edges);
    const columns = [
      ...nodes.flatMap((slot) => [
        { slot, name: "id" },
        { slot, name: "num" },
      ]),
      ...edges.flatMap(({ slot }) => [
        { slot, name: "label" },
        { slot, name: "from" },
      ]),
    ];
    return fc
      .record({
        where: sometimes(
          50,
          arbitraryTest(
            nodes,
            edges.filter((it) => !it.hops).map((it) => it.slot),
          ),
        ),
        returns: fc.subarray(columns, { minLength: 1 }),
      })
      .map(({ where, returns }) => ({ paths, returns, ...(where ? { where } : {}) }));
  });

function arbitraryPath(): fc.Arbitrary<NaivePath> {
  return fc.integer({ min: 0, max: 3 }).chain((length) =>
    fc.record({
      optional: fc.boolean(),
      nodes: fc.tuple(...Array.from({ length: length + 1 }, () => arbitraryNode())),
      edges: fc.tuple(...Array.from({ length }, () => arbitraryEdge())),
    }),
  );
}

function arbitraryNode(): fc.Arbitrary<NaiveNode> {
  return fc.constantFrom("a", "b", "c", "d").chain((slot) =>
    fc
      .record({
        types: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.subarray([...types], { minLength: 1 })),
        where: sometimes(25, fc.oneof(arbitraryTest([slot], []), arbitraryKey(slot))),
      })
      .map(({ types: admitted, where }) => ({ slot, types: admitted, ...(where ? { where } : {}) })),
  );
}

function arbitraryEdge(): fc.Arbitrary<NaiveEdge> {
  const hops = fc.tuple(fc.nat(2), fc.nat(2)).map(([least, more]) => ({ least, most: least + more }));
  return fc
    .record({
      labels: fc.oneof(
        fc.constant([]),
        fc.shuffledSubarray([...readable], { minLength: 1 }),
        fc.constant([...readable]),
      ),
      direction: fc.constantFrom("out" as const, "in" as const, "any" as const, "any" as const),
      hops: sometimes(30, hops),
      limit: sometimes(15, fc.integer({ min: 1, max: 3 })),
      each: sometimes(25, fc.constantFrom(...readable)),
    })
    .map(({ hops: repeat, limit, each, ...edge }) => ({
      slot: "",
      ...edge,
      ...(repeat ? { hops: repeat } : {}),
      ...(limit === undefined ? {} : { limit }),
      ...(repeat && each !== undefined ? { each } : {}),
    }));
}

function sometimes<T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary });
}

/** One node by its id, so that matching begins there, wherever in the pattern it stands. */
function arbitraryKey(slot: string): fc.Arbitrary<NaiveTest> {
  return fc.nat(4).map((index) => ({
    kind: "binary",
    operator: "=",
    left: { kind: "property", slot, name: "id" },
    right: { kind: "value", value: `n${index}` },
  }));
}

function arbitraryTest(nodes: readonly string[], edges: readonly string[]): fc.Arbitrary<NaiveTest> {
  const value = (it: NaiveValue): NaiveTest => ({ kind: "value", value: it });
  const text = fc.constantFrom("n0", "n1", "n2", "A", "B", "A b", "Ns.X", "likes", "liked-by").map(value);
  const number = fc.nat(3).map(value);
  const list = fc.array(fc.constantFrom("n0", "n1", "A", "near"), { maxLength: 3 }).map(value);
  const property = fc.oneof(
    fc.record({ slot: fc.constantFrom(...nodes), name: fc.constantFrom("id", "name", "num", "type") }),
    ...(edges.length > 0
      ? [fc.record({ slot: fc.constantFrom(...edges), name: fc.constantFrom("label", "from", "to") })]
      : []),
  );
  const read = property.map((it): NaiveTest => ({ kind: "property", ...it }));
  const pair = (operator: string, left: fc.Arbitrary<NaiveTest>, right: fc.Arbitrary<NaiveTest>) =>
    fc.record({ kind: fc.constant("binary" as const), operator: fc.constant(operator), left, right });
  const leaf: fc.Arbitrary<NaiveTest> = fc.oneof(
    ...["=", "!=", "<", "<=", ">", ">="].map((it) => pair(it, read, fc.oneof(text, number, read))),
    { weight: 3, arbitrary: pair("=", fc.oneof(read, text), fc.oneof(text, read)) },
    { weight: 2, arbitrary: pair("in", read, list) },
    pair("like", read, fc.constantFrom("A%", "%b", "n%", "%", "A", "%1%").map(value)),
    pair(">", pair("+", read, number), number),
    read.map((of): NaiveTest => ({ kind: "is", of, value: null, negated: false })),
    read.map((of): NaiveTest => ({ kind: "is", of, value: null, negated: true })),
  );
  const { test } = fc.letrec<{ test: NaiveTest }>((tie) => ({
    test: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      { weight: 3, arbitrary: leaf },
      ...["and", "or", "xor"].map((it) => pair(it, tie("test"), tie("test"))),
      tie("test").map((of): NaiveTest => ({ kind: "not", of })),
    ),
  }));
  return test;
}
