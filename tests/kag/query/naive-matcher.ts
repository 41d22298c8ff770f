/**
 * The meaning of a query, by trying everything: every assignment of nodes, every walk. It shares no code with
 * `src/kag/query` and works on the structure that the text was printed from, not on what was parsed.
 */
export interface NaiveGraph {
  readonly nodes: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly num?: number;
  }[];
  readonly relations: readonly { readonly from: number; readonly to: number; readonly label: NaiveLabel }[];
}
export type NaiveLabel = "likes" | "near" | "holds";
export const inverses: Readonly<Record<string, string | undefined>> = { likes: "liked-by" };
export const symmetric: ReadonlySet<string> = new Set(["near"]);

export interface NaiveNode {
  readonly slot: string;
  readonly types: readonly string[];
  readonly where?: NaiveTest;
}
export interface NaiveEdge {
  readonly slot: string;
  readonly labels: readonly string[];
  readonly direction: "out" | "in" | "any";
  readonly hops?: { readonly least: number; readonly most: number };
  readonly limit?: number;
  /** Only on a repeated edge: each edge carries this label. */
  readonly each?: string;
}
export interface NaivePath {
  readonly optional: boolean;
  readonly nodes: readonly NaiveNode[];
  readonly edges: readonly NaiveEdge[];
}
export type NaiveValue = string | number | boolean | null | readonly NaiveValue[];
export type NaiveTest =
  | { readonly kind: "property"; readonly slot: string; readonly name: string }
  | { readonly kind: "value"; readonly value: NaiveValue; readonly as?: string }
  | { readonly kind: "binary"; readonly operator: string; readonly left: NaiveTest; readonly right: NaiveTest }
  | { readonly kind: "not"; readonly of: NaiveTest }
  | { readonly kind: "is"; readonly of: NaiveTest; readonly value: boolean | null; readonly negated: boolean };
export interface NaiveQuery {
  readonly paths: readonly NaivePath[];
  readonly where?: NaiveTest;
  readonly returns: readonly { readonly slot: string; readonly name: string }[];
}

interface Reading {
  readonly relation: number;
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly plain: boolean;
}
type Found = { readonly node: number } | { readonly edge: Reading } | { readonly edges: readonly Reading[] };
/** `null`: an optional path did not match, and nothing after it can. */
type Assignment = Readonly<Record<string, Found | null | undefined>>;

export function naiveRows(graph: NaiveGraph, query: NaiveQuery): NaiveValue[][] {
  const readings = readingsOf(graph);
  const required = query.paths.filter((it) => !it.optional);
  let found: Assignment[] = [{}];
  for (const path of required) found = found.flatMap((it) => matches(graph, readings, path, it));
  for (const path of query.paths.filter((it) => it.optional)) {
    found = found.flatMap((it) => {
      const extended = matches(graph, readings, path, it);
      return extended.length > 0 ? extended : [withNulls(it, path)];
    });
  }
  const { where } = query;
  const kept = where ? found.filter((it) => decide(graph, where, it) === true) : found;
  return kept.map((it) => query.returns.map(({ slot, name }) => read(graph, it[slot], name)));
}

function readingsOf({ relations }: NaiveGraph): Reading[] {
  return relations.flatMap(({ from, to, label }, relation): Reading[] => {
    const told = { relation, label, from, to, plain: true };
    const inverse = inverses[label];
    if (symmetric.has(label)) return from === to ? [told] : [told, { ...told, from: to, to: from }];
    return inverse ? [told, { relation, label: inverse, from: to, to: from, plain: false }] : [told];
  });
}

function matches(graph: NaiveGraph, readings: readonly Reading[], path: NaivePath, start: Assignment): Assignment[] {
  let found: Assignment[] = [start];
  for (const node of path.nodes) {
    found = found.flatMap((it) =>
      graph.nodes.flatMap((candidate, index) => {
        const known = it[node.slot];
        if (known === null) return [];
        if (known && "node" in known && known.node !== index) return [];
        if (node.types.length > 0 && !node.types.includes(candidate.type)) return [];
        return [{ ...it, [node.slot]: { node: index } }];
      }),
    );
    found = found.filter((it) => !node.where || decide(graph, node.where, it) === true);
  }
  for (const [index, edge] of path.edges.entries()) {
    const left = path.nodes[index]?.slot ?? "";
    const right = path.nodes[index + 1]?.slot ?? "";
    found = found.flatMap((it) => {
      const walks = edge.hops
        ? repeated(readings, edge, nodeAt(it, left), [])
        : follow(readings, edge, nodeAt(it, left)).map(({ reading, far }) => ({ far, value: { edge: reading } }));
      return walks.filter(({ far }) => far === nodeAt(it, right)).map(({ value }) => ({ ...it, [edge.slot]: value }));
    });
  }
  return found;
}

function withNulls(assignment: Assignment, { nodes, edges }: NaivePath): Assignment {
  const slots = [...nodes, ...edges].map((it) => it.slot);
  return { ...Object.fromEntries(slots.map((it) => [it, null])), ...assignment };
}

function nodeAt(assignment: Assignment, slot: string): number {
  const found = assignment[slot];
  return found && "node" in found ? found.node : -1;
}

function follow(readings: readonly Reading[], edge: NaiveEdge, from: number) {
  const found: { readonly reading: Reading; readonly far: number }[] = [];
  const sides = edge.direction === "any" ? (["out", "in"] as const) : [edge.direction];
  for (const side of sides) {
    for (const label of edge.labels.length > 0 ? new Set(edge.labels) : [undefined]) {
      for (const reading of readings) {
        if (label === undefined ? !reading.plain : reading.label !== label) continue;
        if ((side === "out" ? reading.from : reading.to) !== from) continue;
        if (edge.direction === "any" && found.some((it) => it.reading.relation === reading.relation)) continue;
        found.push({ reading, far: side === "out" ? reading.to : reading.from });
      }
    }
  }
  return edge.limit === undefined ? found : found.slice(0, edge.limit);
}

function repeated(readings: readonly Reading[], edge: NaiveEdge, from: number, walked: readonly Reading[]) {
  const { least, most } = edge.hops ?? { least: 1, most: 1 };
  const found: { readonly far: number; readonly value: Found }[] = [];
  if (walked.length >= least) found.push({ far: from, value: { edges: walked } });
  if (walked.length === most) return found;
  for (const { reading, far } of follow(readings, edge, from)) {
    if (walked.some((it) => it.relation === reading.relation)) continue;
    if (edge.each !== undefined && reading.label !== edge.each) continue;
    found.push(...repeated(readings, edge, far, [...walked, reading]));
  }
  return found;
}

function read(graph: NaiveGraph, found: Found | null | undefined, name: string): NaiveValue {
  if (!found) return null;
  if ("edges" in found) return found.edges.map((it) => read(graph, { edge: it }, name));
  if ("edge" in found) {
    if (name === "from" || name === "to") return graph.nodes[found.edge[name]]?.id ?? null;
    return name === "label" ? found.edge.label : null;
  }
  const node = graph.nodes[found.node];
  return (node as Readonly<Record<string, NaiveValue | undefined>> | undefined)?.[name] ?? null;
}

function decide(graph: NaiveGraph, test: NaiveTest, assignment: Assignment): NaiveValue {
  switch (test.kind) {
    case "value":
      return test.value;
    case "property":
      return read(graph, assignment[test.slot], test.name);
    case "not": {
      const of = decide(graph, test.of, assignment);
      return of === true ? false : of === false ? true : null;
    }
    case "is":
      return (decide(graph, test.of, assignment) === test.value) !== test.negated;
    case "binary":
      return binary(test.operator, decide(graph, test.left, assignment), decide(graph, test.right, assignment));
  }
}

function binary(operator: string, left: NaiveValue, right: NaiveValue): NaiveValue {
  const l = typeof left === "boolean" ? left : null;
  const r = typeof right === "boolean" ? right : null;
  if (operator === "and") return l === false || r === false ? false : l === null || r === null ? null : true;
  if (operator === "or") return l === true || r === true ? true : l === null || r === null ? null : false;
  if (operator === "xor") return l === null || r === null ? null : l !== r;
  if (left === null || right === null) return null;
  if (operator === "=") return JSON.stringify(left) === JSON.stringify(right);
  if (operator === "!=") return JSON.stringify(left) !== JSON.stringify(right);
  if (operator === "in") return (Array.isArray(right) ? right : [right]).some((it) => it === left);
  if (operator === "like") return likePattern(String(right)).test(String(left));
  if (operator === "+") return typeof left === "number" && typeof right === "number" ? left + right : `${left}${right}`;
  if (typeof left !== typeof right) return null;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

function likePattern(pattern: string): RegExp {
  const escaped = pattern.split("%").map((it) => it.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[\\s\\S]*")}$`);
}
