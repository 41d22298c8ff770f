import type { Disclosed } from "../concept/disclosure.ts";
import { nearest } from "../concept/nearest.ts";
import { compare } from "../snapshot/relation-graph.ts";
import { queryWords } from "../snapshot/search-index.ts";
import type { CallerView } from "../snapshot/view.ts";

export interface ConceptRef {
  readonly id: string;
  readonly name: string;
}

export type Resolved =
  | { readonly kind: "found"; readonly concept: Disclosed }
  | {
      readonly kind: "ambiguous";
      readonly query: string;
      readonly candidates: readonly (ConceptRef & { readonly why: string })[];
    }
  | { readonly kind: "unknown"; readonly query: string; readonly didYouMean: readonly ConceptRef[] };

/** No name is longer: of a longer text the rest is not read. */
const maxNameLength = 1_000;

/** Finds the one concept that goes by `query`: id, name, other-language name, alias or acronym, loosely written. */
export function resolve(view: CallerView, query: string): Resolved {
  const byId = view.concepts.get(query);
  if (byId) return { kind: "found", concept: byId };
  const name = query.trim().slice(0, maxNameLength);
  const candidates = view.names.lookup(name);
  const ids = [...new Set(candidates.map((it) => it.id))];
  if (ids.length === 1) return { kind: "found", concept: view.concepts.get(ids[0]!)! };
  if (ids.length === 0) return { kind: "unknown", query, didYouMean: nearestNames(view, name, 3) };
  return {
    kind: "ambiguous",
    query,
    candidates: ids.sort(compare).map((id) => {
      const { kind, text } = candidates.find((it) => it.id === id)!;
      return { ...ref(view.concepts.get(id)!), why: `${kind === "other-language" ? "name" : kind} "${text}"` };
    }),
  };
}

export function ref({ concept }: Disclosed): ConceptRef {
  return { id: concept.id, name: concept.name };
}

/** References to ids that are known to exist, in the order given. */
export function refs(view: CallerView, ids: Iterable<string>): ConceptRef[] {
  return [...ids].map((id) => ref(view.concepts.get(id)!));
}

/** Concepts whose names are near to the query, best first: by spelling, then by shared words. */
export function nearestNames(view: CallerView, query: string, most: number): readonly ConceptRef[] {
  const found = new Map<string, ConceptRef>();
  const add = (id: string | undefined) => {
    const near = id === undefined ? undefined : view.listed.get(id);
    if (near) found.set(near.concept.id, ref(near));
  };
  const byText = view.once(textsOf);
  const near = nearest(query, byText.keys());
  add(near === undefined ? undefined : byText.get(near));
  const words = queryWords(query).slice(0, 12);
  for (const hit of view.search.any(view.search.corrected(words) ?? words)) {
    if (most <= found.size) break;
    if (hit.matched.some((it) => it.field === "name" || it.field === "aliases")) add(hit.id);
  }
  return [...found.values()];
}

/** Every text that a concept goes by, in lower case, and the first concept that does. */
function textsOf(view: CallerView): ReadonlyMap<string, string> {
  const byText = new Map<string, string>();
  for (const [id, { concept }] of view.listed) {
    for (const text of [
      id,
      concept.name,
      ...concept.names.map((it) => it.text),
      ...concept.aliases,
      ...concept.search_names,
    ])
      if (!byText.has(text.toLowerCase())) byText.set(text.toLowerCase(), id);
  }
  return byText;
}
