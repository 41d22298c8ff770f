import { type Word, words } from "../words/words.ts";
import { gapBetween, punctuationToken } from "./name-gap.ts";
import { otherNumber } from "./name-plurals.ts";

/** The token sequences under which a text may write a name. `plural` marks those that change the number of a word. */
export interface NameForm {
  readonly tokens: readonly string[];
  readonly plural: boolean;
}

/**
 * Forms of one name: its words, hyphens closed up, identifiers whole and in parts, and, for names in English, the head
 * word in the other number (`circle of care` → `circles of care`).
 */
export function formsOf(name: string, inflect: boolean): readonly NameForm[] {
  const read = words(name);
  if (read.length === 0) return [];
  const plain = distinct([
    read.flatMap(wholeOrCharacters),
    read.flatMap(partsOf),
    closeHyphens(name, read),
    withPunctuation(name, read),
  ]);
  const forms = plain.map((tokens) => ({ tokens, plural: false }));
  return inflect ? [...forms, ...plain.flatMap(inNumbers).map((tokens) => ({ tokens, plural: true }))] : forms;
}

/** One key for names and questions: separators, case, diacritics and apostrophes do not matter. */
export function squash(text: string): string {
  return words(text)
    .map((word) => word.loose)
    .join("");
}

/** Keys under which a question may ask for a name, the other number of its head word included. */
export function squashedForms(
  name: string,
  inflect: boolean,
): { readonly plain: string; readonly plural: readonly string[] } {
  const tokens = words(name).map((word) => word.loose);
  return {
    plain: tokens.join(""),
    plural: inflect ? inNumbers(tokens).map((form) => form.join("")) : [],
  };
}

const wholeOrCharacters = (word: Word): readonly string[] =>
  word.unspaced ? word.parts.map((part) => part.loose) : [word.loose];

const partsOf = (word: Word): readonly string[] =>
  word.parts.length > 0 && word.possessive === undefined ? word.parts.map((part) => part.loose) : [word.loose];

function closeHyphens(name: string, read: readonly Word[]): readonly string[] {
  const tokens: string[] = [];
  let end = -1;
  for (const word of read) {
    const last = tokens.at(-1);
    const closes = last !== undefined && !word.unspaced && gapBetween(name, end, word.start) === "joined";
    if (closes) tokens[tokens.length - 1] = last + word.loose;
    else tokens.push(...wholeOrCharacters(word));
    end = word.end;
  }
  return tokens;
}

/** A name's own commas, strokes and brackets are tokens of it: "Germination, Assimilation, Completion". */
function withPunctuation(name: string, read: readonly Word[]): readonly string[] {
  return read.flatMap((word, i) => {
    const end = read[i - 1]?.end;
    const isSoft = end === undefined || gapBetween(name, end, word.start) !== undefined;
    return isSoft ? wholeOrCharacters(word) : [punctuationToken(name, end, word.start), ...wholeOrCharacters(word)];
  });
}

function inNumbers(tokens: readonly string[]): readonly (readonly string[])[] {
  const preposition = tokens.findIndex((token, index) => index > 0 && prepositions.has(token));
  const heads = preposition > 0 ? [preposition - 1, tokens.length - 1] : [tokens.length - 1];
  return heads.flatMap((head) => otherNumber(tokens[head] ?? "").map((form) => tokens.with(head, form)));
}

function distinct(sequences: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Map(sequences.map((tokens) => [tokens.join(" "), tokens]));
  return [...seen.values()];
}

const prepositions: ReadonlySet<string> = new Set(["of", "in", "for", "with", "to", "between", "on", "as"]);
