import type { Disclosed } from "../concept/disclosure.ts";
import type { Source } from "../concept/vocabulary.ts";
import { type ConceptRef, ref } from "../queries/resolve.ts";
import { firstSentence } from "../queries/sentences.ts";
import type { Edge } from "../snapshot/relation-graph.ts";
import type { CallerView } from "../snapshot/view.ts";

/** The JSON shapes that every protocol speaks: `ConceptLine`, `ConceptCard`, `ConceptFull`, `Relation`, version 1.1. */
export function conceptLine(view: CallerView, { concept, disclosure, notice }: Disclosed) {
  return {
    id: concept.id,
    name: concept.name,
    category: concept.category,
    direction: concept.direction,
    tier: concept.tier,
    status: concept.status,
    vocabulary: view.vocabulary.name,
    holder: concept.holder,
    by_line: concept.by_line,
    gist: concept.definition === null ? null : firstSentence(concept.definition),
    disclosure,
    notice,
  };
}

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
    status: concept.status,
    replaced_by: replacements(view, concept.replaced_by),
    vocabulary: view.vocabulary.name,
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

export function conceptFull(view: CallerView, disclosed: Disclosed) {
  const { concept } = disclosed;
  const { two_eyed_seeing, polycentric, relational, ceremonial, empty } = concept.indigenous_connections;
  const { relevance, ownership, control, access, possession, status } = concept.ocap;
  const { care, agent_may, agent_may_not, protocols, reviewed_by_holder } = concept.governance;
  return {
    ...conceptCard(view, disclosed),
    indigenous_connections: { two_eyed_seeing, polycentric, relational, ceremonial, empty },
    ocap: { relevance, ownership, control, access, possession, status },
    governance: { care, agent_may, agent_may_not, protocols, reviewed_by_holder },
    relations: view.graph.edgesOf(concept.id).map((it) => relation(view, it)),
    usage_contexts: concept.usage_contexts,
    usage_tags: concept.usage_tags,
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
  const source = edge.source === undefined ? undefined : view.sources[edge.source];
  return {
    from: edge.from,
    from_name: name(edge.from),
    type: edge.type,
    to: edge.to,
    to_name: name(edge.to),
    stored: edge.stored,
    symmetric: edge.symmetric,
    by_analogy: edge.byAnalogy,
    why: edge.why ?? null,
    ...(edge.source === undefined ? {} : { source: { key: edge.source, citation: source?.citation ?? edge.source } }),
    proposed_by: proposer(view, edge),
  };
}

/** Who says that two concepts are related: the one who proposes it, else the authors of its source. */
export function proposer(view: CallerView, { proposedBy, source: key }: Edge): string {
  if (proposedBy !== undefined) return view.vocabulary.proposers.find((it) => it.id === proposedBy)?.name ?? proposedBy;
  const source = key === undefined ? undefined : view.sources[key];
  return source === undefined ? (key ?? "") : shortCitation(source);
}

/** `Kirkness & Barnhardt 1991`, as far as the record tells; else the citation as it is. */
export function shortCitation({ authors, year, citation }: Source): string {
  if (authors.length === 0) return citation;
  // Their peoples are named where the concept tells whose it is.
  const people = authors.map((it) => it.replace(/\s*\([^)]*\)/g, "").replace(/,\s.*$/, ""));
  const named = people.length <= 3 ? people.join(" & ") : `${people[0]} et al.`;
  return year === undefined ? named : `${named} ${year}`;
}

export function sourceUrl(source: Source): string | undefined {
  return source.url ?? (source.doi === undefined ? undefined : `https://doi.org/${source.doi}`);
}

function replacements(view: CallerView, ids: readonly string[]): readonly ConceptRef[] {
  return ids.flatMap((id) => {
    const found = view.concepts.get(id);
    return found ? [ref(found)] : [];
  });
}
