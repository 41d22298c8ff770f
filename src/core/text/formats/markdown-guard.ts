import type { Steps } from "../../../base/steps.ts";

/** Inline marks in one paragraph beyond which they are no longer read as marks. */
const maxMarks = 800;
/** Containers (quotations, items) that one line may open, and blanks it may begin with, before the rest is its text. */
const maxNesting = 16;
const maxIndent = 64;
/** Blocks of a document beyond which lines are no longer read as blocks: one for every 35 units of the longest text that the tool takes. */
const maxBlocks = 60_000;

/**
 * The text as the Markdown parser is to see it, of the same length. A parser of blocks takes time and memory for each
 * container a line stands in, and one of inline marks time that grows with the square of the marks in a paragraph; what
 * no writer sets stands there as letters. All of it is still read as text.
 */
export function* guarded(text: string): Steps<string> {
  if (text.length < maxIndent) return text;
  return yield* guardMarks(yield* guardBlocks(text));
}

/** The stretch with letters for `marks`: the parser passes over a letter at once, and looks twenty times at a sign. */
function* masked(text: string, from: number, to: number, marks: RegExp): Steps<string> {
  const pieces: string[] = [];
  for (let at = from; at < to; at += stretch) {
    pieces.push(text.slice(at, Math.min(to, at + stretch)).replace(marks, "q"));
    yield;
  }
  return pieces.join("");
}

/** Units that are masked in a step. */
const stretch = 8192;

function* guardBlocks(text: string): Steps<string> {
  const pieces: string[] = [];
  let kept = 0;
  let blocks = 0;
  let at = 0;
  while (at < text.length) {
    if (blocks > maxBlocks) {
      pieces.push(text.slice(kept, at), yield* masked(text, at, text.length, /[\r\n|>`~*_[\]<!&\\/@]|(?<=ww)\./gi));
      return pieces.join("");
    }
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const nested = nestingEnd(text, at, end);
    blocks += nested.blocks;
    if (nested.at < end) {
      pieces.push(text.slice(kept, nested.at));
      const rest = leadingMarks(text, nested.at, end);
      pieces.push(yield* masked(text, nested.at, rest, /[^\n]/g));
      kept = rest;
    }
    at = end;
  }
  if (kept === 0) return text;
  pieces.push(text.slice(kept));
  return pieces.join("");
}

/** How many blocks a line may begin, and where its text is to begin at the latest; the end of the line when that is in order. */
function nestingEnd(text: string, from: number, to: number): { readonly at: number; readonly blocks: number } {
  const first = text.charCodeAt(from);
  if (first === 0x0a) return { at: to, blocks: 0 };
  if (isLetter(first)) return { at: to, blocks: 1 };
  let at = from;
  for (let count = 0; ; count += 1) {
    container.lastIndex = at;
    const opened = container.exec(text);
    const end = opened === null || opened[0].includes("\n") ? at : container.lastIndex;
    if (end === at || end > to) return { at: indentEnd(text, at, to), blocks: cells(text, from, to) + count };
    if (count >= maxNesting || end - at > maxIndent) return { at, blocks: 1 };
    at = end;
  }
}

const container = /[ \t]*(?:>|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$))/y;

function indentEnd(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at += 1;
  return at - from > maxIndent ? from + maxIndent : to;
}

function leadingMarks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to - 1 && /[\s>\-+*\d.)]/.test(text[at] ?? "a")) at += 1;
  return Math.max(at, Math.min(from + 1, to));
}

/** A row of a table is as many blocks as it has cells. */
function cells(text: string, from: number, to: number): number {
  let count = 1;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 0x7c) count += 1;
  return count;
}

const isLetter = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);

/** At the stop of `www.`: an address that needs no mark. */
const isBareAddress = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 0x2e &&
  (text.charCodeAt(at - 1) | 0x20) === 0x77 &&
  (text.charCodeAt(at - 2) | 0x20) === 0x77;

function* guardMarks(text: string): Steps<string> {
  const pieces: string[] = [];
  let kept = 0;
  let start = 0;
  let count = 0;
  let at = 0;
  function* close(end: number): Steps<void> {
    if (count > maxMarks) {
      pieces.push(text.slice(kept, start), yield* masked(text, start, end, /[*_[\]`<!~&\\/@]|(?<=ww)\./gi));
      kept = end;
    }
    start = end;
    count = 0;
    yield;
  }
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    if (beginsBlock(text, at, end)) yield* close(at);
    for (let unit = at; unit < end; unit += 1)
      if (isMark[text.charCodeAt(unit)] === 1 || isBareAddress(text, unit)) count += 1;
    if (end - at > 2 && text.charCodeAt(end - 2) === 0x20) count += 1;
    at = end;
  }
  yield* close(text.length);
  return pieces.length === 0 ? text : `${pieces.join("")}${text.slice(kept)}`;
}

/** A blank line, or one that begins an item, a heading, a quotation or a row of a table. */
function beginsBlock(text: string, from: number, to: number): boolean {
  if (isLetter(text.charCodeAt(from))) return false;
  return /^\s*(?:$|[-+*]\s|\d{1,9}[.)]\s|#|>|\|)/.test(text.slice(from, Math.min(to, from + 60)));
}

/** Characters that an inline mark, an entity or an address is made of. */
const isMark = new Uint8Array(0x10000);
for (const mark of "*_[]`<!~&\\/@") isMark[mark.charCodeAt(0)] = 1;
