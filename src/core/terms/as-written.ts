import { otherNumber } from "../text/names/name-plurals.ts";

/**
 * A replacement as the flagged words are written: their capitals, and the number of their last word, which a rule's
 * phrases have in one form. `undefined` where no form is certain to stand in the sentence: no edit is then offered.
 */
export function asWritten(replacement: string, flagged: string, phrases: readonly string[]): string | undefined {
  const numbered = inNumber(replacement, flagged, phrases);
  return numbered === undefined ? undefined : inCase(numbered, flagged);
}

const lastWord = /[\p{L}\p{M}]+(?=[^\p{L}\p{M}]*$)/u;

function inNumber(replacement: string, flagged: string, phrases: readonly string[]): string | undefined {
  const written = lastWord.exec(flagged)?.[0].toLowerCase();
  const ends = phrases.flatMap((phrase) => lastWord.exec(phrase)?.[0].toLowerCase() ?? []);
  if (written === undefined || ends.includes(written)) return replacement;
  if (!ends.some((end) => otherNumber(end).includes(written))) return undefined;
  const word = lastWord.exec(replacement);
  const other = word === null ? undefined : otherNumber(word[0].toLowerCase())[0];
  if (word === null || other === undefined) return undefined;
  const capital = /^\p{Lu}/u.test(word[0]) ? capitalized(other) : other;
  return replacement.slice(0, word.index) + capital + replacement.slice(word.index + word[0].length);
}

function inCase(replacement: string, flagged: string): string {
  const words = flagged.match(/[\p{L}\p{M}]+/gu) ?? [];
  if (words.length === 0 || !words.every((word) => /^\p{Lu}/u.test(word)))
    return /^[^\p{L}]*\p{Lu}\p{Ll}/u.test(flagged) ? capitalized(replacement) : replacement;
  if (words.join("").length > 1 && words.every((word) => word === word.toUpperCase())) return replacement.toUpperCase();
  return words.length > 1
    ? replacement.replace(/(?<![\p{L}\p{M}’'])\p{Ll}/gu, (it) => it.toUpperCase())
    : capitalized(replacement);
}

function capitalized(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
