import { keyOf } from "../text/words/tokens.ts";

/** How the first letter of a word must stand in the text. */
export type LetterCase = "any" | "lower" | "capital";

/** One place of a pattern. */
export type Slot =
  | {
      readonly kind: "word";
      readonly word: string;
      readonly exact: boolean;
      readonly letterCase: LetterCase;
    }
  | { readonly kind: "choice"; readonly choices: readonly (readonly Slot[])[] }
  | { readonly kind: "set"; readonly name: string }
  | { readonly kind: "any"; readonly most: number };

export interface PatternSlot {
  readonly slot: Slot;
  readonly optional: boolean;
  /** A comma or bracket may stand before this place. */
  readonly afterComma: boolean;
}

export interface Pattern {
  readonly slots: readonly PatternSlot[];
  /** Slot indexes of the part that is flagged: the braces, else everything. `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a pattern. Its words are separated by blanks or hyphens and mean all their forms; `=word` only itself, `_word`
 * only with a small first letter, `^Word` only with a capital one. `a|b` is a choice, `(word)` may be missing,
 * `@name` is any entry of a set, `...` up to three words (`...5` up to five), `word,` allows a comma. Braces mark what
 * is flagged when that is not everything: `{discover} ... @lands`.
 * Throws a sentence when the pattern has no word.
 */
export function parsePattern(text: string): Pattern {
  const slots: PatternSlot[] = [];
  let from = -1;
  let to = -1;
  let comma = false;
  for (const raw of pieces(text)) {
    let piece = raw;
    if (piece.startsWith("{")) {
      from = slots.length;
      piece = piece.slice(1);
    }
    const nextComma = piece.endsWith(",");
    if (nextComma) piece = piece.slice(0, -1);
    const closes = piece.endsWith("}");
    if (closes) piece = piece.slice(0, -1);
    const optional = piece.startsWith("(") && piece.endsWith(")");
    if (optional) piece = piece.slice(1, -1);
    if (/[{}()[\]]/.test(piece)) throw new Error(`The pattern "${text}" has a stray bracket at "${raw}".`);
    for (const slot of parsePiece(piece)) {
      slots.push({ slot, optional, afterComma: comma });
      // A place that may be missing hands the comma on to the one behind it.
      if (!optional) comma = false;
    }
    if (nextComma) comma = true;
    if (closes) to = slots.length;
  }
  if (!slots.some(({ slot }) => slot.kind !== "any")) throw new Error(`The pattern "${text}" holds no word.`);
  if (slots.length > maxPlaces)
    throw new Error(`The pattern "${shortened(text)}" has more than ${maxPlaces} words. Write it as several.`);
  if (waysThrough(slots) > maxWays)
    throw new Error(
      `The pattern "${shortened(text)}" can be read in more than ${maxWays} ways. Take out optional words, gaps or choices of different lengths, or write it as several.`,
    );
  return { slots, from: Math.max(0, from), to: to < 0 ? slots.length : to };
}

/** What is wrong with a pattern, in a sentence; `undefined` when it can be read. */
export function patternFault(text: string): string | undefined {
  try {
    parsePattern(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Each optional word doubles the ways in which a pattern can match, each gap multiplies them by its length, and each
 * choice by the different lengths of what it chooses from.
 */
export const maxWays = 4096;
/** Places of a pattern: more than the longest sentence has words. */
export const maxPlaces = 256;

export function waysThrough(slots: readonly PatternSlot[]): number {
  return slots.reduce((ways, { slot, optional }) => ways * (lengthsOf(slot) + Number(optional)), 1);
}

function lengthsOf(slot: Slot): number {
  if (slot.kind === "any") return slot.most + 1;
  return slot.kind === "choice" ? new Set(slot.choices.map((choice) => choice.length)).size : 1;
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

const pieces = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter((piece) => piece !== "");

function parsePiece(piece: string): readonly Slot[] {
  const any = /^\.\.\.(\d*)$/.exec(piece);
  if (any !== null) return [{ kind: "any", most: any[1] === "" ? 3 : Math.min(8, Number(any[1])) }];
  if (piece.includes("|")) {
    return [{ kind: "choice", choices: piece.split("|").map((choice) => parseWords(choice)) }];
  }
  return parseWords(piece);
}

/** `pow-wow` is two words, wherever it stands. */
function parseWords(piece: string): readonly Slot[] {
  if (piece.startsWith("@")) return [{ kind: "set", name: piece.slice(1) }];
  const prefix = /^[=_^]+/.exec(piece)?.[0] ?? "";
  const letterCase: LetterCase = prefix.includes("_") ? "lower" : prefix.includes("^") ? "capital" : "any";
  return piece
    .slice(prefix.length)
    .split(/[-:+]/)
    .filter((word) => word !== "")
    .map((word) => ({ kind: "word", word: keyOf(word), exact: prefix.includes("="), letterCase }));
}
