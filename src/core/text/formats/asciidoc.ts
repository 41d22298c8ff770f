import type { Steps } from "../../../base/steps.ts";
import { readFrontMatter } from "./front-matter.ts";
import type { InlineMark } from "./inline-marks.ts";
import { type Line, LineReader, linesOf } from "./line-reader.ts";
import type { ExemptReason, TextDocument } from "./passage.ts";
import { newTable } from "./table-text.ts";

const marks: readonly InlineMark[] = [
  { pattern: /``?[^`\n]{1,400}``?/y, read: "code" },
  { pattern: /\+{1,3}[^+\n]{1,400}\+{1,3}/y, read: "code" },
  {
    pattern: /(?:pass|stem|latexmath|kbd|btn|menu|icon|image|indexterm):[^\s[\]]{0,200}\[[^\]\n]{0,400}\]/y,
    read: "code",
  },
  { pattern: /footnote(?:ref)?:[^\s[\]]{0,60}\[([^\]\n]{0,600})\]/y, read: { group: 1 } },
  { pattern: /(?:link|xref|mailto):[^\s[\]]{1,400}\[([^\]\n]{0,400})\]/y, read: { group: 1 } },
  { pattern: /https?:\/\/[^\s[\]<>]{1,1000}\[([^\]\n]{0,400})\]/y, read: { group: 1 } },
  { pattern: /https?:\/\/[^\s[\]<>]{1,2000}/y, read: "code" },
  { pattern: /<<[^,>\n]{1,200},([^>\n]{0,300})>>/y, read: { group: 1 } },
  { pattern: /<<[^>\n]{1,200}>>/y, read: "code" },
  { pattern: /\[\[[^\]\n]{1,200}\]\]/y, read: "drop" },
  { pattern: /\{[A-Za-z][\w-]{0,80}\}/y, read: "code" },
  { pattern: /\*\*?([^\s*][^*\n]{0,400}?)\*\*?/y, read: { group: 1 } },
  { pattern: /__([^_\n]{1,400}?)__/y, read: { group: 1, emphasis: true } },
  { pattern: /_(\S[^_\n]{0,400}?)_(?!\w)/y, read: { group: 1, emphasis: true } },
];
const starts = /[`+*_{<[bfhiklmpsx]/;
const fences: Readonly<Record<string, "code" | "quote" | "comment" | "open">> = {
  "-": "code",
  ".": "code",
  "+": "code",
  _: "quote",
  "/": "comment",
  "=": "open",
  "*": "open",
};

/** Reads AsciiDoc. Literal and listing blocks, quotations, macros, attributes, anchors and comments are exempt. */
export function* readAsciidoc(text: string): Steps<TextDocument> {
  const frontMatter = readFrontMatter(text);
  const lines = linesOf(text).filter((line) => line.start >= frontMatter.end);
  const reader = new LineReader(text, marks, starts);
  if (frontMatter.end > 0) reader.exempt(0, frontMatter.end, "front matter");
  const state: State = { style: "" };
  let at = 0;
  while (at < lines.length) {
    at = readBlock(lines, at, reader, state);
    yield;
  }
  return { ...reader.finish(), frontMatter: frontMatter.values };
}

interface State {
  /** The block attribute right above: `source`, `quote`. */
  style: string;
}

function readBlock(lines: readonly Line[], at: number, reader: LineReader, state: State): number {
  const line = lines[at];
  if (line === undefined || line.indent < 0) return at + 1;
  const { text } = line;
  const fence = /^(?:([-.+_/=*])\1{3,}|--|```\w*)\s*$/.exec(text);
  if (fence !== null)
    return readFence(lines, at, reader, state, fences[fence[1] ?? ""] ?? (text.startsWith("`") ? "code" : "open"));
  if (/^[|,:!]===\s*$/.test(text)) return readTable(lines, at, reader);
  const style = state.style;
  if (/^\[[^\]]*\]\s*$/.test(text)) {
    state.style = /^\[\s*\.?(?:quote|verse)/.test(text)
      ? "quote"
      : /^\[\s*(?:source|listing|literal|stem|pass)/.test(text)
        ? "code"
        : "";
    reader.exempt(line.start, line.end, "code");
    return at + 1;
  }
  state.style = "";
  if (text.startsWith("//")) {
    reader.comment(line.start, line.end, text.slice(2));
    return at + 1;
  }
  if (/^:!?[\w-]+!?:(?:\s|$)/.test(text) || /^[a-z]+::[^\s[]*\[.*\]\s*$/.test(text)) {
    reader.exempt(line.start, line.end, "code");
    return at + 1;
  }
  const heading = /^(={1,6}|#{1,6})\s+/.exec(text);
  if (heading !== null) {
    reader.heading(heading[1]?.length ?? 1, line.start + heading[0].length, line.end);
    return at + 1;
  }
  return readParagraph(lines, at, reader, style);
}

function readFence(
  lines: readonly Line[],
  at: number,
  reader: LineReader,
  state: State,
  kind: (typeof fences)[string],
): number {
  const open = lines[at];
  if (open === undefined) return at + 1;
  const fence = open.text.trim().replace(/^```\w*$/, "```");
  const style = state.style;
  state.style = "";
  if (kind === "open" && style !== "quote" && style !== "code") return at + 1;
  let end = at + 1;
  while (end < lines.length && lines[end]?.text.trim() !== fence) end += 1;
  const from = lines[at + 1]?.start ?? open.end;
  const to = lines[end - 1]?.end ?? open.end;
  if (kind === "comment") reader.comment(from, to, "");
  else if (kind === "code" || style === "code") reader.exempt(from, to, "code");
  else
    for (const [start, stop] of paragraphs(lines, at + 1, end))
      reader.prose(start, stop, "prose", { exempt: "a block quotation" });
  return end + 1;
}

function* paragraphs(lines: readonly Line[], from: number, to: number): Generator<readonly [number, number]> {
  let start = -1;
  for (let at = from; at <= to; at += 1) {
    const blank = at === to || (lines[at]?.indent ?? -1) < 0;
    if (!blank && start < 0) start = at;
    if (blank && start >= 0) {
      yield [lines[start]?.start ?? 0, lines[at - 1]?.end ?? 0];
      start = -1;
    }
  }
}

/** A list marker, a definition's term, an admonition's label or a block title. */
const opening =
  /^(?:\s*(?:[*-]{1,5}|\.{1,5}|\d+\.|<\d+>)\s+(?:\[[ x*]\]\s+)?|(?:NOTE|TIP|WARNING|CAUTION|IMPORTANT):\s+|\.(?=\S))/;

function readParagraph(lines: readonly Line[], at: number, reader: LineReader, style: string): number {
  const first = lines[at];
  if (first === undefined) return at + 1;
  const mark = opening.exec(first.text);
  let end = at + 1;
  const isTitle = mark?.[0] === ".";
  while (!isTitle && end < lines.length && (lines[end]?.indent ?? -1) >= 0 && !breaksParagraph(lines[end]?.text ?? ""))
    end += 1;
  const last = lines[end - 1] ?? first;
  const exempt: ExemptReason | undefined = style === "quote" ? "a block quotation" : undefined;
  if (style === "code" || (mark === null && first.indent > 0)) reader.exempt(first.start, last.end, "code");
  else {
    const kind = mark !== null && /^\s*[*\-.\d<]/.test(mark[0]) && !isTitle ? "item" : "prose";
    reader.prose(first.start + (mark?.[0].length ?? 0), last.end, kind, exempt === undefined ? {} : { exempt });
  }
  return end;
}

const breaksParagraph = (text: string): boolean =>
  /^\s*(?:[*-]{1,5}|\.{1,5}|\d+\.)\s+/.test(text) ||
  /^(?:={1,6}\s|\[[^\]]*\]\s*$|([-.+_/=*])\1{3,}\s*$|[|]===|\/\/)/.test(text) ||
  /^[^\n]{1,200}?::(?:\s|$)/.test(text) ||
  text.trim() === "+";

function readTable(lines: readonly Line[], at: number, reader: LineReader): number {
  const open = lines[at]?.text.trim();
  const table = newTable();
  let end = at + 1;
  let row = -1;
  let columns = 0;
  let column = 0;
  for (; end < lines.length && lines[end]?.text.trim() !== open; end += 1) {
    const line = lines[end];
    if (line === undefined || line.indent < 0) continue;
    for (const cell of cellsOf(line)) {
      if (columns > 0 && column >= columns) {
        row += 1;
        column = 0;
      }
      reader.cell(cell.start, cell.end, row, column, table);
      column += 1;
    }
    if (columns === 0 && column > 0) columns = column;
  }
  return end + 1;
}

function* cellsOf(line: Line): Generator<{ start: number; end: number }> {
  let start = -1;
  for (let at = 0; at <= line.text.length; at += 1) {
    if (at < line.text.length && line.text[at] !== "|") continue;
    if (start >= 0 && at > start) yield { start: line.start + start, end: line.start + at };
    start = at + 1;
  }
}
