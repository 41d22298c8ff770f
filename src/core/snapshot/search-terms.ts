import { stemmer } from "stemmer";

/** One word of a query or a document, folded for search. */
export interface Term {
  /** What is indexed: folded, and for English words stemmed. */
  readonly stem: string;
  /** The folded word before stemming. */
  readonly word: string;
}

/**
 * Words as search sees them: case, diacritics and apostrophes folded; English suffixes stemmed, other words as they
 * are. Prose recognition never uses this: a stemmer mangles other languages' words.
 */
export function searchTerms(text: string): Term[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((it) => it.length > 0)
    .map((word) => ({ word, stem: stemOf(word) }));
}

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}'’ʼ‘`´®™]/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss");
}

function stemOf(word: string): string {
  return /^[a-z]{4,40}$/.test(word) ? stemmer(word) : word;
}

/** Words that carry no subject: function words, and what every request to an agent holds. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being below between both but by can " +
    "could did do does doing done down during each few for from further get gets go got had has have having he her here hers him his " +
    "how i if in into is it its itself just let lets like ll may me might more most must my myself no nor not now of off on once only or " +
    "other our ours out over own per please re s same she should so some such t than that the their theirs them then there " +
    "these they this those through to too under until up us ve very via was we were what when where which while who whom why will " +
    "with would you your yours yourself thing things something anything someone way ways"
  ).split(" "),
);
