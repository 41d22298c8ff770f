import type { Steps } from "../../../base/steps.ts";
import type { InlineMark } from "./inline-marks.ts";
import { type Line, LineReader, linesOf } from "./line-reader.ts";
import type { TextDocument } from "./passage.ts";
import { newTable } from "./table-text.ts";

const marks: readonly InlineMark[] = [
  { pattern: /[=~]\S(?:[^=~\n]{0,300}\S)?[=~](?![\w])/y, read: "code" },
  { pattern: /\[\[[^\]\n]{1,400}\]\[([^\]\n]{1,400})\]\]/y, read: { group: 1 } },
  { pattern: /\[\[[^\]\n]{1,400}\]\]/y, read: "code" },
  { pattern: /https?:\/\/[^\s<>]{1,2000}/y, read: "code" },
  { pattern: /\*(\S[^*\n]{0,400}?)\*(?!\w)/y, read: { group: 1 } },
  { pattern: /\/(\S[^/\n]{0,400}?)\/(?!\w)/y, read: { group: 1, emphasis: true } },
  { pattern: /\+\S[^+\n]{0,300}?\+(?!\w)/y, read: "code" },
  { pattern: /<\d{4}-\d\d-\d\d[^>\n]{0,60}>/y, read: "code" },
];
const starts = /[=~[*/+<h]/;
const codeBlocks = /^(?:src|example|export|comment|latex|html)\b/i;

/** Reads Org. Source and example blocks, drawers, properties and timestamps are exempt. */
export function* readOrg(text: string): Steps<TextDocument> {
  const lines = linesOf(text);
  const reader = new LineReader(text, marks, starts);
  let at = 0;
  while (at < lines.length) {
    at = readBlock(lines, at, reader);
    yield;
  }
  return reader.finish();
}

function readBlock(lines: readonly Line[], at: number, reader: LineReader): number {
  const line = lines[at];
  if (line === undefined || line.indent < 0) return at + 1;
  const heading = /^(\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING)\s+)?(?:\[#[A-Z]\]\s+)?/.exec(line.text);
  if (heading !== null) {
    const tags = /\s+:[\w@:]+:\s*$/.exec(line.text)?.[0].length ?? 0;
    reader.heading(heading[1]?.length ?? 1, line.start + heading[0].length, line.end - tags);
    return at + 1;
  }
  const trimmed = line.text.trim();
  const block = /^#\+begin_(\w+)/i.exec(trimmed)?.[1];
  if (block !== undefined) return readDelimited(lines, at, reader, block);
  if (/^:[\w-]+:$/.test(trimmed)) return drawerEnd(lines, at, reader);
  const keyword = /^\s*#\+(title|subtitle|description|caption|abstract):\s*/i.exec(line.text);
  if (keyword !== null) {
    reader.prose(line.start + keyword[0].length, line.end, "heading");
    return at + 1;
  }
  if (trimmed.startsWith("#")) {
    reader.comment(line.start, line.end, trimmed.replace(/^#+\+?\s*/, ""));
    return at + 1;
  }
  if (trimmed.startsWith("|")) return readTable(lines, at, reader);
  if (trimmed.startsWith(": ")) {
    reader.exempt(line.start, line.end, "code");
    return at + 1;
  }
  return readParagraph(lines, at, reader);
}

const itemMark = /^\s*(?:[-+]|\d+[.)]|(?<=\s)\*)\s+(?:\[[ xX-]\]\s+)?/;
const startsBlock = /^\s*(?:#\+|:[\w-]+:\s*$|\|)|^\*+\s|^#\s/;

function readParagraph(lines: readonly Line[], at: number, reader: LineReader): number {
  const first = lines[at];
  if (first === undefined) return at + 1;
  const item = itemMark.exec(first.text);
  let end = at + 1;
  while (end < lines.length) {
    const next = lines[end];
    if (next === undefined || next.indent < 0 || startsBlock.test(next.text) || itemMark.test(next.text)) break;
    end += 1;
  }
  reader.prose(
    first.start + (item?.[0].length ?? 0),
    lines[end - 1]?.end ?? first.end,
    item === null ? "prose" : "item",
  );
  return end;
}

function readDelimited(lines: readonly Line[], at: number, reader: LineReader, kind: string): number {
  const close = new RegExp(`^\\s*#\\+end_${kind.replace(/\W/g, "")}\\b`, "i");
  let end = at + 1;
  while (end < lines.length && !close.test(lines[end]?.text ?? "")) end += 1;
  const from = lines[at + 1]?.start ?? 0;
  const to = lines[end - 1]?.end ?? from;
  if (codeBlocks.test(kind)) reader.exempt(from, to, "code");
  else if (/^(?:quote|verse)$/i.test(kind)) reader.prose(from, to, "prose", { exempt: "a block quotation" });
  else {
    let inner = at + 1;
    while (inner < end) inner = readBlock(lines, inner, reader);
  }
  return end + 1;
}

function drawerEnd(lines: readonly Line[], at: number, reader: LineReader): number {
  let end = at + 1;
  while (end < lines.length && end - at < 200 && !/^\s*:END:\s*$/i.test(lines[end]?.text ?? "")) end += 1;
  if (!/^\s*:END:\s*$/i.test(lines[end]?.text ?? "")) return at + 1;
  reader.exempt(lines[at]?.start ?? 0, lines[end]?.end ?? 0, "code");
  return end + 1;
}

function readTable(lines: readonly Line[], at: number, reader: LineReader): number {
  const table = newTable();
  let end = at;
  while (end < lines.length && /^\s*\|/.test(lines[end]?.text ?? "")) end += 1;
  const rule = lines.slice(at, end).findIndex((line) => /^\s*\|-/.test(line.text));
  let row = rule === 1 ? -2 : -1;
  for (const line of lines.slice(at, end)) {
    if (/^\s*\|-/.test(line.text)) continue;
    row += 1;
    let column = -1;
    let start = -1;
    for (let place = 0; place <= line.text.length; place += 1) {
      if (place < line.text.length && line.text[place] !== "|") continue;
      if (start >= 0 && place > start) reader.cell(line.start + start, line.start + place, row, column, table);
      start = place + 1;
      column += 1;
    }
  }
  return end;
}
