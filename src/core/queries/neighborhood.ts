import { notPlaced } from "../concept/concept.ts";
import type { Disclosed } from "../concept/disclosure.ts";
import { compare, type Edge, relationNames } from "../snapshot/relation-graph.ts";
import type { CallerView } from "../snapshot/view.ts";
import { type ConceptRef, refs } from "./resolve.ts";

export const maxNodes = 200;
export const maxEdges = 400;

export interface Near extends ConceptRef {
  readonly distance: number;
  readonly direction: string;
  readonly category: string;
  /** Every way to it within the hops takes a step by analogy: nothing stronger than a likeness is claimed. */
  readonly byAnalogy: boolean;
}

export interface Neighborhood {
  readonly center: Disclosed;
  readonly hops: number;
  /** Nearest first, then by id; the center stands first at distance 0. */
  readonly nodes: readonly Near[];
  readonly nodesTotal: number;
  /** Relations among `nodes`, each once, from the nearer end. */
  readonly edges: readonly Edge[];
  readonly edgesTotal: number;
  /** Direct relations from the center's side, for every relation name of the vocabulary. */
  readonly byRelation: readonly { readonly type: string; readonly concepts: readonly ConceptRef[] }[];
  readonly analogous: readonly ConceptRef[];
  /** Each direction of the vocabulary, then the place of what is placed in none. */
  readonly directionalFlow: readonly {
    readonly direction: string;
    readonly concepts: readonly (ConceptRef & { readonly byAnalogy: boolean })[];
  }[];
}

/** Everything within `hops` relations of a concept, bounded. */
export function neighborhood(view: CallerView, center: Disclosed, hops: number): Neighborhood {
  const distance = distancesFrom(view, center.concept.id, hops);
  const firm = distancesFrom(view, center.concept.id, hops, (edge) => !edge.byAnalogy);
  const all = [...distance].map(([id, d]): Near => near(view.concepts.get(id)!, d, !firm.has(id)));
  all.sort((a, b) => a.distance - b.distance || compare(a.id, b.id));
  const nodes = all.slice(0, maxNodes);
  const inside = new Map(nodes.map((it, i) => [it.id, i]));
  const edges = nodes.flatMap(({ id }, i) =>
    view.graph.edgesOf(id).filter((it) => {
      const other = inside.get(it.to);
      return other !== undefined && i < other;
    }),
  );
  const direct = view.graph.edgesOf(center.concept.id);
  const targets = (wanted: (edge: Edge) => boolean) => refs(view, new Set(direct.filter(wanted).map((it) => it.to)));
  return {
    center,
    hops,
    nodes,
    nodesTotal: all.length,
    edges: edges.slice(0, maxEdges),
    edgesTotal: edges.length,
    byRelation: relationNames(view.vocabulary).map((type) => ({ type, concepts: targets((it) => it.type === type) })),
    analogous: targets((it) => it.byAnalogy),
    directionalFlow: [...view.vocabulary.directions.values.map((it) => it.id), notPlaced].map((direction) => ({
      direction,
      concepts: nodes
        .filter((it) => it.direction === direction && it.distance > 0)
        .map(({ id, name, byAnalogy }) => ({ id, name, byAnalogy })),
    })),
  };
}

function near({ concept }: Disclosed, distance: number, byAnalogy: boolean): Near {
  const { id, name, direction, category } = concept;
  return { id, name, distance, direction, category, byAnalogy };
}

function distancesFrom(
  view: CallerView,
  center: string,
  hops: number,
  isStep: (edge: Edge) => boolean = () => true,
): ReadonlyMap<string, number> {
  const distance = new Map([[center, 0]]);
  let ring = [center];
  for (let d = 1; d <= hops && ring.length > 0; d++) {
    const outer: string[] = [];
    for (const id of ring) {
      for (const edge of view.graph.edgesOf(id)) {
        if (distance.has(edge.to) || !isStep(edge)) continue;
        distance.set(edge.to, d);
        outer.push(edge.to);
      }
    }
    ring = outer;
  }
  return distance;
}
