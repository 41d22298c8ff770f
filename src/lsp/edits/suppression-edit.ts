import type { Finding } from "../../core/terms/reading.ts";
import { readFrontMatter } from "../../core/text/formats/front-matter.ts";
import { documentFormat, type OpenDocument } from "../documents/documents.ts";
import type { Change } from "../protocol/change.ts";

/**
 * A directive that silences one rule: in the finding's line (in reStructuredText its paragraph), or in the whole file.
 * `undefined` where the format has no comments, or none can stand there without changing what the text says.
 */
export function suppressionEdit(
  document: OpenDocument,
  finding: Finding,
  where: "line" | "file",
): readonly Change[] | undefined {
  const format = documentFormat(document);
  const form = format === undefined || !Object.hasOwn(forms, format) ? undefined : forms[format];
  if (form === undefined) return undefined;
  const { text } = document;
  const place = { text, newline: text.includes("\r\n") ? "\r\n" : "\n", rule: finding.rule };
  return where === "file" ? wholeFile(place, form) : form.line(place, finding.start);
}

interface Place {
  readonly text: string;
  readonly newline: string;
  readonly rule: string;
}

interface Form {
  readonly comment: (directive: string) => string;
  readonly line: (place: Place, at: number) => readonly Change[] | undefined;
}

const html: Form = { comment: (it) => `<!-- ${it} -->`, line: (place, at) => markupLine(place, at, html) };
const mdx: Form = { comment: (it) => `{/* ${it} */}`, line: (place, at) => markupLine(place, at, mdx) };
const restructured: Form = { comment: (it) => `.. ${it}`, line: aroundParagraph };
const asciidoc: Form = { comment: (it) => `// ${it}`, line: lineAbove };

const forms: Readonly<Record<string, Form>> = { markdown: html, html, mdx, restructuredtext: restructured, asciidoc };

function wholeFile({ text, newline, rule }: Place, form: Form): readonly Change[] | undefined {
  const at = Math.max(readFrontMatter(text).end, /^\uFEFF?(?:\s*<\?xml[^>]*\?>\r?\n?)?/.exec(text)?.[0].length ?? 0);
  // An indented line would become the comment's own text.
  if (form === restructured && /^\s*?[ \t]+\S/.test(text.slice(at, at + 1000))) return undefined;
  const gap = at > 0 && !/[\n\uFEFF]/.test(text[at - 1] ?? "") ? newline : "";
  const directive = form.comment(`iaip-dsl-disable ${rule}`);
  return [{ start: at, end: at, newText: `${gap}${directive}${newline}${newline}` }];
}

/** A comment on a line of its own would end a paragraph or a table in its middle; there it stands at the line's end. */
function markupLine({ text, newline, rule }: Place, offset: number, form: Form): readonly Change[] {
  const line = lineAt(text, offset);
  if (continuesBlock(text, line)) {
    const own = text.slice(line.start, line.end);
    // Behind a table's last bar would be one cell more; behind blanks or a backslash the line break would be lost.
    const end = line.start + own.replace(/[ \t]*\\?[ \t]*$/, "").replace(/[ \t]*\|$/, "").length;
    return [{ start: end, end, newText: ` ${form.comment(`iaip-dsl-disable-line ${rule}`)}` }];
  }
  const newText = `${line.indent}${form.comment(`iaip-dsl-disable-next-line ${rule}`)}${newline}`;
  return [{ start: line.start, end: line.start, newText }];
}

function continuesBlock(text: string, line: Line): boolean {
  if (/^\s*(?:\||[-*+]\s|\d+[.)]\s|>)/.test(text.slice(line.start, line.end))) return true;
  return line.start > 1 && lineAt(text, line.start - 1).own.trim() !== "";
}

/** AsciiDoc takes comment lines around a paragraph; a table keeps them as a cell's text. */
function lineAbove(place: Place, offset: number): readonly Change[] | undefined {
  const { text, newline, rule } = place;
  const line = lineAt(text, offset);
  const bars = text.slice(0, line.start).match(/^\|===/gm)?.length ?? 0;
  if (line.own.startsWith("|") || bars % 2 === 1) return undefined;
  const lines = blockAt(text, offset);
  const [first = line, last = line] = [lines[0], lines.at(-1)];
  if (first.start === line.start) {
    const newText = `${asciidoc.comment(`iaip-dsl-disable-next-line ${rule}`)}${newline}`;
    return [{ start: line.start, end: line.start, newText }];
  }
  const directive = (name: string): string => asciidoc.comment(`iaip-dsl-${name} ${rule}`);
  return [
    { start: first.start, end: first.start, newText: `${directive("disable")}${newline}` },
    { start: last.end, end: last.end, newText: `${newline}${directive("enable")}` },
  ];
}

/**
 * reStructuredText has no comment within a paragraph, and a comment takes what is indented below it: one directive
 * before the paragraph and one behind it, where it is a paragraph and nothing else.
 */
function aroundParagraph({ text, newline, rule }: Place, offset: number): readonly Change[] | undefined {
  const lines = blockAt(text, offset);
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { indent } = first;
  const isPlain =
    lines.every((it) => it.indent === indent) &&
    !/^\s*(?:[-*+•]\s|[#\w]+[.)]\s|\(\w+\)\s|\.\. |__ |:[^:]+:|>>>|\||[+=-]{2})/.test(first.own);
  const isTitle = lines.some((it) => /^\s*([!-/:-@[-`{-~])\1{2,}\s*$/.test(it.own));
  const below = /^(?:[ \t]*\r?\n)*([ \t]*)\S/.exec(text.slice(last.end + newline.length))?.[1] ?? "";
  if (!isPlain || isTitle || /::\s*$/.test(last.own) || below.length > indent.length) return undefined;
  const directive = (name: string): string => restructured.comment(`iaip-dsl-${name} ${rule}`);
  return [
    { start: first.start, end: first.start, newText: `${indent}${directive("disable")}${newline}${newline}` },
    { start: last.end, end: last.end, newText: `${newline}${newline}${indent}${directive("enable")}` },
  ];
}

/** The lines around an offset up to the next blank ones. */
function blockAt(text: string, offset: number): readonly Line[] {
  const lines = [lineAt(text, offset)];
  for (let first = lines[0]; first !== undefined && first.start > 1; first = lines[0]) {
    const above = lineAt(text, first.start - 1);
    if (above.own.trim() === "") break;
    lines.unshift(above);
  }
  for (let last = lines.at(-1); last !== undefined && last.next < text.length; last = lines.at(-1)) {
    const below = lineAt(text, last.next);
    if (below.own.trim() === "") break;
    lines.push(below);
  }
  return lines;
}

interface Line {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  /** Where the next line begins. */
  readonly next: number;
  readonly own: string;
  /** Blanks, and the bars of a block quote. */
  readonly indent: string;
}

function lineAt(text: string, offset: number): Line {
  const start = offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const newline = text.indexOf("\n", offset);
  const next = newline < 0 ? text.length : newline + 1;
  const end = newline > start && text[newline - 1] === "\r" ? newline - 1 : newline < 0 ? text.length : newline;
  const own = text.slice(start, end);
  // A byte order mark stays the first character of the file.
  const isMarked = start === 0 && own.startsWith("\uFEFF");
  if (isMarked) return { ...lineOf(own.slice(1)), start: 1, end, next };
  return { start, end, next, ...lineOf(own) };
}

const lineOf = (own: string): Pick<Line, "own" | "indent"> => ({
  own,
  indent: /^[ \t]*(?:>[ \t]?)*/.exec(own)?.[0] ?? "",
});
