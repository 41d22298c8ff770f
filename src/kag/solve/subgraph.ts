import type { Edge } from "../../core/snapshot/relation-graph.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { ConceptGraph } from "../concept-graph.ts";
import type { QueryEdge, QueryNode } from "../query/query-graph.ts";

export interface SubgraphNode {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}
export interface SubgraphEdge {
  readonly id: string;
  readonly _from: string;
  readonly from_type: string;
  readonly to: string;
  readonly to_type: string;
  readonly label: string;
  readonly properties: Readonly<Record<string, unknown>>;
}
export interface Subgraph {
  readonly class_name: string;
  readonly result_nodes: readonly SubgraphNode[];
  readonly result_edges: readonly SubgraphEdge[];
}

/** What the interface that draws it keeps at most. */
export const maxNodes = 60;
export const maxEdges = 120;

/**
 * The concepts of an answer, how they relate, and what is next to them, as far as `bytes` of JSON reach. Every edge has
 * both its nodes.
 */
export function subgraphOf(
  view: CallerView,
  graph: ConceptGraph,
  found: { readonly concepts: readonly string[]; readonly edges: readonly Edge[] },
  bytes: number,
): readonly Subgraph[] {
  const drawing = new Drawing(graph, bytes);
  for (const id of found.concepts) drawing.addNode(id);
  for (const { from, to } of found.edges) drawing.addEdges(from, to);
  drawing.close();
  for (const id of found.concepts) for (const { from, to } of view.graph.edgesOf(id)) drawing.addEdges(from, to);
  drawing.close();
  return drawing.isEmpty ? [] : [drawing.subgraph()];
}

/** A subgraph that grows until it is full. */
class Drawing {
  readonly #graph: ConceptGraph;
  readonly #nodes = new Map<QueryNode, SubgraphNode>();
  readonly #edges = new Map<number, SubgraphEdge>();
  #left: number;

  constructor(graph: ConceptGraph, bytes: number) {
    this.#graph = graph;
    this.#left = bytes - 80;
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  addNode(id: string): void {
    const node = this.#graph.query.byId.get(id);
    if (!node || this.#nodes.has(node) || this.#nodes.size === maxNodes) return;
    const drawn = drawNode(node, this.#graph);
    if (this.#spend(drawn)) this.#nodes.set(node, drawn);
  }

  /** Every relation between two concepts, with the concepts where they are still missing. */
  addEdges(from: string, to: string): void {
    const node = this.#graph.query.byId.get(from);
    const between = node ? edgesOf(node, this.#graph).filter((it) => it.from.id === to || it.to.id === to) : [];
    for (const edge of between) {
      this.addNode(edge.from.id);
      this.addNode(edge.to.id);
      this.#addEdge(edge);
    }
  }

  /** Adds what else relates the nodes to each other. */
  close(): void {
    for (const node of [...this.#nodes.keys()]) for (const edge of edgesOf(node, this.#graph)) this.#addEdge(edge);
  }

  subgraph(): Subgraph {
    return { class_name: "graph_1", result_nodes: [...this.#nodes.values()], result_edges: [...this.#edges.values()] };
  }

  #addEdge(edge: QueryEdge): void {
    const [from, to] = [this.#nodes.get(edge.from), this.#nodes.get(edge.to)];
    if (!from || !to || this.#edges.has(edge.relation) || this.#edges.size === maxEdges) return;
    const drawn = drawEdge(edge, from, to);
    if (this.#spend(drawn)) this.#edges.set(edge.relation, drawn);
  }

  #spend(drawn: object): boolean {
    const cost = Buffer.byteLength(JSON.stringify(drawn)) + 1;
    if (cost > this.#left) return false;
    this.#left -= cost;
    return true;
  }
}

/** Each relation of a node once, as it is stored. */
function edgesOf(node: QueryNode, { query }: ConceptGraph): readonly QueryEdge[] {
  const seen = new Set<number>();
  const all = [...query.edges(node, "out"), ...query.edges(node, "in")];
  return all.filter((it) => !seen.has(it.relation) && seen.add(it.relation));
}

function drawNode(node: QueryNode, graph: ConceptGraph): SubgraphNode {
  const content = String(node.properties.content ?? "");
  const short = content.length <= 160 ? content : `${content.slice(0, 159).trimEnd()}…`;
  return { id: showId(node, graph), label: node.type, name: node.name, properties: { id: node.id, content: short } };
}

/** `Type[name]`; with the id where two concepts of one type have one name. */
function showId(node: QueryNode, { query }: ConceptGraph): string {
  const alike = (query.byName.get(node.name) ?? []).filter((it) => it.type === node.type);
  return `${node.type}[${alike.length > 1 ? `${node.name} (${node.id})` : node.name}]`;
}

function drawEdge({ label, properties }: QueryEdge, from: SubgraphNode, to: SubgraphNode): SubgraphEdge {
  return {
    id: `${from.id} ${label} ${to.id}`,
    _from: from.id,
    from_type: from.label,
    to: to.id,
    to_type: to.label,
    label,
    properties: properties.by_analogy === true ? { by_analogy: true } : {},
  };
}
