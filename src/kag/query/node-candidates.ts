import type { QueryGraph, QueryNode } from "./query-graph.ts";
import type { NodeTest } from "./resolve-label.ts";
import type { Condition, Pattern } from "./resolve-query.ts";

/** The smallest known set of nodes that holds every node a slot can be. */
export interface Candidates {
  readonly nodes: readonly QueryNode[];
}

/** From ids and names that conditions give, else from types, else every node. */
export function candidatesOf(slot: number, pattern: Pattern, graph: QueryGraph): Candidates {
  const sets = [
    ...pattern.conditions.flatMap(({ key }) => (key?.slot === slot ? [byKey(key, graph)] : [])),
    ...(pattern.nodes.get(slot) ?? []).map((it) => byTest(it, graph)),
  ];
  const nodes = sets.reduce((least, it) => (it.length < least.length ? it : least), graph.nodes);
  return { nodes };
}

function byKey({ property, values }: NonNullable<Condition["key"]>, graph: QueryGraph): readonly QueryNode[] {
  const found = new Set<QueryNode>();
  for (const value of values) {
    if (typeof value !== "string") continue;
    const byId = property === "id" ? graph.byId.get(value) : undefined;
    for (const node of byId ? [byId] : property === "name" ? (graph.byName.get(value) ?? []) : []) found.add(node);
  }
  return [...found];
}

function byTest({ types, nodes }: NodeTest, graph: QueryGraph): readonly QueryNode[] {
  if (types.size === 1 && nodes.size === 0) return graph.types.get([...types][0] as string) ?? [];
  const typed = [...types].flatMap((it) => graph.types.get(it) ?? []);
  return nodes.size === 0 ? typed : [...typed, ...[...nodes].filter((it) => !types.has(it.type))];
}
