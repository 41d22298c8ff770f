import type { Disclosed } from "../core/concept/disclosure.ts";
import { compare } from "../core/snapshot/relation-graph.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import { buildQueryGraph, type GraphContent, type Property, type QueryGraph } from "./query/query-graph.ts";
import type { Work } from "./query/work.ts";
import { typeNames } from "./type-names.ts";

export interface ConceptGraph {
  readonly namespace: string;
  /** Full type names by category, in the vocabulary's order. */
  readonly types: ReadonlyMap<string, string>;
  readonly query: QueryGraph;
}

/** What a caller may see, as the graph that queries run over: concepts are nodes, each stored relation is one edge. */
export function* buildConceptGraph(view: CallerView, namespace: string): Work<ConceptGraph> {
  const types = typeNames(view.vocabulary, namespace);
  const labels = view.vocabulary.relation_types;
  const turned = new Map(labels.flatMap(({ id, inverse }) => (inverse ? [[inverse, id] as const] : [])));
  const nodes: GraphContent["nodes"][number][] = [];
  const relations: GraphContent["relations"][number][] = [];
  for (const [id, disclosed] of view.concepts) {
    const { name, category } = disclosed.concept;
    nodes.push({ id, name, type: types.get(category) ?? namespace, properties: nodeProperties(disclosed) });
    for (const { from, type, to, byAnalogy, why, source, proposedBy, stored } of view.graph.edgesOf(id)) {
      if (stored !== "forward") continue;
      const read = turned.get(type);
      const ends = read === undefined ? { from, label: type, to } : { from: to, label: read, to: from };
      const properties = present({ by_analogy: byAnalogy, note: why, source, proposed_by: proposedBy });
      relations.push({ ...ends, properties });
    }
    if (nodes.length % 64 === 0) yield;
  }
  const content: GraphContent = {
    types: [...types.values()],
    labels: labels.map(({ id, inverse, symmetric }) => ({ id, inverse: symmetric ? undefined : inverse, symmetric })),
    nodes,
    relations,
    nodeProperties: nodePropertyNames,
    edgeProperties: ["by_analogy", "note", "source", "proposed_by"],
  };
  yield;
  return { namespace, types, query: buildQueryGraph(sorted(content)) };
}

/** Withheld facets are absent: whoever may not see them reads null. */
export const nodePropertyNames: readonly string[] = [
  "definition",
  "content",
  "category",
  "direction",
  "node_type",
  "family",
  "tier",
  "access",
  "disclosure",
  "notice",
  "by_line",
  "holder",
  "peoples",
  "aliases",
  "names",
  "usage_contexts",
  "examples",
  "ceremonial",
  "two_eyed_seeing",
  "polycentric",
  "relational",
];

function nodeProperties({ concept, disclosure, notice }: Disclosed): Readonly<Record<string, Property>> {
  const { two_eyed_seeing, polycentric, relational, ceremonial } = concept.indigenous_connections;
  return present({
    definition: concept.definition,
    content: concept.definition ?? notice,
    category: concept.category,
    direction: concept.direction,
    node_type: concept.node_type,
    family: concept.family,
    tier: concept.tier,
    access: concept.ocap.access,
    disclosure,
    notice,
    by_line: concept.by_line,
    holder: concept.holder,
    peoples: concept.peoples,
    aliases: concept.aliases,
    names: concept.names.map((it) => it.text),
    usage_contexts: concept.usage_contexts,
    examples: concept.examples,
    ceremonial: ceremonial.level,
    two_eyed_seeing,
    polycentric,
    relational,
  });
}

/** Relations in the same order on every machine: by the concept that holds them, label and target. */
function sorted(content: GraphContent): GraphContent {
  const relations = content.relations.toSorted(
    (a, b) => compare(a.from, b.from) || compare(a.label, b.label) || compare(a.to, b.to),
  );
  return { ...content, relations };
}

function present(all: Readonly<Record<string, Property | null | undefined>>): Readonly<Record<string, Property>> {
  return Object.fromEntries(Object.entries(all).filter((it): it is [string, Property] => it[1] != null));
}
