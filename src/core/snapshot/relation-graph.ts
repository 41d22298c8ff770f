import { MultiDirectedGraph } from "graphology";
import type { Disclosed } from "../concept/disclosure.ts";
import type { RelationType, Vocabulary } from "../concept/vocabulary.ts";

/** A relation as it reads from `from`: inverse names included. */
export interface Edge {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  readonly stored: "forward" | "inverse";
  readonly symmetric: boolean;
  readonly byAnalogy: boolean;
  readonly strength: number;
  readonly why?: string;
  readonly source?: string;
  readonly proposedBy?: string;
}

/** The one place that knows graphology. Built once per view, never changed after. */
export class RelationGraph {
  // graphology mis-handles ids that are names on Object.prototype (`constructor`), so every key has a prefix.
  readonly #graph = new MultiDirectedGraph<object, { edge: Edge }>();
  readonly #edges = new Map<string, readonly Edge[]>();
  readonly #types: ReadonlyMap<string, RelationType>;
  readonly #order: ReadonlyMap<string, number>;

  constructor(vocabulary: Vocabulary, concepts: ReadonlyMap<string, Disclosed>) {
    this.#types = new Map(
      vocabulary.relation_types.flatMap((it) => [
        [it.id, it] as const,
        ...(it.inverse ? [[it.inverse, it] as const] : []),
      ]),
    );
    this.#order = new Map(relationNames(vocabulary).map((it, i) => [it, i]));
    for (const id of concepts.keys()) this.#graph.addNode(key(id));
    for (const [id, { concept }] of concepts) {
      for (const relation of concept.relations) {
        const type = this.#types.get(relation.type);
        const target = concepts.get(relation.to);
        // A withdrawn concept takes no part in any answer: what others said of it went with it.
        if (!type || !target || relation.to === id || target.concept.withdrawn) continue;
        const edge: Edge = {
          from: id,
          type: relation.type,
          to: relation.to,
          stored: "forward",
          symmetric: type.symmetric,
          byAnalogy: type.analogy,
          strength: type.strength,
          ...(relation.why === undefined ? {} : { why: relation.why }),
          ...(relation.source === undefined ? {} : { source: relation.source }),
          ...(relation.proposed_by === undefined ? {} : { proposedBy: relation.proposed_by }),
        };
        this.#graph.addEdge(key(id), key(relation.to), { edge });
      }
    }
  }

  get edgeCount(): number {
    return this.#graph.size;
  }

  /** Every relation of `id`, from its side, in the order of the vocabulary's types and then of ids. */
  edgesOf(id: string): readonly Edge[] {
    const known = this.#edges.get(id);
    if (known) return known;
    if (!this.#graph.hasNode(key(id))) return [];
    const edges = this.#graph.mapEdges(key(id), (_key, { edge }) => (edge.from === id ? edge : this.#inverse(edge)));
    edges.sort((a, b) => this.#rank(a.type) - this.#rank(b.type) || compare(a.to, b.to));
    this.#edges.set(id, edges);
    return edges;
  }

  edgesBetween(from: string, to: string): readonly Edge[] {
    return this.edgesOf(from).filter((it) => it.to === to);
  }

  #inverse(edge: Edge): Edge {
    const type = this.#types.get(edge.type)!;
    const name = type.symmetric ? type.id : edge.type === type.id ? (type.inverse ?? type.id) : type.id;
    return { ...edge, from: edge.to, to: edge.from, type: name, stored: "inverse" };
  }

  #rank(type: string): number {
    return this.#order.get(type) ?? this.#order.size;
  }
}

/** All names that relations go by: each type, then its inverse, in the vocabulary's order. */
export function relationNames(vocabulary: Vocabulary): readonly string[] {
  return vocabulary.relation_types.flatMap((it) => (it.symmetric || !it.inverse ? [it.id] : [it.id, it.inverse]));
}

/** Order of UTF-16 code units: the same on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : b < a ? 1 : 0;
}

const key = (id: string): string => `c:${id}`;
