/**
 * The other number of an English word as it may stand in a text: `steward` → `stewards`, `ceremonies` → `ceremony`.
 * Takes and gives loose keys. No stemming: a form that is not plainly an English plural or singular gives nothing.
 */
export function otherNumber(word: string): readonly string[] {
  if (word.length < 3 || !/^[a-z]+$/.test(word) || unchanging.has(word)) return [];
  const irregular = irregulars.get(word);
  if (irregular !== undefined) return [irregular];
  const other = singularOf(word) ?? pluralOf(word);
  return unchanging.has(other) ? [] : [other];
}

function pluralOf(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

function singularOf(word: string): string | undefined {
  if (!word.endsWith("s") || /(?:ss|us|is|as|os)$/.test(word)) return undefined;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const unchanging: ReadonlySet<string> = new Set([
  "series",
  "species",
  "news",
  "his",
  "this",
  "yes",
  "its",
  "was",
  "has",
]);

const pairs: readonly (readonly [string, string])[] = [
  ["child", "children"],
  ["man", "men"],
  ["woman", "women"],
  ["life", "lives"],
  ["wife", "wives"],
  ["leaf", "leaves"],
  ["self", "selves"],
  ["half", "halves"],
  ["wolf", "wolves"],
  ["foot", "feet"],
  ["tooth", "teeth"],
  ["goose", "geese"],
  ["mouse", "mice"],
  ["hero", "heroes"],
  ["echo", "echoes"],
  ["house", "houses"],
  ["cause", "causes"],
  ["use", "uses"],
  ["lens", "lenses"],
  ["axis", "axes"],
  ["basis", "bases"],
  ["analysis", "analyses"],
  ["thesis", "theses"],
  ["crisis", "crises"],
  ["praxis", "praxes"],
  ["criterion", "criteria"],
  ["phenomenon", "phenomena"],
  ["medium", "media"],
  ["matrix", "matrices"],
  ["index", "indices"],
];
const irregulars: ReadonlyMap<string, string> = new Map(
  pairs.flatMap(([one, many]) => [[one, many] as const, [many, one] as const]),
);
