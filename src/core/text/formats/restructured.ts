import type { Steps } from "../../../base/steps.ts";
import type { InlineMark } from "./inline-marks.ts";
import { type Line, LineReader, linesOf } from "./line-reader.ts";
import type { TextDocument } from "./passage.ts";
import { newTable, type TableText } from "./table-text.ts";

const marks: readonly InlineMark[] = [
  { pattern: /``[^\n]{0,400}?``/y, read: "code" },
  { pattern: /:[A-Za-z][\w.+:-]{0,60}:`[^`]{0,400}`/y, read: "code" },
  { pattern: /`([^`<]{1,300}?)\s*<[^>`]{0,400}>`__?/y, read: { group: 1 } },
  { pattern: /`([^`]{1,300})`__?/y, read: { group: 1 } },
  { pattern: /`([^`]{1,300})`(?::[\w-]{1,60}:)?/y, read: "code" },
  { pattern: /\*\*(\S[^*]{0,400}?)\*\*/y, read: { group: 1 } },
  { pattern: /\*(\S[^*]{0,400}?)\*/y, read: { group: 1, emphasis: true } },
  { pattern: /\|[^|\s][^|\n]{0,80}\|_{0,2}/y, read: "code" },
  { pattern: /\[[#*\w-]{1,40}\]_/y, read: "drop" },
  { pattern: /https?:\/\/[^\s<>]{1,2000}/y, read: "code" },
];
const starts = /[`:*|[h]/;
const underline = /^([=\-`:.'"~^_*+#<>!$%&(),/;?@[\\\]{|}])\1{2,}\s*$/;
const proseDirectives =
  /^(?:note|warning|tip|hint|important|caution|attention|danger|error|admonition|seealso|versionadded|versionchanged|deprecated|topic|sidebar|rubric|container|centered|glossary)$/;
const quoteDirectives = /^(?:epigraph|pull-quote|highlights|parsed-literal)$/;

/** Reads reStructuredText. Literal blocks, roles, directives, attributes, targets and comments are exempt. */
export function* readRestructured(text: string): Steps<TextDocument> {
  const lines = linesOf(text);
  const reader = new LineReader(text, marks, starts);
  const levels: string[] = [];
  let at = 0;
  while (at < lines.length) {
    at = readBlock(lines, at, reader, levels);
    yield;
  }
  return reader.finish();
}

function readBlock(lines: readonly Line[], at: number, reader: LineReader, levels: string[]): number {
  const line = lines[at];
  if (line === undefined || line.indent < 0) return at + 1;
  const title = titleAt(lines, at);
  if (title !== undefined) {
    const { text, mark, next } = title;
    if (!levels.includes(mark)) levels.push(mark);
    reader.heading(levels.indexOf(mark) + 1, text.start + text.indent, text.end);
    return next;
  }
  if (underline.test(line.text) && line.indent === 0) return readSimpleTable(lines, at, reader) ?? at + 1;
  if (/^\s*\.\.(?:\s|$)/.test(line.text)) return readExplicit(lines, at, reader, levels);
  if (/^\s*\+[-=+]{2,}\+\s*$/.test(line.text)) return readGrid(lines, at, reader);
  if (/^\s*>>> /.test(line.text)) return exemptRun(lines, at, reader);
  if (/^\s*:[^:\s][^:\n]{0,100}:(?:\s|$)/.test(line.text)) {
    reader.exempt(line.start, line.end, "code");
    return at + 1;
  }
  return readParagraph(lines, at, reader);
}

function titleAt(lines: readonly Line[], at: number): { text: Line; mark: string; next: number } | undefined {
  const [first, second, third] = [lines[at], lines[at + 1], lines[at + 2]];
  if (first === undefined || second === undefined) return undefined;
  const over = underline.exec(first.text);
  if (over !== null && third !== undefined && second.indent >= 0 && third.text.trimEnd() === first.text.trimEnd()) {
    return { text: second, mark: `${over[1]}${over[1]}`, next: at + 3 };
  }
  const under = underline.exec(second.text);
  if (under === null || over !== null || first.indent !== 0 || second.text.trim().length < first.text.trim().length / 2)
    return undefined;
  return { text: first, mark: under[1] ?? "", next: at + 2 };
}

/** A directive, a target, a footnote or a comment, with the indented block behind it. */
function readExplicit(lines: readonly Line[], at: number, reader: LineReader, levels: string[]): number {
  const line = lines[at];
  if (line === undefined) return at + 1;
  const end = blockEnd(lines, at, line.indent);
  const body = line.text.trim().slice(2).trim();
  const directive = /^(?:\|[^|]+\|\s*)?([A-Za-z][\w:-]*)::/.exec(body)?.[1];
  if (directive !== undefined && proseDirectives.test(directive)) {
    // Text may begin on the directive's own line and go on behind it.
    const own = /^\s*\.\.\s+(?:\|[^|]+\|\s*)?[A-Za-z][\w:-]*::[ \t]*/.exec(line.text)?.[0].length ?? line.text.length;
    let next = at + 1;
    while (next < end && (lines[next]?.indent ?? -1) >= 0 && !/^\s*(?::[\w-]+:|\.\.\s)/.test(lines[next]?.text ?? ""))
      next += 1;
    if (own >= line.text.trimEnd().length) return readBody(lines, at + 1, end, reader, levels);
    reader.prose(line.start + own, lines[next - 1]?.end ?? line.end, "prose");
    return readBody(lines, next, end, reader, levels);
  }
  const footnote = /^\[[#*\w-]+\]\s+/.exec(body);
  if (footnote !== null) {
    const start = line.start + line.text.indexOf(body) + footnote[0].length;
    reader.prose(start, lines[end - 1]?.end ?? line.end, "note");
    return end;
  }
  const last = lines[end - 1]?.end ?? line.end;
  const isComment = directive === undefined && !body.startsWith("_") && !body.startsWith("|");
  if (isComment) reader.comment(line.start, last, body);
  else reader.exempt(line.start, last, quoteDirectives.test(directive ?? "") ? "a quotation" : "code");
  return end;
}

function readBody(lines: readonly Line[], from: number, end: number, reader: LineReader, levels: string[]): number {
  let at = from;
  while (at < end && /^\s*:[\w-]+:/.test(lines[at]?.text ?? "")) at += 1;
  while (at < end) {
    const line = lines[at];
    if (line !== undefined && line.indent >= 0 && /^\s*\.\.\s/.test(line.text))
      at = readExplicit(lines, at, reader, levels);
    else at = readParagraph(lines, at, reader, true);
  }
  return end;
}

/** A paragraph, item or definition. One that ends with `::` has a literal block behind it. */
function readParagraph(lines: readonly Line[], at: number, reader: LineReader, inBody = false): number {
  const first = lines[at];
  if (first === undefined || first.indent < 0) return at + 1;
  const item = /^\s*(?:[-*+•]|\(?(?:\d+|[a-zA-Z#])[.)])\s+/.exec(first.text);
  let end = at + 1;
  while (end < lines.length && (lines[end]?.indent ?? -1) >= 0 && !(item !== null && isItem(lines[end]))) {
    if (item === null && titleAt(lines, end) !== undefined) break;
    end += 1;
  }
  const last = lines[end - 1] ?? first;
  const start = first.start + (item?.[0].length ?? first.indent);
  const literal = last.text.trimEnd().endsWith("::");
  const quoted =
    item === null && first.indent > 0 && !inBody && (lines[at - 1]?.indent ?? -1) < 0 && !followsItem(lines, at);
  reader.prose(
    start,
    literal ? last.end - 1 : last.end,
    item === null ? "prose" : "item",
    quoted ? { exempt: "a block quotation" } : {},
  );
  if (!literal) return end;
  const block = blockEnd(lines, end - 1, Math.min(first.indent, last.indent));
  if (block > end) reader.exempt(lines[end]?.start ?? last.end, lines[block - 1]?.end ?? last.end, "code");
  return Math.max(end, block);
}

const isItem = (line: Line | undefined): boolean => /^\s*(?:[-*+•]|\(?(?:\d+|#)[.)])\s+/.test(line?.text ?? "");

/** An indented paragraph behind a list item belongs to the item. */
function followsItem(lines: readonly Line[], at: number): boolean {
  for (let before = at - 1; before >= 0 && at - before < 60; before -= 1) {
    const line = lines[before];
    if (line === undefined || line.indent < 0) continue;
    if (isItem(line)) return line.indent < (lines[at]?.indent ?? 0);
    if (line.indent === 0) return false;
  }
  return false;
}

/** The first line behind the block that is indented deeper than `indent`. */
function blockEnd(lines: readonly Line[], at: number, indent: number): number {
  let end = at + 1;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined) break;
    if (line.indent < 0) continue;
    if (line.indent <= indent) break;
    end = next + 1;
  }
  return end;
}

function exemptRun(lines: readonly Line[], at: number, reader: LineReader): number {
  let end = at;
  while (end < lines.length && (lines[end]?.indent ?? -1) >= 0) end += 1;
  reader.exempt(lines[at]?.start ?? 0, lines[end - 1]?.end ?? 0, "code");
  return end;
}

/** Rows between rules of `+---+`; the header ends at `+===+`. */
function readGrid(lines: readonly Line[], at: number, reader: LineReader): number {
  const table = newTable();
  let end = at;
  while (end < lines.length && /^\s*[+|]/.test(lines[end]?.text ?? "")) end += 1;
  const rows = lines.slice(at, end);
  const header = rows.findIndex((row) => /^\s*\+=/.test(row.text));
  let row = -1;
  rows.forEach((line, index) => {
    if (!line.text.trimStart().startsWith("|")) return;
    const body = header >= 0 && index > header;
    if (body || header < 0) row += 1;
    readCells(line, body || header < 0 ? row : -1, table, reader);
  });
  return end;
}

function readCells(line: Line, row: number, table: TableText, reader: LineReader): void {
  let column = -1;
  let start = -1;
  for (let at = line.start; at <= line.end; at += 1) {
    if (line.text[at - line.start] !== "|" && at < line.end) continue;
    if (start >= 0 && at > start) {
      reader.cell(start, at, row, column, table);
    }
    start = at + 1;
    column += 1;
  }
}

/** `=====  =====` rules around columns of text. */
function readSimpleTable(lines: readonly Line[], at: number, reader: LineReader): number | undefined {
  const rule = lines[at];
  if (rule === undefined || !/^=+(?:\s+=+)+\s*$/.test(rule.text)) return undefined;
  const columns = [...rule.text.matchAll(/=+/g)].map((match) => match.index);
  const table = newTable();
  let next = at + 1;
  let rules = 1;
  let row = -1;
  for (; next < lines.length && (lines[next]?.indent ?? -1) >= 0; next += 1) {
    const line = lines[next];
    if (line === undefined) break;
    if (/^=+(?:\s+=+)*\s*$/.test(line.text)) {
      rules += 1;
      continue;
    }
    if (rules > 1) row += 1;
    for (const [column, from] of columns.entries()) {
      const to = Math.min(line.text.length, columns[column + 1] ?? line.text.length);
      if (from >= to) break;
      reader.cell(line.start + from, line.start + to, row, column, table);
    }
  }
  return next;
}
