import { memoByText } from "../../base/memo-by-text.ts";
import type { Passage, Span } from "../text/formats/passage.ts";
import { breaks, type Tokens, tokenize } from "../text/words/tokens.ts";
import type { Hit } from "./automaton.ts";
import type { CompiledCue, CompiledRules } from "./compile-rules.ts";

/** A passage with its words and all that matched in it. */
export class PassageView {
  readonly passage: Passage;
  readonly tokens: Tokens;
  readonly hits: readonly Hit[];
  readonly rules: CompiledRules;
  #byPattern: Map<number, Hit[]> | undefined;

  constructor(passage: Passage, rules: CompiledRules) {
    this.passage = passage;
    this.rules = rules;
    const { tokens, hits } = wordsOf(rules)(passage.text);
    this.tokens = tokens;
    this.hits = hits;
  }

  of(pattern: number): readonly Hit[] {
    return this.#index().get(pattern) ?? nothing;
  }

  ofSet(name: string): readonly Hit[] {
    return this.of(this.rules.set(name));
  }

  has(pattern: number): boolean {
    return this.#index().has(pattern);
  }

  /** Made when first asked: most passages hold nothing that any rule speaks about. */
  #index(): ReadonlyMap<number, readonly Hit[]> {
    if (this.#byPattern !== undefined) return this.#byPattern;
    const index = new Map<number, Hit[]>();
    for (const hit of this.hits) {
      const list = index.get(hit.pattern);
      if (list === undefined) index.set(hit.pattern, [hit]);
      else list.push(hit);
    }
    this.#byPattern = index;
    return index;
  }

  /** A hit of the pattern that lies in a range of tokens. */
  within(pattern: number, from: number, to: number): Hit | undefined {
    const list = this.of(pattern);
    for (let at = firstFrom(list, from); at < list.length; at += 1) {
      const hit = list[at];
      if (hit === undefined || hit.start >= to) return undefined;
      if (hit.end <= to) return hit;
    }
    return undefined;
  }

  /** A hit of the pattern that overlaps a range of tokens. Patterns are a few words long. */
  overlapping(pattern: number, from: number, to: number): Hit | undefined {
    const list = this.of(pattern);
    for (let at = firstFrom(list, from - longest); at < list.length; at += 1) {
      const hit = list[at];
      if (hit === undefined || hit.start >= to) return undefined;
      if (hit.end > from) return hit;
    }
    return undefined;
  }

  /** A hit of the pattern that ends at most `most` tokens before a token, in the same sentence. */
  before(pattern: number, token: number, most: number): Hit | undefined {
    const floor = Math.max(this.sentence(token).from, token - most - longest);
    const list = this.of(pattern);
    let best: Hit | undefined;
    for (let at = firstFrom(list, floor); at < list.length; at += 1) {
      const hit = list[at];
      if (hit === undefined || hit.start >= token) break;
      if (hit.end <= token && token - hit.end <= most && (best === undefined || hit.end > best.end)) best = hit;
    }
    return best;
  }

  /** A hit of the pattern that begins at most `most` tokens behind a range, in the same sentence. */
  after(pattern: number, token: number, most: number): Hit | undefined {
    const ceiling = Math.min(this.sentence(Math.max(0, token - 1)).to, token + most + 1);
    const list = this.of(pattern);
    const hit = list[firstFrom(list, token)];
    return hit !== undefined && hit.start < ceiling ? hit : undefined;
  }

  sentence(token: number): { readonly from: number; readonly to: number } {
    const index = this.tokens.sentence[token] ?? 0;
    const starts = this.tokens.sentenceStart;
    return { from: starts[index] ?? 0, to: starts[index + 1] ?? this.tokens.count };
  }

  /** The clause around a range: up to a semicolon, a colon or the end of the sentence, at most 40 words each way. */
  clause(from: number, to: number): { readonly from: number; readonly to: number } {
    const sentence = this.sentence(from);
    let start = from;
    while (start > sentence.from && from - start < 40 && (this.tokens.gap[start] ?? 0) < breaks.clause) start -= 1;
    let end = to;
    while (end < sentence.to && end - to < 40 && (this.tokens.gap[end] ?? 0) < breaks.clause) end += 1;
    return { from: start, to: end };
  }

  /** The tokens between two offsets of the passage's text. */
  tokensIn(start: number, end: number): { readonly from: number; readonly to: number } {
    const from = firstWhere(this.tokens.end, (offset) => offset > start);
    return {
      from,
      to: Math.max(
        from,
        firstWhere(this.tokens.start, (offset) => offset >= end),
      ),
    };
  }

  /** The place of a range of tokens in the text of the passage. A possessive ending stays outside. */
  span(from: number, to: number): Span {
    const start = this.tokens.start[from] ?? 0;
    const end = this.tokens.end[to - 1] ?? start;
    return { start, end };
  }

  meets(cue: CompiledCue, hit: Hit, around: Around): boolean {
    if (cue.in === "start") return this.sentence(hit.from).from === hit.from;
    return cue.any.some((pattern) => this.#meets(cue, pattern, hit, around));
  }

  /** The words of a range of tokens, as they stand. */
  words(from: number, to: number): string {
    const { start, end } = this.span(from, to);
    return this.passage.text.slice(start, end).replace(/\s+/g, " ");
  }

  #meets(cue: CompiledCue, pattern: number, hit: Hit, around: Around): boolean {
    switch (cue.in) {
      case "sentence": {
        const { from, to } = this.sentence(hit.from);
        return this.#elsewhere(pattern, from, to, hit);
      }
      case "clause": {
        const { from, to } = this.clause(hit.from, hit.to);
        return this.#elsewhere(pattern, from, to, hit);
      }
      case "near":
        return this.#near(pattern, hit, cue.within);
      case "before":
        return this.before(pattern, hit.from, cue.within) !== undefined;
      case "after":
        return this.after(pattern, hit.to, cue.within) !== undefined;
      case "passage":
        return this.has(pattern);
      case "nearby":
        return this.has(pattern) || (around.previous?.has(pattern) ?? false) || around.inHeadings(pattern);
      case "document":
        return around.document.has(pattern);
      case "start":
        return false;
    }
  }

  /** At most `most` words from the match, with no comma, bracket or stop between. */
  #near(pattern: number, hit: Hit, most: number): boolean {
    const { gap } = this.tokens;
    let from = hit.from;
    while (from > 0 && hit.from - from < most + longest && (gap[from] ?? 0) === breaks.none) from -= 1;
    let to = hit.to;
    while (to < this.tokens.count && to - hit.to < most + longest && (gap[to] ?? 0) === breaks.none) to += 1;
    const before = this.before(pattern, hit.from, most);
    if (before !== undefined && before.end > from) return true;
    const after = this.after(pattern, hit.to, most);
    return after !== undefined && after.start < to;
  }

  /** A cue is another word than the flagged one. */
  #elsewhere(pattern: number, from: number, to: number, hit: Hit): boolean {
    return this.within(pattern, from, hit.from) !== undefined || this.within(pattern, hit.to, to) !== undefined;
  }
}

export interface Around {
  readonly previous: PassageView | undefined;
  /** Whether a pattern matched in one of the two headings above. */
  inHeadings(pattern: number): boolean;
  /** Patterns that matched anywhere in the document. */
  readonly document: ReadonlySet<number>;
}

interface ReadWords {
  readonly tokens: Tokens;
  readonly hits: readonly Hit[];
}

/** What the rules find in a text depends on the text alone: paragraphs that did not change are not read again. */
const readers = new WeakMap<CompiledRules, (text: string) => ReadWords>();

function wordsOf(rules: CompiledRules): (text: string) => ReadWords {
  const known = readers.get(rules);
  if (known !== undefined) return known;
  const read = memoByText((text) => {
    const tokens = tokenize(text);
    return { tokens, hits: rules.automaton.scan(tokens) };
  });
  readers.set(rules, read);
  return read;
}

/** All that the patterns find in a passage. */
export const hitsOf = (passage: Passage, rules: CompiledRules): readonly Hit[] => wordsOf(rules)(passage.text).hits;

const nothing: readonly Hit[] = [];
const longest = 12;

function firstFrom(list: readonly Hit[], token: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.start ?? 0) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index of a sorted array whose value passes; its length when none does. */
function firstWhere(sorted: Int32Array, passes: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(sorted[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
