import type { Disclosed } from "../concept/disclosure.ts";
import { type Hit, queryWords, type SearchField } from "../snapshot/search-index.ts";
import { fold, searchTerms } from "../snapshot/search-terms.ts";
import type { CallerView } from "../snapshot/view.ts";
import { type ConceptRef, nearestNames } from "./resolve.ts";
import { sentences } from "./sentences.ts";

export const maxResults = 20;
/** Longest query that is read; the rest of a longer one is left out. */
const maxWords = 32;
const maxQueryLength = 2_000;

export interface SearchQuestion {
  readonly query?: string;
  readonly category?: string;
  readonly direction?: string;
  /** Concepts whose usage contexts hold these words. */
  readonly usageContext?: string;
}

export interface SearchResult {
  readonly concept: Disclosed;
  readonly score: number;
  /** How the words were found: as a name, all of them, corrected, as beginnings, the words that distinguish. */
  readonly matchedBy: MatchedBy;
  readonly matched: readonly { readonly field: SearchField; readonly terms: readonly string[] }[];
  readonly snippet: string;
}

export const matchedBy = ["name", "all-words", "corrected", "prefix", "some-words"] as const;
export type MatchedBy = (typeof matchedBy)[number];

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  readonly total: number;
  /** The words that were searched for instead. */
  readonly corrected?: string;
  /** Set when nothing was found. */
  readonly nearest: readonly ConceptRef[];
}

/** Exact names first, then all words, then spelling correction, then beginnings of words, then most of the words. */
export function search(view: CallerView, question: SearchQuestion): SearchAnswer {
  const admitted = filter(view, question);
  const query = question.query?.slice(0, maxQueryLength);
  const found = query === undefined ? browse(admitted) : staged(view, query, admitted);
  const results = found.hits.slice(0, maxResults).map((hit): SearchResult => {
    const concept = view.concepts.get(hit.id)!;
    const matchedBy = found.named?.has(hit.id) ? "name" : found.stage;
    return { concept, score: round(hit.score), matchedBy, matched: hit.matched, snippet: snippet(concept, hit) };
  });
  return {
    results,
    total: found.hits.length,
    ...(found.corrected === undefined ? {} : { corrected: found.corrected }),
    nearest: results.length === 0 && query !== undefined ? nearestNames(view, query, 3) : [],
  };
}

interface Found {
  readonly stage: MatchedBy;
  readonly hits: readonly Hit[];
  readonly named?: ReadonlySet<string>;
  readonly corrected?: string;
}

function filter(
  view: CallerView,
  { category, direction, usageContext }: SearchQuestion,
): ReadonlyMap<string, Disclosed> {
  if (category === undefined && direction === undefined && usageContext === undefined) return view.listed;
  const words = queryWords(usageContext?.slice(0, maxQueryLength) ?? "").slice(0, maxWords);
  const wanted = words.flatMap((it) => searchTerms(it));
  // What holds the words in its usage contexts or tags holds them in the index; only that is read.
  const holding = wanted.length === 0 ? undefined : new Set(view.search.all(words).map((it) => it.id));
  return new Map(
    [...view.listed].filter(([id, { concept }]) => {
      if (category !== undefined && concept.category !== category) return false;
      if (direction !== undefined && concept.direction !== direction) return false;
      if (holding === undefined) return usageContext === undefined;
      if (!holding.has(id)) return false;
      const stems = new Set(
        searchTerms([...concept.usage_contexts, ...concept.usage_tags].join(" ")).map((it) => it.stem),
      );
      return wanted.every((it) => stems.has(it.stem));
    }),
  );
}

function browse(admitted: ReadonlyMap<string, Disclosed>): Found {
  return { stage: "all-words", hits: [...admitted.keys()].map((id) => ({ id, score: 1, matched: [] })) };
}

function staged(view: CallerView, query: string, admitted: ReadonlyMap<string, Disclosed>): Found {
  const words = queryWords(query).slice(0, maxWords);
  const keep = (hits: readonly Hit[]) => hits.filter((it) => admitted.has(it.id));
  const all = keep(view.search.all(words));
  const named = new Set(
    view.names
      .lookup(query.trim())
      .map((it) => it.id)
      .filter((id) => view.listed.has(id)),
  );
  if ([...named].some((id) => admitted.has(id)))
    return { stage: "all-words", named, hits: nameFirst(named, all, admitted, words) };
  if (all.length > 0) return { stage: "all-words", hits: all };
  const corrected = view.search.corrected(words);
  if (corrected && corrected.join(" ") !== words.join(" ")) {
    const hits = keep(view.search.all(corrected));
    if (hits.length > 0) return { stage: "corrected", hits, corrected: corrected.join(" ") };
  }
  const prefix = keep(view.search.all(words, { prefix: true }));
  if (prefix.length > 0) return { stage: "prefix", hits: prefix };
  return { stage: "some-words", hits: keep(holdingMost(view, words)) };
}

function nameFirst(
  named: ReadonlySet<string>,
  all: readonly Hit[],
  admitted: ReadonlyMap<string, Disclosed>,
  words: readonly string[],
): Hit[] {
  const top = (all[0]?.score ?? 1) + 1;
  const byName = [...named]
    .filter((id) => admitted.has(id))
    .map((id): Hit => {
      const hit = all.find((it) => it.id === id);
      return { id, score: top, matched: hit?.matched ?? [{ field: "name", terms: words.map(fold) }] };
    });
  return [...byName, ...all.filter((it) => !named.has(it.id))];
}

/** Concepts that hold two words or more, and of the query's weight at least six tenths. */
function holdingMost(view: CallerView, words: readonly string[]): readonly Hit[] {
  const corrected = words.map((it) => view.search.corrected([it])?.[0] ?? it);
  const weights = new Map(
    corrected.flatMap((it) => searchTerms(it)).map((it) => [it.stem, view.search.weightOf(it.stem)]),
  );
  const whole = [...weights.values()].reduce((sum, it) => sum + it, 0);
  return view.search.any(corrected).filter(({ matched }) => {
    const held = new Set(matched.flatMap((it) => it.terms));
    const weight = [...held].reduce((sum, it) => sum + (weights.get(it) ?? 0), 0);
    return held.size >= 2 && 0.6 * whole <= weight;
  });
}

/** The sentence or line that holds most of the matched words; the start of the definition otherwise. */
function snippet({ concept, notice }: Disclosed, hit: Hit): string {
  const terms = new Set(hit.matched.flatMap((it) => it.terms));
  const passages = [...sentences(concept.definition ?? notice ?? ""), ...concept.usage_contexts, ...concept.aliases];
  let best = passages[0] ?? concept.by_line;
  let most = 0;
  for (const passage of passages) {
    const held = new Set(
      searchTerms(passage)
        .map((it) => it.stem)
        .filter((it) => terms.has(it)),
    ).size;
    if (most < held) [best, most] = [passage, held];
  }
  return best.length <= 240 ? best : `${best.slice(0, 239).replace(/\s+\S*$/, "")}…`;
}

function round(score: number): number {
  return Math.round(score * 100) / 100;
}
