import { fold } from "./letters.ts";

/** How strongly a token is parted from the one before it. */
export const breaks = { none: 0, phrase: 1, clause: 2, sentence: 3 } as const;

/**
 * The words of a passage, as parallel arrays. Hyphens and spaces part words softly; commas, brackets, quotation marks
 * and dashes end a phrase; semicolons and colons a clause; full stops a sentence. `®`, `™`, arrows and check marks are
 * tokens. Offsets are UTF-16 units.
 */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** One of `breaks`, before each token. */
  readonly gap: Uint8Array;
  /** Lower case, no diacritics, apostrophes as `'`. */
  readonly key: readonly string[];
  /** Index of the sentence each token stands in, and the token each sentence begins with; the last entry is `count`. */
  readonly sentence: Int32Array;
  readonly sentenceStart: readonly number[];
  /** Tokens that are words, symbols aside. */
  readonly words: number;
}

/** Soft hyphens and the joiners of width zero stand inside a word and are none of it. */
const pattern =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200b-\u200d\u2060]*(?:['’ʼ‘ʻꞌ`´][\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200b-\u200d\u2060]*)*|[®™→⇒➜✗✘✓✔❌✅🚫👎👍⛔\uFFFC]|[-=]>/gu;

export function tokenize(text: string): Tokens {
  const starts: number[] = [];
  const ends: number[] = [];
  const key: string[] = [];
  let wordCount = 0;
  for (const match of text.matchAll(pattern)) {
    const word = match[0];
    starts.push(match.index);
    ends.push(match.index + word.length);
    const symbol = isSymbol(word);
    key.push(symbol ? (word === "->" || word === "=>" ? "→" : word) : keyOf(word));
    if (!symbol) wordCount += 1;
  }
  const count = key.length;
  const gap = new Uint8Array(count);
  const sentence = new Int32Array(count);
  const sentenceStart = [0];
  for (let at = 0; at < count; at += 1) {
    gap[at] = at === 0 ? breaks.sentence : breakBetween(text, ends[at - 1] ?? 0, starts[at] ?? 0, key[at - 1] ?? "");
    if (at > 0 && gap[at] === breaks.sentence) sentenceStart.push(at);
    sentence[at] = sentenceStart.length - 1;
  }
  sentenceStart.push(count);
  return {
    text,
    count,
    start: Int32Array.from(starts),
    end: Int32Array.from(ends),
    gap,
    key,
    sentence,
    sentenceStart,
    words: wordCount,
  };
}

/** A word as the tables of rules are keyed. */
export function keyOf(word: string): string {
  if (/^[\x20-\x7f]*$/.test(word)) return word.toLowerCase();
  if (isSymbol(word)) return word;
  return word
    .split(/['’ʼ‘ʻꞌ`´]/)
    .map(fold)
    .join("'");
}

const isSymbol = (word: string): boolean => !/[\p{L}\p{N}]/u.test(word);

const abbreviations = new Set(
  "e.g i.e eg ie incl excl esp cf vs etc dr mr mrs ms st ste prof no nos art arts sec ch fig p pp vol al ca approx jr sr inc ltd u.s s ss".split(
    " ",
  ),
);

function breakBetween(text: string, from: number, to: number, before: string): number {
  let found: number = breaks.none;
  for (let at = from; at < to; at += 1) {
    const kind = breakOf(text, at, to, before);
    if (kind > found) found = kind;
    if (found === breaks.sentence) break;
  }
  return found;
}

function breakOf(text: string, at: number, to: number, before: string): number {
  const character = text[at] ?? "";
  switch (character) {
    case "\n":
      return text[at + 1] === "\n" ? breaks.sentence : breaks.none;
    case "-":
    case "‐":
    case "‑":
    case "_":
    case "*":
    case "\u00a0":
    case "\u2009":
    case "\u202f":
    case "\u00ad":
    case "\u200b":
    case "\u200d":
    case "\u2060":
    case "\ufeff":
    case "'":
    case "’":
    case " ":
    case "\t":
      return breaks.none;
    case ".":
      return endsSentence(text, at, to, before) ? breaks.sentence : breaks.phrase;
    case "!":
    case "?":
    case "。":
      return breaks.sentence;
    case ":":
      // A letter of its own in many names: Kanien'kehá:ka, Stó:lō.
      return isInsideWord(text, at) ? breaks.none : breaks.clause;
    case "…":
    case ";":
      return breaks.clause;
    default:
      return /[\p{M}\p{Zs}]/u.test(character) ? breaks.none : breaks.phrase;
  }
}

const isInsideWord = (text: string, at: number): boolean =>
  /\p{L}/u.test(text[at - 1] ?? "") && /\p{Ll}/u.test(text[at + 1] ?? "");

/** A full stop ends a sentence before a blank, unless the word before is a usual abbreviation or an initial. */
function endsSentence(text: string, at: number, to: number, before: string): boolean {
  const next = text[at + 1];
  if (next !== undefined && at + 1 < to && /[\s"'”’)\]*_]/.test(next)) {
    const following = text[to] ?? "";
    if ((before === "no" || before === "nos") && !/\d/.test(following)) return true;
    if (abbreviations.has(before)) return false;
    return !/^\p{Ll}$/u.test(following) || before.length > 3;
  }
  return at + 1 >= to && to >= text.length;
}
