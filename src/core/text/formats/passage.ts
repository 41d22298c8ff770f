/** Why nothing is advised in a place: it is quoted, shown as code, a title. Said to the reader as it stands. */
export type ExemptReason = string;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a comment or a doc string stands, its marks included. */
export interface CommentSpan extends Span {
  readonly kind: "line" | "block" | "string";
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
  /** Stretches of `text` that are quoted or code by their markup. */
  readonly hidden?: readonly (Span & { readonly reason: ExemptReason })[];
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

/** Where each offset of a passage's text stands in the document. */
export interface SourceMap {
  /** The source range that a range of the text came from. */
  range(start: number, end: number): Span;
}

/** Collects the text of one passage. Pieces are added in order and taken as they stand. */
export function passageText(): PassageText {
  return new Collected();
}

class Collected implements PassageText {
  #text = "";
  readonly #at: number[] = [];
  readonly #from: number[] = [];
  readonly #widths = new Map<number, number>();
  /** Where the last stretch that was copied ends in the document; -1 behind a stand-in. */
  #end = -1;

  get length(): number {
    return this.#text.length;
  }

  copy(document: string, start: number, end: number): void {
    if (end > start) this.copyAs(document.slice(start, end), start);
  }

  copyAs(piece: string, source: number): void {
    if (piece === "") return;
    if (source !== this.#end) this.#begin(source);
    this.#text += piece;
    this.#end = source + piece.length;
  }

  put(piece: string, source: number, width = piece.length): void {
    if (piece === "") return;
    this.#begin(source);
    if (width !== piece.length) this.#widths.set(this.#at.length - 1, width);
    this.#text += piece;
    this.#end = width === piece.length ? source + width : -1;
  }

  finish(): { readonly text: string; readonly source: SourceMap } {
    return { text: this.#text, source: sourceMap(this.#at, this.#from, this.#widths) };
  }

  #begin(source: number): void {
    this.#at.push(this.#text.length);
    this.#from.push(source);
  }
}

export interface PassageText {
  readonly length: number;
  /** Takes a stretch of the document as it is. */
  copy(document: string, start: number, end: number): void;
  /** Takes a piece that stands at `source` of the document. */
  copyAs(piece: string, source: number): void;
  /**
   * Takes a stand-in for what is at `source`: a space for a line break, U+FFFC for code, a character for its entity.
   * `width` is the length of what it stands for in the document, when that is another.
   */
  put(piece: string, source: number, width?: number): void;
  finish(): { readonly text: string; readonly source: SourceMap };
}

/** Texts that are one stretch of the document, the most, keep one number. */
function sourceMap(at: readonly number[], from: readonly number[], widths: ReadonlyMap<number, number>): SourceMap {
  if (at.length <= 1 && widths.size === 0) return new Shift(from[0] ?? 0);
  return new Pieces(Int32Array.from(at), Int32Array.from(from), widths);
}

class Shift implements SourceMap {
  readonly #by: number;
  constructor(by: number) {
    this.#by = by;
  }
  range(start: number, end: number): Span {
    return { start: start + this.#by, end: end + this.#by };
  }
}

class Pieces implements SourceMap {
  readonly #at: Int32Array;
  readonly #from: Int32Array;
  /** Of stand-ins that are longer in the document, by the number of the piece. */
  readonly #widths: ReadonlyMap<number, number>;
  constructor(at: Int32Array, from: Int32Array, widths: ReadonlyMap<number, number>) {
    this.#at = at;
    this.#from = from;
    this.#widths = widths;
  }
  range(start: number, end: number): Span {
    const first = this.#place(start, this.#pieceAt(start));
    if (end <= start) return { start: first, end: first };
    const last = this.#pieceAt(end - 1);
    const width = this.#widths.get(last);
    return {
      start: first,
      end: width === undefined ? this.#place(end - 1, last) + 1 : (this.#from[last] ?? 0) + width,
    };
  }
  #place(offset: number, piece: number): number {
    return (this.#from[piece] ?? 0) + offset - (this.#at[piece] ?? 0);
  }
  #pieceAt(offset: number): number {
    const at = this.#at;
    let low = 0;
    let high = at.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((at[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Longest text that is read as one; a longer passage comes in pieces, cut behind a sentence or between two words. */
const longestPiece = 16_000;

/** The passage, or the pieces of one that is longer than any writer makes it, so that no text takes long in one step. */
export function* inPieces(passage: Passage): Generator<Passage> {
  const { text } = passage;
  if (text.length <= longestPiece) {
    yield passage;
    return;
  }
  for (let from = 0; from < text.length; ) {
    const to = from + longestPiece >= text.length ? text.length : cutBefore(text, from, from + longestPiece);
    yield piece(passage, from, to);
    from = to;
  }
}

function piece(passage: Passage, from: number, to: number): Passage {
  const { source } = passage;
  return {
    ...passage,
    text: passage.text.slice(from, to),
    source: { range: (start, end) => source.range(start + from, end + from) },
    emphasis: inside(passage.emphasis, from, to),
    ...(passage.hidden === undefined ? {} : { hidden: inside(passage.hidden, from, to) }),
  };
}

const inside = <T extends Span>(marks: readonly T[], from: number, to: number): readonly T[] =>
  marks
    .filter((mark) => mark.start >= from && mark.end <= to)
    .map((mark) => ({ ...mark, start: mark.start - from, end: mark.end - from }));

function cutBefore(text: string, from: number, to: number): number {
  const sentence = text.lastIndexOf(". ", to - 2);
  if (sentence > from + longestPiece / 2) return sentence + 2;
  const blank = text.lastIndexOf(" ", to - 1);
  return blank > from + longestPiece / 2 ? blank + 1 : to;
}
