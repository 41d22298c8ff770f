import { classOf, fold, isAsciiWordUnit, type UnitClass } from "./letters.ts";

/** A piece of a word that reads as a word of its own: `data` in `dataSteward`, one character of an unspaced script. */
export interface WordPart {
  readonly start: number;
  readonly end: number;
  readonly loose: string;
}

/**
 * A run of letters, marks and digits, apostrophes between letters included (`Mi'kmaw`, `don’t`). Hyphens, underscores
 * and colons end a word; `name-matcher.ts` joins over them. Offsets are UTF-16 units of the text as given.
 */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** Lower case, without diacritics and apostrophes, in one Unicode form; what two spellings of a word share. */
  readonly loose: string;
  /** Two or more for identifiers (`dataSteward`, `HTTPServer2`) and for runs of unspaced scripts; else empty. */
  readonly parts: readonly WordPart[];
  /** Where `'s` begins, when the word ends with one. */
  readonly possessive?: number;
  /** A run of a script that is written without spaces: any of its characters may begin or end a name. */
  readonly unspaced: boolean;
}

/** The words of `text` between two offsets, in order. A word that an offset cuts is read as cut. Linear. */
export function words(text: string, from = 0, to = text.length): readonly Word[] {
  const found: Word[] = [];
  let at = from;
  while (at < to) {
    const kind = classOf(text, at);
    if (kind === "other" || kind === "apostrophe" || kind === "ignorable" || kind === "mark") {
      at += unitsAt(text, at);
      continue;
    }
    const word = kind === "unspaced" ? readUnspaced(text, at, to) : readWord(text, at, to);
    found.push(word);
    at = word.end;
  }
  return found;
}

/** What spellings of one text share: lower case, no diacritics, no apostrophes, words joined by one space. */
export function looseKey(text: string): string {
  return words(text)
    .map((word) => word.loose)
    .join(" ");
}

/** What tells a spelling from another: NFC, case and diacritics kept, every apostrophe written `'`. */
export function strictKey(text: string): string {
  return text.normalize("NFC").replace(/[’ʼ‘ʻʾʿ´`ꞌ]/g, "'");
}

function readUnspaced(text: string, start: number, to: number): Word {
  const parts: WordPart[] = [];
  let at = start;
  while (at < to && classOf(text, at) === "unspaced") {
    let end = at + unitsAt(text, at);
    while (end < to && classOf(text, end) === "mark") end += unitsAt(text, end);
    parts.push({ start: at, end, loose: fold(text.slice(at, end)) });
    at = end;
  }
  return { start, end: at, loose: fold(text.slice(start, at)), parts, unspaced: true };
}

function readWord(text: string, start: number, to: number): Word {
  let at = start;
  let ascii = true;
  let cuts: number[] | undefined;
  let lastApostrophe = -1;
  let before: UnitClass = "other";
  while (at < to) {
    const kind = classOf(text, at);
    const units = unitsAt(text, at);
    if (kind === "apostrophe") {
      if (!continuesWord(text, at + 1, to)) break;
      lastApostrophe = at;
    } else if (kind === "other" || kind === "unspaced") break;
    else if (kind === "ignorable" && !continuesWord(text, at + 1, to)) break;
    if (ascii && !isAsciiWordUnit(text.charCodeAt(at))) ascii = false;
    if (kind === "lower" || kind === "upper" || kind === "digit") {
      if (isCut(text, at, to, before, kind)) {
        cuts ??= [];
        cuts.push(at);
      }
      before = kind;
    }
    at += units;
  }
  const raw = text.slice(start, at);
  const possessive = lastApostrophe > start && isPossessive(text, lastApostrophe, at) ? lastApostrophe : undefined;
  const word = {
    start,
    end: at,
    loose: ascii ? raw.toLowerCase() : fold(raw),
    parts: cuts === undefined ? noParts : cutParts(text, start, at, cuts),
    unspaced: false,
  };
  return possessive === undefined ? word : { ...word, possessive };
}

const noParts: readonly WordPart[] = [];

function cutParts(text: string, start: number, end: number, cuts: readonly number[]): readonly WordPart[] {
  const edges = [start, ...cuts, end];
  return edges.slice(1).map((edge, index) => {
    const from = edges[index] ?? start;
    return { start: from, end: edge, loose: fold(text.slice(from, edge)) };
  });
}

/** Cuts at lower → Upper, letter ↔ digit, and before the last capital of a run that a lower-case word follows. */
function isCut(text: string, at: number, to: number, before: UnitClass, kind: UnitClass): boolean {
  if (before === "other") return false;
  if ((before === "digit") !== (kind === "digit")) return true;
  if (kind !== "upper") return false;
  if (before === "lower") return true;
  return before === "upper" && startsCapitalizedWord(text, at, to);
}

/** `APIs` and `PUBLISHed` are one word: the small letters after the capitals are only an ending. */
function startsCapitalizedWord(text: string, at: number, to: number): boolean {
  const next = at + unitsAt(text, at);
  if (next >= to || classOf(text, next) !== "lower") return false;
  let end = next;
  while (end < to && end - next < 4 && classOf(text, end) === "lower") end += unitsAt(text, end);
  return !/^(?:s|es|ed|ing|er)$/.test(text.slice(next, end));
}

function isPossessive(text: string, apostrophe: number, end: number): boolean {
  return end === apostrophe + 2 && (text[apostrophe + 1] === "s" || text[apostrophe + 1] === "S");
}

function continuesWord(text: string, at: number, to: number): boolean {
  if (at >= to) return false;
  const kind = classOf(text, at);
  return kind === "lower" || kind === "upper" || kind === "digit" || kind === "mark";
}

function unitsAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
