/** What a property holds; absent properties read as null. */
export type Property = string | number | boolean | readonly string[];

export interface QueryNode {
  readonly kind: "node";
  readonly id: string;
  readonly name: string;
  /** Full type name: `IAIP.Framework`. */
  readonly type: string;
  readonly properties: Readonly<Record<string, Property>>;
}

/** One relation as it reads from one of its ends. */
export interface QueryEdge {
  readonly kind: "edge";
  /** The same number for both readings of one relation. */
  readonly relation: number;
  readonly label: string;
  readonly from: QueryNode;
  readonly to: QueryNode;
  readonly properties: Readonly<Record<string, Property>>;
}

export interface RelationLabel {
  readonly id: string;
  /** The label from the other end; absent for symmetric relations, which read alike from both. */
  readonly inverse: string | undefined;
  readonly symmetric: boolean;
}

export type Side = "out" | "in";

/** Everything a query is answered from. Never changes. */
export interface QueryGraph {
  readonly nodes: readonly QueryNode[];
  /** Node types by full name, also those without a node. */
  readonly types: ReadonlyMap<string, readonly QueryNode[]>;
  readonly byId: ReadonlyMap<string, QueryNode>;
  readonly byName: ReadonlyMap<string, readonly QueryNode[]>;
  /** Every label, inverse readings included. */
  readonly labels: ReadonlySet<string>;
  readonly nodeProperties: ReadonlySet<string>;
  readonly edgeProperties: ReadonlySet<string>;
  /**
   * Edges at one side of a node, in a stable order. Without a label: each relation as it is stored, and symmetric ones
   * from both ends. With a label: what reads so, inverse readings included.
   */
  edges(node: QueryNode, side: Side, label?: string): readonly QueryEdge[];
  /** How many edges carry the label, or all that are read without one; for the planner. */
  count(label?: string): number;
}

export interface GraphContent {
  readonly types: readonly string[];
  readonly labels: readonly RelationLabel[];
  readonly nodes: readonly Omit<QueryNode, "kind">[];
  /** Relations whose ends or label do not exist are left out. */
  readonly relations: readonly {
    readonly from: string;
    readonly label: string;
    readonly to: string;
    readonly properties: QueryEdge["properties"];
  }[];
  readonly nodeProperties: readonly string[];
  readonly edgeProperties: readonly string[];
}

export function buildQueryGraph(content: GraphContent): QueryGraph {
  const nodes = content.nodes.map((it): QueryNode => ({ kind: "node", ...it }));
  const byId = new Map(nodes.map((it) => [it.id, it]));
  const labels = new Map(content.labels.map((it) => [it.id, it]));
  const adjacency = new Adjacency();
  for (const [relation, stored] of content.relations.entries()) {
    const from = byId.get(stored.from);
    const to = byId.get(stored.to);
    const label = labels.get(stored.label);
    if (!from || !to || !label) continue;
    const edge: QueryEdge = { kind: "edge", relation, label: stored.label, from, to, properties: stored.properties };
    adjacency.add(edge, true);
    if (label.symmetric && from !== to) adjacency.add({ ...edge, from: to, to: from }, true);
    else if (label.inverse) adjacency.add({ ...edge, label: label.inverse, from: to, to: from }, false);
  }
  return {
    nodes,
    byId,
    byName: groupBy(nodes, (it) => it.name),
    types: new Map([
      ...content.types.map((it) => [it, [] as QueryNode[]] as const),
      ...groupBy(nodes, (it) => it.type),
    ]),
    labels: new Set(content.labels.flatMap(({ id, inverse }) => (inverse ? [id, inverse] : [id]))),
    nodeProperties: new Set(["id", "name", "type", "label", ...content.nodeProperties]),
    edgeProperties: new Set(["type", "label", "from", "to", ...content.edgeProperties]),
    edges: (node, side, label) => adjacency.get(node, side, label),
    count: (label) => adjacency.count(label),
  };
}

/** What reads from each node and to it. Labels are sorted out for a node when it is first needed. */
class Adjacency {
  readonly #readings: Record<Side, Map<QueryNode, Reading[]>> = { out: new Map(), in: new Map() };
  readonly #sorted: Record<Side, Map<QueryNode, ReadonlyMap<string, readonly QueryEdge[]>>> = {
    out: new Map(),
    in: new Map(),
  };
  readonly #counts = new Map<string, number>();

  /** Edges that are not `plain` are read only by their label. */
  add(edge: QueryEdge, plain: boolean): void {
    const reading = { edge, plain };
    push(this.#readings.out, edge.from, reading);
    push(this.#readings.in, edge.to, reading);
    for (const key of plain ? [edge.label, every] : [edge.label]) this.#counts.set(key, this.count(key) + 1);
  }

  get(node: QueryNode, side: Side, label = every): readonly QueryEdge[] {
    const known = this.#sorted[side].get(node);
    if (known) return known.get(label) ?? none;
    const sorted = sortOut(this.#readings[side].get(node) ?? []);
    this.#sorted[side].set(node, sorted);
    return sorted.get(label) ?? none;
  }

  count(label = every): number {
    return this.#counts.get(label) ?? 0;
  }
}

interface Reading {
  readonly edge: QueryEdge;
  readonly plain: boolean;
}

function sortOut(readings: readonly Reading[]): ReadonlyMap<string, readonly QueryEdge[]> {
  const sorted = new Map<string, QueryEdge[]>();
  for (const { edge, plain } of readings) {
    push(sorted, edge.label, edge);
    if (plain) push(sorted, every, edge);
  }
  return sorted;
}

/** No label is empty, so this key is free. */
const every = "";
const none: readonly QueryEdge[] = [];

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) push(groups, key(item), item);
  return groups;
}

function push<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
