import type { Language } from "../concept/rule.ts";
import type { TextDocument } from "../text/formats/passage.ts";
import { tokenize } from "../text/words/tokens.ts";

const english = new Set(
  "the of and to is that for with was are by this it be not from we you our they have has will which their can at an as".split(
    " ",
  ),
);
const french = new Set(
  "le la les des du et est une dans pour que qui sur par avec au aux ce cette ces nous vous ils elles sont pas ne plus leurs leur ont un de en se mais ou nos notre votre etre sa son ses tu il elle".split(
    " ",
  ),
);
/** As much of a document as decides. */
const sample = 20_000;

/**
 * The language of a document: what it says of itself (`lang`, `language`, `locale`), else the one whose small words it
 * is made of. Two languages are told apart by their commonest words; a model of hundreds would know no more of them.
 */
export function languageOf(document: TextDocument): Language {
  const said = ["lang", "language", "locale"].map((key) => document.frontMatter.get(key)?.toLowerCase() ?? "");
  for (const value of said) {
    if (/^fr\b/.test(value)) return "fr";
    if (/^en\b/.test(value)) return "en";
  }
  let left = sample;
  let en = 0;
  let fr = 0;
  for (const passage of document.passages) {
    if (passage.kind === "code" || left <= 0) continue;
    const { key } = tokenize(passage.text.slice(0, left));
    left -= passage.text.length;
    for (const word of key) {
      if (english.has(word)) en += 1;
      if (french.has(word) || /^(?:l|d|qu|n|s|j|c)'/.test(word)) fr += 1;
    }
    // Accents of French that English does not write.
    fr += (passage.text.slice(0, 2_000).match(/[àâçêîôûœ]|é(?![a-z]*'s)/giu)?.length ?? 0) * 0.25;
  }
  return fr > en * 1.3 && fr >= 1 ? "fr" : "en";
}
