import type { TakenText } from "./nested.ts";
import { type CommentSpan, passageText } from "./passage.ts";

/** Keys whose text people read, in data files and front matter. */
export const proseKeys: ReadonlySet<string> = new Set(
  (
    "title subtitle description summary abstract prompt system system_prompt instructions message messages label caption " +
    "help tagline excerpt short_description long_description"
  ).split(" "),
);

export interface KeyedText {
  readonly key: string;
  readonly taken: TakenText;
}

/**
 * The comments and the texts of known keys in a stretch of YAML, line by line and in linear time: nesting is by the
 * indentation, flow collections are passed over, a broken line is no more than itself.
 */
export function scanYaml(
  text: string,
  from: number,
  to: number,
): { readonly comments: readonly CommentSpan[]; readonly texts: readonly KeyedText[] } {
  const comments: CommentSpan[] = [];
  const texts: KeyedText[] = [];
  const keys: { readonly indent: number; readonly key: string }[] = [];
  let at = from;
  while (at < to) {
    const end = lineEnd(text, at, to);
    const line = text.slice(at, end);
    const opening = /^[ \t]*(?:-[ \t]+)*/.exec(line)?.[0] ?? "";
    const rest = line.slice(opening.length);
    if (rest.startsWith("#")) {
      comments.push({ kind: "line", start: at + opening.length, end });
      at = end + 1;
      continue;
    }
    if (rest.trim() === "") {
      at = end + 1;
      continue;
    }
    const pair =
      /^(?:"([^"\n]{1,80})"|'([^'\n]{1,80})'|([^\s#:'"[\]{},&*!|>%@`-][^:#\n]{0,80}?))[ \t]*:(?=[ \t\r]|$)[ \t]*/.exec(
        rest,
      );
    const indent = opening.length;
    while (keys.length > 0 && (keys.at(-1)?.indent ?? 0) >= indent + Number(pair === null)) keys.pop();
    const key = pair === null ? (keys.at(-1)?.key ?? "") : (pair[1] ?? pair[2] ?? pair[3] ?? "").toLowerCase();
    if (pair !== null) keys.push({ indent, key });
    const value = at + opening.length + (pair?.[0].length ?? 0);
    const scalar = readScalar(text, value, end, to, pair === null ? indent - 1 : indent);
    if (scalar.comment !== undefined) comments.push(scalar.comment);
    if (scalar.taken !== undefined && proseKeys.has(key)) texts.push({ key, taken: scalar.taken });
    at = scalar.next;
  }
  return { comments, texts };
}

interface Scalar {
  readonly taken?: TakenText;
  readonly comment?: CommentSpan;
  /** Where the next line begins. */
  readonly next: number;
}

/** A value that begins at `at` in a line that ends at `end`; continued lines are indented deeper than `indent`. */
function readScalar(text: string, at: number, end: number, to: number, indent: number): Scalar {
  const first = text[at] ?? "";
  if (at >= end) return { next: end + 1 };
  if ((first === "|" || first === ">") && /^[|>][-+0-9]*[ \t]*(?:#.*)?\r?$/.test(text.slice(at, end)))
    return readBlock(text, end + 1, to, indent);
  if (first === '"' || first === "'") return readQuoted(text, at, end, to);
  const comment = /[ \t]#/.exec(text.slice(at, end));
  const stop = comment === null ? end : at + comment.index;
  const found = comment === null ? {} : { comment: { kind: "line", start: stop + 1, end } as const };
  if (/[[{&*!]/.test(first)) return { ...found, next: end + 1 };
  const into = passageText();
  into.copy(text, at, stop);
  let next = end + 1;
  while (next < to) {
    const last = lineEnd(text, next, to);
    const line = text.slice(next, last);
    const blanks = line.search(/\S/);
    if (blanks <= indent || /^\s*(?:#|-[ \t]|[^\s:#"'][^:#\n]{0,80}:(?:[ \t\r]|$))/.test(line)) break;
    into.put("\n", next - 1);
    into.copy(text, next + blanks, last);
    next = last + 1;
  }
  return { ...found, taken: into.finish(), next };
}

/** The lines of a block scalar, without their indentation. */
function readBlock(text: string, from: number, to: number, indent: number): Scalar {
  const into = passageText();
  let at = from;
  let depth = -1;
  while (at < to) {
    const end = lineEnd(text, at, to);
    const blanks = text.slice(at, Math.min(end, at + 400)).search(/\S/);
    if (blanks >= 0 && blanks <= Math.max(indent, -1)) break;
    if (blanks >= 0 && depth < 0) depth = blanks;
    const start = Math.min(end, at + Math.min(Math.max(depth, 0), blanks < 0 ? end - at : blanks));
    into.copy(text, start, end);
    into.put("\n", end);
    at = end + 1;
  }
  return { taken: into.finish(), next: Math.min(at, to) };
}

function readQuoted(text: string, at: number, lineStop: number, to: number): Scalar {
  const quote = text[at] ?? '"';
  const into = passageText();
  let kept = at + 1;
  let from = at + 1;
  while (from < to) {
    const unit = text[from];
    if (unit === quote && !(quote === "'" && text[from + 1] === "'")) {
      into.copy(text, kept, from);
      const end = lineEnd(text, from, to);
      const comment = /^[^#\n]*?[ \t]#/.exec(text.slice(from, end));
      const start = comment === null ? -1 : from + comment[0].length - 1;
      return {
        taken: into.finish(),
        next: end + 1,
        ...(start < 0 ? {} : { comment: { kind: "line", start, end } as const }),
      };
    }
    const width = escapeWidth(text, from, quote);
    if (width > 0) {
      into.copy(text, kept, from);
      into.put(unescaped(text.slice(from, from + width)), from, width);
      kept = from + width;
      from = kept;
    } else from += 1;
  }
  // Never closed: no more than its line.
  return { next: lineStop + 1 };
}

function escapeWidth(text: string, at: number, quote: string): number {
  if (quote === "'") return text[at] === "'" ? 2 : 0;
  if (text[at] !== "\\") return 0;
  const kind = text[at + 1];
  return kind === "u" ? 6 : kind === "x" ? 4 : kind === "U" ? 10 : 2;
}

/** What an escape of JSON or of YAML's double quotes stands for. */
export function unescaped(sequence: string): string {
  if (sequence === "''") return "'";
  const hex = /^\\[uxU]([0-9a-fA-F]+)$/.exec(sequence)?.[1];
  if (hex !== undefined) {
    const point = Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\uFFFD";
  }
  switch (sequence[1]) {
    case "n":
      return "\n";
    case "t":
      return " ";
    case "\n":
    case "r":
    case "b":
    case "f":
      return " ";
    default:
      return sequence[1] ?? " ";
  }
}

function lineEnd(text: string, at: number, to: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 || newline > to ? to : newline;
}
