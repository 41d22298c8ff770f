import { type InlineMark, readMarks } from "./inline-marks.ts";
import { type Cell, type ExemptReason, type Passage, passageText, type TextDocument } from "./passage.ts";
import { keepCell, type TableText } from "./table-text.ts";

/** A line of a document, its end excluded. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Leading blanks; -1 for a blank line. */
  readonly indent: number;
}

export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf("\n", start);
    const next = newline < 0 ? text.length + 1 : newline + 1;
    let end = newline < 0 ? text.length : newline;
    if (end > start && text[end - 1] === "\r") end -= 1;
    const line = text.slice(start, end);
    const indent = line.search(/\S/);
    lines.push({ start, end, text: line, indent });
    start = next;
  }
  return lines;
}

const longestRead = 16_000;

function cutAt(text: string, from: number, to: number): number {
  const newline = text.lastIndexOf("\n", to - 1);
  return newline > from + longestRead / 2 ? newline + 1 : to;
}

/** Collects the passages of a markup that is read line by line. */
export class LineReader {
  readonly passages: Passage[] = [];
  readonly comments: { text: string; start: number; end: number }[] = [];
  readonly #text: string;
  readonly #marks: readonly InlineMark[];
  readonly #starts: RegExp;
  #headings: { level: number; text: string }[] = [];
  #lead: string | undefined;

  constructor(text: string, marks: readonly InlineMark[], starts: RegExp) {
    this.#text = text;
    this.#marks = marks;
    this.#starts = starts;
  }

  /** A stretch of prose; returns what a person reads. */
  prose(start: number, end: number, kind: Passage["kind"], more: { exempt?: ExemptReason; cell?: Cell } = {}): string {
    if (end <= start) return "";
    // Marks are read by bounded patterns; a paragraph that no writer makes is read in parts.
    if (end - start > longestRead) {
      const cut = cutAt(this.#text, start, start + longestRead);
      this.prose(start, cut, kind, more);
      return this.prose(cut, end, kind, more);
    }
    const { text, source, emphasis, code } = readMarks(this.#text, start, end, this.#marks, this.#starts);
    for (const span of code) this.exempt(span.start, span.end, "code");
    const lead = kind === "item" || kind === "cell" ? this.#lead : undefined;
    const base = {
      kind: more.exempt === undefined ? kind : "quote",
      text,
      source,
      emphasis,
      headings: this.#above(),
    } as const;
    this.passages.push({ ...base, ...more, ...(lead === undefined ? {} : { lead }) });
    if (kind === "prose") this.#lead = text;
    return text;
  }

  /** A cell; its text is kept in the table, where the cells beside it can be read with it. Row -1 is the header. */
  cell(start: number, end: number, row: number, column: number, table: TableText): void {
    const text = this.prose(start, end, "cell", { cell: { row, column, table } }).trim();
    keepCell(table, row, column, text);
  }

  heading(level: number, start: number, end: number): void {
    this.#headings = this.#headings.filter((heading) => heading.level < level);
    const text = this.prose(start, end, "heading");
    this.#headings.push({ level, text: text.trim() });
    this.#lead = undefined;
  }

  exempt(start: number, end: number, reason: ExemptReason): void {
    if (end <= start) return;
    const into = passageText();
    into.copy(this.#text, start, end);
    this.passages.push({ kind: "code", ...into.finish(), emphasis: [], exempt: reason, headings: this.#above() });
  }

  comment(start: number, end: number, inner: string): void {
    this.comments.push({ text: inner, start, end });
    this.exempt(start, end, "a comment");
  }

  finish(): TextDocument {
    return { passages: this.passages, frontMatter: new Map(), comments: this.comments };
  }

  #above(): readonly string[] {
    return this.#headings.map((heading) => heading.text);
  }
}
