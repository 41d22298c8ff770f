import type { QueryEdge, QueryGraph, QueryNode } from "./query-graph.ts";
import type { Step } from "./resolve-query.ts";

/** One edge to follow and the node it leads to. */
export interface Followed {
  readonly edge: QueryEdge;
  readonly node: QueryNode;
}

/**
 * The edges of a step at one of its ends, in the graph's order. Where the direction does not matter, a relation that
 * reads from both ends is followed once to each node.
 */
export function followEdges(graph: QueryGraph, step: Step, node: QueryNode, reversed: boolean): readonly Followed[] {
  const { labels, direction, perNodeLimit } = step;
  const found: Followed[] = [];
  const seen = direction === "any" ? new Set<number>() : undefined;
  const follow = (side: "out" | "in"): void => {
    for (const label of labels ?? everyLabel) {
      for (const edge of graph.edges(node, side, label)) {
        if (seen?.has(edge.relation)) continue;
        seen?.add(edge.relation);
        found.push({ edge, node: side === "out" ? edge.to : edge.from });
      }
    }
  };
  // A relation is bound as it reads from left to right where it does.
  const first = reversed ? "in" : "out";
  if (direction === "any") {
    follow(first);
    follow(first === "out" ? "in" : "out");
  } else {
    follow((direction === "out") !== reversed ? "out" : "in");
  }
  return perNodeLimit === undefined ? found : found.slice(0, perNodeLimit);
}

const everyLabel: readonly undefined[] = [undefined];

/** How many steps each node is from `target` at most `most` edges away, going against the way the step is followed. */
export function distancesTo(
  graph: QueryGraph,
  step: Step,
  target: QueryNode,
  reversed: boolean,
): ReadonlyMap<QueryNode, number> {
  const distances = new Map([[target, 0]]);
  let ring = [target];
  for (let distance = 1; distance <= (step.hops?.most ?? 1) && ring.length > 0; distance++) {
    const next: QueryNode[] = [];
    for (const node of ring) {
      for (const { node: far } of followEdges(graph, { ...step, perNodeLimit: undefined }, node, !reversed)) {
        if (distances.has(far)) continue;
        distances.set(far, distance);
        next.push(far);
      }
    }
    ring = next;
  }
  return distances;
}
