/**
 * The sentences of a plain text, in order. Initials, titles and abbreviations end none: "Verna J. Kirkness",
 * "Dr. Wilson", "e.g. stories".
 */
export function sentences(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(/[.!?…][)\]"'”’»]*\s+(?=[("'“‘«[]*[\p{Lu}\p{Lt}\p{Lo}\p{N}])/gu)) {
    if (mark.startsWith(".") && isAbbreviation(text.slice(from, index))) continue;
    found.push(text.slice(from, index + mark.length).trim());
    from = index + mark.length;
  }
  const rest = text.slice(from).trim();
  return rest === "" ? found : [...found, rest];
}

export function firstSentence(text: string): string {
  return sentences(text)[0] ?? "";
}

function isAbbreviation(before: string): boolean {
  const word = /[\p{L}\p{M}.]+$/u.exec(before)?.[0] ?? "";
  return /^\p{Lu}$/u.test(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word) || abbreviations.has(word.toLowerCase());
}

const abbreviations: ReadonlySet<string> = new Set(
  "al approx art c ca cf ch dr ed eds esp fig hon jr mr mrs ms mt no nos p par pp prof rev sec sr st ste v vol vols vs".split(
    " ",
  ),
);
