import type { SyntaxNodeRef } from "@lezer/common";
import { entityText } from "./entities.ts";
import { isClosing, isSelfClosing, tagName, tagRole } from "./inline-tags.ts";
import { type ExemptReason, type PassageText, passageText, type SourceMap, type Span } from "./passage.ts";
import { copyProse, opaque } from "./prose.ts";

export interface InlineText {
  readonly text: string;
  readonly source: SourceMap;
  readonly emphasis: readonly Span[];
  /** Stretches of the text that are quoted by their markup. */
  readonly hidden: readonly (Span & { readonly reason: ExemptReason })[];
  /** Source ranges of what is not read, of comments and of the descriptions of images. */
  readonly asides: readonly (Span & { readonly reason: ExemptReason })[];
  readonly comments: readonly Span[];
  readonly alts: readonly Span[];
}

/** The text of a paragraph, heading or cell, from its inline marks. `base` is where the parsed text starts in `text`. */
export function readInline(
  text: string,
  base: number,
  node: SyntaxNodeRef,
  from: number,
  to: number,
  mdx: boolean,
): InlineText {
  const into = passageText();
  const state: State = {
    into,
    at: from,
    emphasis: [],
    hidden: [],
    asides: [],
    comments: [],
    alts: [],
    codeTag: undefined,
    tags: [],
    ends: [],
  };
  node.node.cursor().iterate((child) => {
    const start = child.from + base;
    const end = child.to + base;
    if (start <= from && end >= to && blockNames.test(child.name)) return true;
    return readMark(text, child.name, start, end, state, mdx);
  });
  advance(text, to, state, mdx);
  closeEmphasis(state, Number.POSITIVE_INFINITY);
  return {
    ...into.finish(),
    emphasis: state.emphasis,
    hidden: state.hidden,
    asides: state.asides,
    comments: state.comments,
    alts: state.alts,
  };
}

interface State {
  readonly into: PassageText;
  at: number;
  readonly emphasis: Span[];
  readonly hidden: (Span & { readonly reason: ExemptReason })[];
  readonly asides: (Span & { readonly reason: ExemptReason })[];
  readonly comments: Span[];
  readonly alts: Span[];
  codeTag: { name: string; start: number } | undefined;
  readonly tags: { name: string; at: number }[];
  readonly ends: { start: number; sourceEnd: number }[];
}

const blockNames = /^(?:Paragraph|ATXHeading\d|SetextHeading\d|TableCell|Task)$/;
const dropped = new Set(
  "EmphasisMark LinkMark StrikethroughMark LinkTitle LinkLabel HeaderMark QuoteMark TaskMarker HardBreak".split(" "),
);

function readMark(text: string, name: string, start: number, end: number, state: State, mdx: boolean): boolean {
  if (dropped.has(name)) {
    advance(text, start, state, mdx);
    if (name === "HardBreak") state.into.put(" ", start);
    skip(state, end);
    if (name === "QuoteMark") while (text[state.at] === " ") state.at += 1;
    return false;
  }
  switch (name) {
    case "Emphasis":
      advance(text, start, state, mdx);
      state.ends.push({ start: state.into.length, sourceEnd: end });
      return true;
    case "InlineCode":
      hide(text, start, end, state, mdx);
      state.asides.push({ start, end, reason: "code" });
      return false;
    case "Strikethrough":
      hide(text, start, end, state, mdx);
      state.asides.push({ start, end, reason: "struck out" });
      return false;
    case "Image": {
      hide(text, start, end, state, mdx);
      const close = text.indexOf("]", start);
      if (close > start + 2 && close < end) state.alts.push({ start: start + 2, end: close });
      return false;
    }
    case "URL":
      if (isDestination(text, start)) {
        advance(text, start, state, mdx);
        skip(state, end);
      } else hide(text, start, end, state, mdx);
      return false;
    case "Autolink":
    case "ProcessingInstruction":
      hide(text, start, end, state, mdx);
      return false;
    case "Comment":
      advance(text, start, state, mdx);
      skip(state, end);
      state.comments.push({ start, end });
      return false;
    case "HTMLTag":
      readTag(text, start, end, state, mdx);
      return false;
    case "Entity":
      advance(text, start, state, mdx);
      state.into.put(entityText(text.slice(start, end)) ?? opaque, start, end - start);
      skip(state, end);
      return false;
    case "Escape":
      advance(text, start, state, mdx);
      state.at = start + 1;
      return false;
    default:
      return true;
  }
}

/** The URL of `[text](url)` stands behind its bracket; a bare one is a word of the sentence. */
const isDestination = (text: string, start: number): boolean => text[start - 1] === "(" || text[start - 1] === "<";

function readTag(text: string, start: number, end: number, state: State, mdx: boolean): void {
  const tag = text.slice(start, end);
  const name = tagName(tag);
  const role = tagRole(name);
  if (role === "code" && !isClosing(tag) && !isSelfClosing(tag) && state.codeTag === undefined) {
    advance(text, start, state, mdx);
    state.codeTag = { name, start };
    state.at = end;
    return;
  }
  if (state.codeTag !== undefined) {
    if (isClosing(tag) && name === state.codeTag.name) {
      state.into.put(opaque, state.codeTag.start);
      state.asides.push({ start: state.codeTag.start, end, reason: "code" });
      state.codeTag = undefined;
    }
    skip(state, end);
    return;
  }
  advance(text, start, state, mdx);
  if (name === "br") state.into.put(" ", start);
  if (role === "emphasis" || role === "quote") {
    if (!isClosing(tag)) state.tags.push({ name, at: state.into.length });
    else if (state.tags.at(-1)?.name === name) {
      const open = state.tags.pop();
      const span = { start: open?.at ?? state.into.length, end: state.into.length };
      if (role === "emphasis") state.emphasis.push(span);
      else state.hidden.push({ ...span, reason: name === "cite" ? "a title" : "a quotation" });
    }
  }
  skip(state, end);
}

function hide(text: string, start: number, end: number, state: State, mdx: boolean): void {
  advance(text, start, state, mdx);
  if (state.codeTag === undefined) state.into.put(opaque, start);
  skip(state, end);
}

function advance(text: string, to: number, state: State, mdx: boolean): void {
  if (to > state.at && state.codeTag === undefined) {
    if (mdx) copyAroundExpressions(text, state.at, to, state);
    else copyProse(state.into, text, state.at, to);
  }
  state.at = Math.max(state.at, to);
  closeEmphasis(state, to);
}

function skip(state: State, to: number): void {
  state.at = Math.max(state.at, to);
  closeEmphasis(state, state.at);
}

function closeEmphasis(state: State, at: number): void {
  for (let last = state.ends.at(-1); last !== undefined && last.sourceEnd <= at; last = state.ends.at(-1)) {
    state.ends.pop();
    state.emphasis.push({ start: last.start, end: state.into.length });
  }
}

function copyAroundExpressions(text: string, from: number, to: number, { into, comments }: State): void {
  const piece = text.slice(from, to);
  let at = 0;
  while (at < piece.length) {
    const open = piece.indexOf("{", at);
    const close = open < 0 ? -1 : piece.indexOf("}", open);
    if (close < 0) break;
    copyProse(into, text, from + at, from + open);
    if (piece.startsWith("/*", open + 1)) comments.push({ start: from + open, end: from + close + 1 });
    else into.put(opaque, from + open);
    at = close + 1;
  }
  copyProse(into, text, from + at, to);
}
