import type { Disclosed } from "../concept/disclosure.ts";
import type { Source } from "../concept/vocabulary.ts";
import type { Edge } from "../snapshot/relation-graph.ts";
import type { CallerView } from "../snapshot/view.ts";

/** The JSON shapes that every protocol speaks; frozen as `ConceptCard`, `ConceptFull` and `Relation`, version 1. */
export function conceptCard(view: CallerView, { concept, disclosure, withheld, notice }: Disclosed) {
  return {
    id: concept.id,
    name: concept.name,
    names: concept.names.map(({ text, language, tag }) => ({ text, language, ...(tag === undefined ? {} : { tag }) })),
    aliases: concept.aliases,
    category: concept.category,
    node_type: concept.node_type,
    direction: concept.direction,
    direction_scheme: view.vocabulary.directions.scheme,
    direction_basis: concept.direction_basis,
    tier: concept.tier,
    contested: concept.contested,
    withdrawn: concept.withdrawn,
    holder: concept.holder,
    peoples: concept.peoples,
    by_line: concept.by_line,
    definition: concept.definition,
    disclosure,
    withheld,
    notice,
  };
}

export function conceptFull(view: CallerView, told: Disclosed) {
  const { concept } = told;
  const { relevance, ownership, control, access, possession, status } = concept.ocap;
  const { care, agent_may, agent_may_not, protocols, reviewed_by_holder } = concept.governance;
  return {
    ...conceptCard(view, told),
    indigenous_connections: concept.indigenous_connections,
    ocap: { relevance, ownership, control, access, possession, status },
    governance: { care, agent_may, agent_may_not, protocols, reviewed_by_holder },
    relations: view.graph.edgesOf(concept.id).map((it) => relation(view, it)),
    usage_contexts: concept.usage_contexts,
    examples: concept.examples,
    sources: concept.sources.map(({ key, seen }) => {
      const source = view.sources[key];
      const url = source && sourceUrl(source);
      return { key, citation: source?.citation ?? key, ...(url === undefined ? {} : { url }), seen };
    }),
  };
}

export function relation(view: CallerView, edge: Edge) {
  const name = (id: string): string => view.concepts.get(id)?.concept.name ?? id;
  return {
    from: edge.from,
    from_name: name(edge.from),
    type: edge.type,
    to: edge.to,
    to_name: name(edge.to),
    stored: edge.stored,
    symmetric: edge.symmetric,
    by_analogy: edge.byAnalogy,
    ...(edge.why === undefined ? {} : { note: edge.why }),
    ...(edge.source === undefined ? {} : { source: edge.source }),
    ...(edge.proposedBy === undefined ? {} : { proposed_by: edge.proposedBy }),
  };
}

export function sourceUrl(source: Source): string | undefined {
  return source.url ?? (source.doi === undefined ? undefined : `https://doi.org/${source.doi}`);
}
