import type { Steps } from "../../../base/steps.ts";
import { readMarkdown } from "./markdown.ts";
import { readTaken, type TakenText } from "./nested.ts";
import { type CommentSpan, type Passage, passageText, type Span, type TextDocument } from "./passage.ts";

/**
 * Reads the comments of a source file as the Markdown that people write in them: `//` lines that follow each other are
 * one text; the stars of a block comment and the indentation of a doc string are not part of it.
 */
export function* readComments(text: string, spans: readonly CommentSpan[]): Steps<TextDocument> {
  const passages: Passage[] = [];
  const comments: { text: string; start: number; end: number }[] = [];
  for (const group of grouped(text, spans)) {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    for (const span of group) comments.push({ text: inner(text, span), start: span.start, end: span.end });
    const read = yield* readTaken(cleaned(text, group), readMarkdown);
    passages.push(...read.passages);
    yield;
  }
  return { passages, frontMatter: new Map(), comments };
}

function grouped(text: string, spans: readonly CommentSpan[]): readonly (readonly CommentSpan[])[] {
  const groups: CommentSpan[][] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const follows =
      before?.kind === "line" &&
      span.kind === "line" &&
      /^[ \t]*\r?\n[ \t]*$/.test(text.slice(before.end, Math.min(span.start, before.end + 200)));
    if (
      group !== undefined &&
      follows &&
      span.start - before.end < 200 &&
      !isDirective(text, span) &&
      !isDirective(text, before)
    )
      group.push(span);
    else groups.push([span]);
  }
  return groups;
}

/** A directive for a tool is no prose, and parts the comments around it. */
const isDirective = (text: string, span: Span): boolean =>
  /^(?:\/\/|#|\/\*|--|;)!?\s*(?:iaip-dsl-|eslint|biome-ignore|@ts-|prettier|noqa|type:|pylint|nolint|go:|#region|shellcheck|rubocop|istanbul|c8|v8)/.test(
    text.slice(span.start, span.start + 60),
  );

const opening = /^(?:\/\/[/!]?|#+!?|\/\*[*!]*|;+|(?:[rRuUbBfF]{0,2})(?:"""|'''|"|')|=begin)[ \t]?/;
const closing = /(?:\*+\/|"""|'''|"|'|=end)$/;

function inner(text: string, span: Span): string {
  const whole = text.slice(span.start, span.end);
  return whole.replace(opening, "").replace(closing, "").trim();
}

/** The text of a group without its marks, each line at its own place. */
function cleaned(text: string, group: readonly CommentSpan[]): TakenText {
  const into = passageText();
  for (const span of group) {
    const whole = text.slice(span.start, span.end);
    const start = span.start + (opening.exec(whole)?.[0].length ?? 0);
    const tail = span.kind === "line" ? 0 : (closing.exec(whole)?.[0].length ?? 0);
    const end = Math.max(start, span.end - tail);
    copyLines(into, text, start, end, span.kind === "string" ? indentOf(text.slice(start, end)) : undefined);
    into.put("\n", end);
  }
  return into.finish();
}

/** `indent`: blanks to take off each line of a doc string; without it, the star of a block comment with its blanks. */
function copyLines(
  into: ReturnType<typeof passageText>,
  text: string,
  start: number,
  end: number,
  indent: number | undefined,
): void {
  let at = start;
  while (at <= end) {
    const newline = text.indexOf("\n", at);
    const stop = newline < 0 || newline >= end ? end : newline + 1;
    let from = at;
    if (at > start) {
      const line = text.slice(at, stop);
      from +=
        indent === undefined
          ? (/^[ \t]*(?:\*+(?!\/)[ \t]?|[ \t]*)/.exec(line)?.[0].length ?? 0)
          : Math.min(indent, line.search(/\S|$/));
    }
    into.copy(text, Math.min(from, stop), stop);
    if (stop === end) break;
    at = stop;
  }
}

function indentOf(body: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of body.split("\n").slice(1)) {
    const indent = line.search(/\S/);
    if (indent >= 0) least = Math.min(least, indent);
  }
  return Number.isFinite(least) ? least : 0;
}
