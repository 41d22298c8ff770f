import type { Disclosed } from "../concept/disclosure.ts";
import { compare, type Edge, type RelationGraph } from "../snapshot/relation-graph.ts";
import type { CallerView } from "../snapshot/view.ts";
import { type ConceptRef, refs } from "./resolve.ts";

export const maxPaths = 5;
export const maxShared = 20;

export interface Path {
  readonly length: number;
  /** One step or more is a noticed analogy: the path claims nothing stronger. */
  readonly byAnalogy: boolean;
  readonly steps: readonly Edge[];
}

export interface Relating {
  readonly from: Disclosed;
  readonly to: Disclosed;
  readonly same: boolean;
  readonly direct: readonly Edge[];
  readonly paths: readonly Path[];
  /** How many shortest paths there are; `paths` holds the first of them. */
  readonly pathsTotal: number;
  readonly shared: readonly ConceptRef[];
  readonly sharedTotal: number;
}

/** How two concepts relate: direct relations from the first, all shortest paths, and common neighbors. */
export function relate(view: CallerView, from: Disclosed, to: Disclosed, longest: number): Relating {
  const [a, b] = [from.concept.id, to.concept.id];
  if (a === b) return { from, to, same: true, direct: [], paths: [], pathsTotal: 0, shared: [], sharedTotal: 0 };
  const near = new Set(view.graph.edgesOf(b).map((it) => it.to));
  const shared = [...new Set(view.graph.edgesOf(a).map((it) => it.to))].filter((it) => near.has(it)).sort(compare);
  const { paths, total } = shortestPaths(view.graph, a, b, longest);
  return {
    from,
    to,
    same: false,
    direct: view.graph.edgesBetween(a, b),
    paths,
    pathsTotal: total,
    shared: refs(view, shared.slice(0, maxShared)),
    sharedTotal: shared.length,
  };
}

/**
 * All shortest paths of at most `longest` steps; each step reads from the side it is walked from, so relations are
 * walked both ways. Counts them all, spells out the first `mostPaths` in the graph's order.
 */
export function shortestPaths(
  graph: RelationGraph,
  from: string,
  to: string,
  longest: number,
): { readonly paths: readonly Path[]; readonly total: number } {
  const distance = distancesTo(graph, from, to, longest);
  const length = distance.get(from);
  if (length === undefined) return { paths: [], total: 0 };
  const next = (id: string) => graph.edgesOf(id).filter((it) => distance.get(it.to) === distance.get(id)! - 1);
  const counts = new Map<string, number>([[to, 1]]);
  const count = (id: string): number => {
    const known = counts.get(id);
    if (known !== undefined) return known;
    const total = next(id).reduce((sum, it) => sum + count(it.to), 0);
    counts.set(id, total);
    return total;
  };
  const paths: Path[] = [];
  const walk = (id: string, steps: readonly Edge[]): void => {
    if (paths.length === maxPaths) return;
    if (id === to) paths.push({ length: steps.length, byAnalogy: steps.some((it) => it.byAnalogy), steps });
    else for (const edge of next(id)) walk(edge.to, [...steps, edge]);
  };
  walk(from, []);
  return { paths, total: count(from) };
}

/** Steps to `to`, outward from it, until `from` is met or `longest` is reached. */
function distancesTo(graph: RelationGraph, from: string, to: string, longest: number): ReadonlyMap<string, number> {
  const distance = new Map([[to, 0]]);
  let ring = [to];
  for (let d = 1; d <= longest && ring.length > 0 && !distance.has(from); d++) {
    const outer: string[] = [];
    for (const id of ring) {
      for (const edge of graph.edgesOf(id)) {
        if (distance.has(edge.to)) continue;
        distance.set(edge.to, d);
        outer.push(edge.to);
      }
    }
    ring = outer;
  }
  return distance;
}
