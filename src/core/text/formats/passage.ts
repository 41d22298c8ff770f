/** Why nothing is advised in a place: it is quoted, shown as code, a title. Said to the reader as it stands. */
export type ExemptReason = string;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly table: Table;
}

/** A table as text, so that a cell can be read with its header and its row. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * A stretch that is read as one: a paragraph, a heading, an item, a cell. `text` is what a person reads: marks gone,
 * soft line breaks as spaces, code and images as U+FFFC. Offsets are UTF-16 units of `text`; `source` leads back.
 */
export interface Passage {
  readonly kind: "prose" | "heading" | "item" | "cell" | "quote" | "code" | "note";
  readonly text: string;
  readonly source: SourceMap;
  /** Emphasized stretches, in offsets of `text`. */
  readonly emphasis: readonly Span[];
  /** Set where the whole passage is exempt. */
  readonly exempt?: ExemptReason;
  /** The headings above, outermost first. */
  readonly headings: readonly string[];
  /** The paragraph that introduces the list or table, when one stands right before it. */
  readonly lead?: string;
  readonly cell?: Cell;
}

export interface TextDocument {
  readonly passages: readonly Passage[];
  /** `key: value` lines of the front matter, keys in lower case. */
  readonly frontMatter: ReadonlyMap<string, string>;
  /** Comments that may hold directives: their inner text and where they stand. */
  readonly comments: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
  }[];
}

export const emptyDocument: TextDocument = {
  passages: [],
  frontMatter: new Map(),
  comments: [],
};

/** Where each offset of a passage's text stands in the document. */
export interface SourceMap {
  /** The source range that a range of the text came from. */
  range(start: number, end: number): Span;
}

/** Collects the text of one passage. Pieces are added in order and taken as they stand. */
export function passageText(): PassageText {
  const pieces: string[] = [];
  const at: number[] = [];
  const from: number[] = [];
  let length = 0;
  const add = (piece: string, source: number): void => {
    if (piece === "") return;
    pieces.push(piece);
    at.push(length);
    from.push(source);
    length += piece.length;
  };
  return {
    get length() {
      return length;
    },
    copy: (document, start, end) => add(document.slice(start, end), start),
    put: add,
    finish: () => ({ text: pieces.join(""), source: sourceMap(at, from) }),
  };
}

export interface PassageText {
  readonly length: number;
  /** Takes a stretch of the document as it is. */
  copy(document: string, start: number, end: number): void;
  /** Takes a stand-in for what is at `source`: a space for a line break, U+FFFC for code. */
  put(piece: string, source: number): void;
  finish(): { readonly text: string; readonly source: SourceMap };
}

function sourceMap(at: readonly number[], from: readonly number[]): SourceMap {
  const place = (offset: number): number => {
    let low = 0;
    let high = at.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((at[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return (from[low] ?? 0) + offset - (at[low] ?? 0);
  };
  return {
    range(start, end) {
      const first = place(start);
      return { start: first, end: end > start ? place(end - 1) + 1 : first };
    },
  };
}
