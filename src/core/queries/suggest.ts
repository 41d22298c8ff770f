import type { Disclosed } from "../concept/disclosure.ts";
import { compare, type Edge } from "../snapshot/relation-graph.ts";
import type { FieldWeights, Hit, SearchField } from "../snapshot/search-index.ts";
import { searchTerms } from "../snapshot/search-terms.ts";
import type { CallerView } from "../snapshot/view.ts";
import { type ConceptRef, ref } from "./resolve.ts";
import { sentences } from "./sentences.ts";
import { type TaskTerm, taskTerms } from "./task-terms.ts";

export interface Suggestion extends ConceptRef {
  /** 0 to 1, relative to the best of this answer. */
  readonly score: number;
  /** Why it is suggested, as a sentence. */
  readonly why: string;
  /** Words or names of the context that led to it. */
  readonly matched: readonly string[];
  /** The concept it was reached through, when the context itself does not speak of it. */
  readonly via?: ConceptRef;
}

/** Where a word counts most: in the words of people's tasks, then in names. */
const weights: FieldWeights = { name: 4, aliases: 4, contexts: 5, tags: 0.5, definition: 2, people: 2.5, facets: 0.5 };
/** What a single shared word of middling rarity is worth: less than this is coincidence. */
const minEvidence = 4;
/** How much shared words count that stand in no passage together. */
const apart = 0.75;
const worth: Readonly<Record<SearchField, number>> = {
  name: 1,
  aliases: 1,
  contexts: 1,
  tags: 0.2,
  definition: 0.7,
  people: 0.8,
  facets: 0.2,
};
/** Only the best hits are looked into. */
const maxExamined = 40;
const seedCount = 4;
const spread = 0.35;

interface Seed {
  readonly id: string;
  readonly score: number;
  readonly why: string;
  readonly matched: readonly string[];
}

/** Concepts that should inform a task: found by its words first, then by what is related to those. */
export function suggest(view: CallerView, context: string, most: number): readonly Suggestion[] {
  const seeds = collect(view, context);
  const best = Math.max(0, ...seeds.map((it) => it.score));
  if (best === 0) return [];
  const scored = new Map(seeds.map((it) => [it.id, { ...it, via: undefined as Edge | undefined }]));
  for (const seed of seeds.slice(0, seedCount)) {
    for (const edge of view.graph.edgesOf(seed.id)) {
      const gain = seed.score * edge.strength * spread;
      const known = scored.get(edge.to);
      if (known) scored.set(edge.to, { ...known, score: known.score + gain * 0.5 });
      else scored.set(edge.to, { id: edge.to, score: gain, why: "", matched: [], via: edge });
    }
  }
  return [...scored.values()]
    .sort((a, b) => b.score - a.score || compare(a.id, b.id))
    .slice(0, most)
    .map((it) => suggestion(view, it, best));
}

function suggestion(
  view: CallerView,
  { id, score, why, matched, via }: Seed & { readonly via: Edge | undefined },
  best: number,
): Suggestion {
  const own = ref(view.concepts.get(id)!);
  const share = Math.min(1, Math.round((score / best) * 100) / 100);
  if (!via) return { ...own, score: share, why, matched };
  const from = ref(view.concepts.get(via.from)!);
  const analogy = via.byAnalogy ? ", by analogy" : "";
  return { ...own, score: share, why: `${from.name} ${via.type} it${analogy}.`, matched, via: from };
}

function collect(view: CallerView, context: string): Seed[] {
  const words = taskTerms(view, context);
  const stemWeight = new Map<string, number>();
  for (const { stems } of words)
    for (const [stem, weight] of stems) stemWeight.set(stem, Math.max(weight, stemWeight.get(stem) ?? 0));
  const seeds = new Map<string, Seed>();
  for (const hit of view.search.anyStem(stemWeight, weights).slice(0, maxExamined)) {
    const { evidence, matched } = evidenceOf(view, hit, words);
    if (evidence < minEvidence) continue;
    seeds.set(hit.id, {
      id: hit.id,
      score: hit.score,
      why: `Its ${fieldWords(hit)} hold ${quoted(matched)}.`,
      matched,
    });
  }
  const top = Math.max(1, ...[...seeds.values()].map((it) => it.score));
  for (const [id, text] of mentioned(view, context)) {
    const seed = seeds.get(id);
    seeds.set(id, { id, score: top + (seed?.score ?? 0), why: `The context names it: "${text}".`, matched: [text] });
  }
  // A boundary only stops what would touch it: it informs no task.
  return [...seeds.values()]
    .filter((it) => view.concepts.get(it.id)!.concept.tier !== "boundary")
    .sort((a, b) => b.score - a.score || compare(a.id, b.id));
}

/** Concepts that the context names, by the text that names them. */
function mentioned(view: CallerView, context: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const mention of view.names.find(context)) {
    const ids = new Set(mention.candidates.map((it) => it.id));
    if (ids.size !== 1) continue;
    const [id] = ids;
    if (view.listed.has(id!) && !found.has(id!)) found.set(id!, context.slice(mention.start, mention.end));
  }
  return found;
}

/**
 * Rarity of the shared words, each of the task's words counted once, where it says most. Words that stand together in
 * one passage of the concept speak of one matter; scattered ones count in part.
 */
function evidenceOf(
  view: CallerView,
  hit: Hit,
  words: readonly TaskTerm[],
): { evidence: number; matched: readonly string[] } {
  const best = new Map<string, number>();
  for (const { field, terms } of hit.matched) {
    for (const term of terms) best.set(term, Math.max(best.get(term) ?? 0, worth[field] * view.search.weightOf(term)));
  }
  const worthOf = ({ stems }: TaskTerm, among?: ReadonlySet<string>): number => {
    let most = 0;
    for (const [stem, weight] of stems)
      if (!among || among.has(stem)) most = Math.max(most, weight * (best.get(stem) ?? 0));
    return most;
  };
  const isOnePassage = passagesOf(view, view.concepts.get(hit.id)!).some(
    (among) => words.filter((it) => worthOf(it, among) > 0).length >= 2,
  );
  const evidence = words.reduce((total, it) => total + worthOf(it), 0) * (isOnePassage ? 1 : apart);
  return { evidence, matched: words.filter((it) => worthOf(it) > 0).map((it) => it.word) };
}

/** Stems of each passage of a concept: a usage context, an example, a sentence, the names, the attribution. */
function passagesOf(view: CallerView, disclosed: Disclosed): readonly ReadonlySet<string>[] {
  const { concept } = disclosed;
  const known = view.once(passagesById).get(concept.id);
  if (known) return known;
  const texts = [
    ...concept.usage_contexts,
    ...concept.examples,
    ...sentences(concept.definition ?? ""),
    [concept.name, ...concept.names.map((it) => it.text), ...concept.aliases, ...concept.peoples, concept.by_line].join(
      " ",
    ),
  ];
  const made = texts.map((it) => new Set(searchTerms(it).map((term) => term.stem)));
  view.once(passagesById).set(concept.id, made);
  return made;
}

function passagesById(): Map<string, readonly ReadonlySet<string>[]> {
  return new Map();
}

function fieldWords(hit: Hit): string {
  const words: Readonly<Record<SearchField, string>> = {
    name: "names",
    aliases: "names",
    contexts: "usage contexts",
    tags: "usage tags",
    definition: "definition's words",
    people: "attribution's words",
    facets: "context's words",
  };
  return [...new Set(hit.matched.map((it) => words[it.field]))].slice(0, 2).join(" and ");
}

function quoted(words: readonly string[]): string {
  return words
    .slice(0, 5)
    .map((it) => `"${it}"`)
    .join(", ");
}
