import type { Span } from "../text/formats/passage.ts";

/**
 * Quoted stretches of a passage, outermost first seen, not overlapping. Straight and curly, single and double, angle
 * and low marks. An apostrophe is no quotation mark: a single one opens only before a word and closes only behind one.
 * A curly mark that is never closed quotes to the end of the passage, as in a quotation of several paragraphs.
 */
export function quotations(text: string): readonly Span[] {
  const found: Span[] = [];
  const last = lastPlaces(text);
  let at = 0;
  while (at < text.length) {
    const closing = opensAt(text, at);
    if (closing === undefined || (last.get(closing) ?? -1) <= at) {
      if (text[at] === "“" && found.every((span) => span.end <= at)) {
        found.push({ start: at, end: text.length });
        break;
      }
      at += 1;
      continue;
    }
    const end = closeOf(text, at, closing);
    if (end < 0) {
      at += 1;
      continue;
    }
    found.push({ start: at, end: end + 1 });
    at = end + 1;
  }
  return found;
}

const pairs: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "„": "“",
  "«": "»",
  "‹": "›",
  "‘": "’",
  "'": "'",
};

function opensAt(text: string, at: number): string | undefined {
  const mark = text[at] ?? "";
  const closing = pairs[mark];
  if (closing === undefined) return undefined;
  const before = text[at - 1] ?? " ";
  if (mark === '"') return /[\p{L}\p{N}]/u.test(before) ? undefined : closing;
  if (mark !== "'" && mark !== "‘") return closing;
  return /[\s([{—–"“/]/.test(before) && /[\p{L}\p{N}]/u.test(text.slice(at + 1, at + 3)) ? closing : undefined;
}

/** How far a single quotation may reach: beyond it the mark was an apostrophe. */
const singleReach = 300;

function closeOf(text: string, open: number, closing: string): number {
  const single = closing === "'" || closing === "’";
  const limit = single ? Math.min(text.length, open + singleReach) : text.length;
  for (let at = open + 1; at < limit; at += 1) {
    if (text[at] !== closing && !(closing === "“" && text[at] === "”")) continue;
    if (!single) return at;
    if (!/[\p{L}\p{N}]/u.test(text[at + 1] ?? " ") && !/\s/.test(text[at - 1] ?? " ")) {
      if (!endsPossessive(text, at)) return at;
      const later = nextClose(text, at + 1, limit, closing);
      return later < 0 ? at : later;
    }
  }
  return -1;
}

/** `Elders' stories'`: an `s'` may be a possessive when another closing mark follows. */
const endsPossessive = (text: string, at: number): boolean =>
  /[sS]/.test(text[at - 1] ?? "") && /\s\p{Ll}/u.test(text.slice(at + 1, at + 3));

function nextClose(text: string, from: number, limit: number, closing: string): number {
  for (let at = from; at < limit; at += 1) {
    if (
      text[at] === closing &&
      /[\p{L}\p{N}.,!?]/u.test(text[at - 1] ?? "") &&
      !/[\p{L}\p{N}]/u.test(text[at + 1] ?? " ")
    )
      return at;
    if (/[.!?]/.test(text[at] ?? "") && /\s/.test(text[at + 1] ?? "")) return -1;
  }
  return -1;
}

function lastPlaces(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const closing of ['"', "”", "“", "»", "›", "’", "'"]) places.set(closing, text.lastIndexOf(closing));
  places.set("“", Math.max(places.get("“") ?? -1, places.get("”") ?? -1));
  return places;
}
