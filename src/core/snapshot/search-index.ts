import MiniSearch, { type SearchOptions } from "minisearch";
import type { Disclosed } from "../concept/disclosure.ts";
import { editDistance } from "../concept/nearest.ts";
import type { Sources } from "../concept/vocabulary.ts";
import { compare } from "./relation-graph.ts";
import { searchTerms, stopWords } from "./search-terms.ts";

export const searchFields = ["name", "aliases", "contexts", "tags", "definition", "people", "facets"] as const;
export type SearchField = (typeof searchFields)[number];

export interface Hit {
  readonly id: string;
  /** Relevance, comparable within one answer only. */
  readonly score: number;
  readonly matched: readonly { readonly field: SearchField; readonly terms: readonly string[] }[];
}

interface Document extends Readonly<Record<SearchField, string>> {
  readonly id: string;
}

export type FieldWeights = Readonly<Record<SearchField, number>>;

const boost: FieldWeights = {
  name: 8,
  aliases: 6,
  contexts: 2.5,
  tags: 2.5,
  definition: 2,
  people: 3,
  facets: 0.7,
};

/** Places of stems in concepts that one question with alternatives may read. */
const maxHeld = 30_000;

/** The one place that knows minisearch: an index of words over what was disclosed. */
export class SearchIndex {
  readonly #index: MiniSearch<Document>;
  readonly #size: number;
  /** Folded words of the index, by length, for spelling correction. */
  readonly #words = new Map<number, string[]>();
  readonly #stems = new Map<string, string>();
  readonly #frequency = new Map<string, number>();

  constructor(concepts: ReadonlyMap<string, Disclosed>, sources: Sources) {
    this.#size = concepts.size;
    this.#index = new MiniSearch<Document>({
      fields: [...searchFields],
      tokenize: (text) => searchTerms(text).map((it) => it.stem),
      processTerm: (stem) => stem,
    });
    const documents = [...concepts.values()].map((it) => documentOf(it, sources));
    this.#index.addAll(documents);
    for (const document of documents) this.#note(document);
    for (const words of this.#words.values()) words.sort(compare);
  }

  /** Concepts that hold all of the words, best first. */
  all(words: readonly string[], { prefix = false } = {}): readonly Hit[] {
    return this.#search(words.join(" "), { combineWith: "AND", prefix, boost });
  }

  /** Concepts that hold any of the words, best first. */
  any(words: readonly string[]): readonly Hit[] {
    const stems = new Set(words.flatMap((it) => searchTerms(it).map((term) => term.stem)));
    return this.anyStem(new Map([...stems].map((it) => [it, 1])), boost);
  }

  /** Concepts that hold any of these stems, best first; each stem counts with its weight. */
  anyStem(stems: ReadonlyMap<string, number>, fields: FieldWeights): readonly Hit[] {
    return this.#search(this.#rarest([...stems.keys()]).join(" "), {
      combineWith: "OR",
      prefix: false,
      boost: fields,
      tokenize: (text) => text.split(" "),
      boostTerm: (stem) => stems.get(stem) ?? 1,
    });
  }

  /** The rarest of the stems, as many as `maxHeld` places allow: in a large vocabulary the commonest tell nothing. */
  #rarest(stems: readonly string[]): readonly string[] {
    const known = stems.filter((it) => this.frequencyOf(it) > 0);
    if (known.reduce((sum, it) => sum + this.frequencyOf(it), 0) <= maxHeld) return known;
    let left = maxHeld;
    return known
      .sort((a, b) => this.frequencyOf(a) - this.frequencyOf(b) || compare(a, b))
      .filter((it, i) => {
        left -= this.frequencyOf(it);
        return i === 0 || left >= 0;
      });
  }

  /** In how many concepts a word stands, 0 to the number of concepts. */
  frequencyOf(stem: string): number {
    return this.#frequency.get(stem) ?? 0;
  }

  /** Inverse document frequency of a stem; a word nobody uses weighs most. */
  weightOf(stem: string): number {
    return Math.log(1 + (this.#size - this.frequencyOf(stem) + 0.5) / (this.frequencyOf(stem) + 0.5));
  }

  /** The words as given, each unknown one replaced by the nearest known one; `undefined` when one has none near. */
  corrected(words: readonly string[]): readonly string[] | undefined {
    const corrected = words.map((word) => (this.#isKnown(word) ? word : this.#nearestWord(word)));
    return corrected.every((it) => it !== undefined) ? corrected : undefined;
  }

  #isKnown(word: string): boolean {
    return searchTerms(word).every((it) => this.frequencyOf(it.stem) > 0);
  }

  #nearestWord(word: string): string | undefined {
    if (word.length < 4) return undefined;
    const most = word.length < 7 ? 1 : 2;
    let best: string | undefined;
    let least = most + 1;
    for (let length = word.length - most; length <= word.length + most; length++) {
      for (const candidate of this.#words.get(length) ?? []) {
        // People rarely miss the first letter; it keeps the scan and the guesses small.
        if (candidate[0] !== word[0] && candidate[1] !== word[0]) continue;
        const distance = editDistance(word, candidate, Math.min(least, most));
        const isCommoner =
          distance === least && best !== undefined && this.#wordFrequency(candidate) > this.#wordFrequency(best);
        if (distance < least || isCommoner) [best, least] = [candidate, distance];
      }
    }
    return best;
  }

  #wordFrequency(word: string): number {
    return this.frequencyOf(this.#stems.get(word) ?? word);
  }

  #note(document: Document): void {
    const stems = new Set<string>();
    for (const field of searchFields) {
      for (const { word, stem } of searchTerms(document[field])) {
        stems.add(stem);
        if (this.#stems.has(word)) continue;
        this.#stems.set(word, stem);
        const sameLength = this.#words.get(word.length);
        if (sameLength) sameLength.push(word);
        else this.#words.set(word.length, [word]);
      }
    }
    for (const stem of stems) this.#frequency.set(stem, this.frequencyOf(stem) + 1);
  }

  #search(query: string, options: SearchOptions): readonly Hit[] {
    if (query === "") return [];
    const results = this.#index.search(query, { ...options, bm25: { k: 1.2, b: 0.6, d: 0.5 } });
    return results
      .map(({ id, score, match }) => hitOf(id as string, score, match))
      .sort((a, b) => b.score - a.score || compare(a.id, b.id));
  }
}

/** The words of a query that carry a subject; all of them when none does. */
export function queryWords(query: string): readonly string[] {
  const words = [...new Set(searchTerms(query).map((it) => it.word))];
  const telling = words.filter((it) => !stopWords.has(it));
  return telling.length > 0 ? telling : words;
}

/** What matched is put together when it is asked for: of thousands of hits, few are looked into. */
function hitOf(id: string, score: number, match: Readonly<Record<string, readonly string[]>>): Hit {
  let matched: Hit["matched"] | undefined;
  return {
    id,
    score,
    get matched() {
      matched ??= matchedFields(match);
      return matched;
    },
  };
}

function matchedFields(match: Readonly<Record<string, readonly string[]>>): Hit["matched"] {
  return searchFields
    .map((field) => ({
      field,
      terms: Object.keys(match)
        .filter((term) => match[term]!.includes(field))
        .sort(compare),
    }))
    .filter((it) => it.terms.length > 0);
}

function documentOf({ concept }: Disclosed, sources: Sources): Document {
  const { two_eyed_seeing, polycentric, relational } = concept.indigenous_connections;
  const facets = [
    two_eyed_seeing,
    polycentric,
    relational,
    ...concept.governance.care,
    ...concept.governance.agent_may_not,
  ];
  const authors = concept.sources.flatMap(({ key }) => sources[key]?.authors ?? []);
  return {
    id: concept.id,
    name: [concept.id, concept.name, ...concept.names.map((it) => it.text)].join(" "),
    aliases: [...concept.aliases, ...concept.search_names].join(" "),
    contexts: [...concept.usage_contexts, ...concept.examples].join(" "),
    tags: concept.usage_tags.join(" "),
    definition: concept.definition ?? "",
    people: [...concept.peoples, concept.holder, concept.by_line, ...authors].join(" "),
    facets: facets.filter((it) => it !== null).join(" "),
  };
}
