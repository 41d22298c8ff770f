import type { Span } from "../text/formats/passage.ts";
import { breaks } from "../text/words/tokens.ts";
import type { Hit } from "./automaton.ts";
import type { CompiledRule } from "./compile-rules.ts";
import type { PassageView } from "./passage-view.ts";

/**
 * Whether a match stands inside the name of a body, a law, a place or a treaty: a run of capitalized words, joined by
 * `of the` and the like, that holds a word of the set `name-heads` besides the match itself.
 */
export function isInName(view: PassageView, hit: Hit): boolean {
  if (view.overlapping(view.rules.set("official-names"), hit.from, hit.to) !== undefined) return true;
  if (!allCapitals(view, hit.from, hit.to)) return false;
  const run = capitalRun(view, hit);
  const longer = run.from < hit.from || run.to > hit.to;
  return (longer && headIn(view, run, ownPart(view, hit, run.to))) || isByLine(view, hit);
}

/** Whether a match is part of a title in running text: at least three capitalized words in a sentence that has others. */
export function isInPlainTitle(view: PassageView, hit: Hit): boolean {
  if (view.passage.kind === "heading" || view.passage.kind === "cell") return false;
  if (!allCapitals(view, hit.from, hit.to)) return false;
  const run = capitalRun(view, hit);
  const starts = view.sentence(hit.from).from;
  let capitals = 0;
  for (let at = run.from; at < run.to; at += 1) if (isCapital(view, at) && at !== starts) capitals += 1;
  const sentence = view.sentence(hit.from);
  // Capitals alone make no title: it stands behind a word that introduces one.
  if (view.before(view.rules.set("title-before"), run.from, 1) === undefined) return false;
  return capitals >= 3 && capitals > hit.to - hit.from && run.to - run.from < sentence.to - sentence.from;
}

/**
 * Whether the match is emphasized as a title is: in an emphasized run whose words are capitalized. What is capitalized
 * anyway (`isName`: *Medicine Wheel*) needs further words around it.
 */
export function isInEmphasizedTitle(view: PassageView, hit: Hit, { rule }: CompiledRule): boolean {
  const { language } = rule;
  const isName = rule.names === "counts";
  const span = view.span(hit.from, hit.to);
  const run = around(view.passage.emphasis, span);
  if (run === undefined) return false;
  const text = view.passage.text.slice(run.start, run.end);
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
  const main = words.filter((word) => !smallWords.has(word.toLowerCase()));
  // French capitalizes the first word of a title alone.
  if (language === "fr") return words.length > hit.to - hit.from && /^\p{Lu}/u.test(text);
  if (main.length < 2 || !main.every((word) => /^[\p{Lu}\p{N}]/u.test(word))) return false;
  return !isName || span.start - run.start + run.end - span.end > 2;
}

/** The mark around a place: marks come in the order in which they end, and seldom lie in each other. */
function around(marks: readonly Span[], span: Span): Span | undefined {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.end ?? 0) < span.end) low = middle + 1;
    else high = middle;
  }
  return marks.slice(low, low + 4).find((mark) => mark.start <= span.start);
}

const smallWords = new Set("a an the of in on at by for and or to from with as de la le les du des et".split(" "));
/** Between the match and the rest of its name: "Tribes and First Nations" is no name. */
const innerConnectors = new Set("of the de la du des".split(" "));
const connectors = new Set("of the and for de la du des st ste in on at de'".split(" "));

/** Where the part of a name ends that the match itself stands in: "the Indians of the Fraser Valley" is no name. */
function ownPart(view: PassageView, hit: Hit, to: number): number {
  let end = hit.to;
  while (end < to && isCapital(view, end)) end += 1;
  return end;
}

function isCapital(view: PassageView, token: number): boolean {
  return /[\p{Lu}\p{Lt}]/u.test(view.passage.text[view.tokens.start[token] ?? 0] ?? "");
}

function allCapitals(view: PassageView, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (!isCapital(view, at) && !connectors.has(view.tokens.key[at] ?? "")) return false;
  }
  return to > from && isCapital(view, from);
}

/** Capital at the beginning of a sentence, and no part of a name. */
const determiners = new Set(
  "our my your their his her its we a an all many some these those this as if when in at for nos notre leurs ces".split(
    " ",
  ),
);

/** At most a dozen words each way. */
function capitalRun(view: PassageView, hit: Hit): { readonly from: number; readonly to: number } {
  const { tokens } = view;
  let from = hit.from;
  for (let at = hit.from - 1; at >= 0 && hit.from - at < 12 && joins(view, at + 1); at -= 1) {
    if (determiners.has(tokens.key[at] ?? "")) break;
    if (isCapital(view, at)) from = at;
    else if (!connectors.has(tokens.key[at] ?? "")) break;
  }
  let to = hit.to;
  let afterOf = false;
  for (let at = hit.to; at < tokens.count && at - hit.to < 12 && joins(view, at); at += 1) {
    if (isCapital(view, at)) to = at + 1;
    else if (tokens.key[at] === "of") afterOf = true;
    else if (afterOf && tokens.key[at] === "and") continue;
    else if (!innerConnectors.has(tokens.key[at] ?? "") && !/^\d/.test(tokens.key[at] ?? "")) break;
  }
  return { from, to };
}

/** No comma, bracket or stop before the token; `St.` does not part a name. */
function joins(view: PassageView, token: number): boolean {
  const gap = view.tokens.gap[token] ?? breaks.sentence;
  if (gap === breaks.none) return true;
  return gap === breaks.phrase && /^(?:st|ste|no|mt|ft)$/.test(view.tokens.key[token - 1] ?? "");
}

/** A word that heads names. Behind `own`, the part that the match stands in, a place heads nothing. */
function headIn(view: PassageView, run: { readonly from: number; readonly to: number }, own: number): boolean {
  const heads = view.rules.set("name-heads");
  const places = view.rules.set("place-heads");
  let hit = view.within(heads, run.from, run.to);
  while (hit !== undefined) {
    const counts = hit.start < own || view.within(places, hit.start, hit.end) === undefined;
    if (counts && allCapitals(view, hit.start, hit.end)) return true;
    hit = view.within(heads, hit.start + 1, run.to);
  }
  return false;
}

/** `Jane Doe (Chippewa)`: how a person is placed by name. */
function isByLine(view: PassageView, hit: Hit): boolean {
  const { text } = view.passage;
  const span = view.span(hit.from, hit.to);
  if (text[span.start - 1] !== "(" || hit.from === 0) return false;
  return isCapital(view, hit.from - 1) && !/^(?:the|a|an)$/.test(view.tokens.key[hit.from - 1] ?? "");
}
