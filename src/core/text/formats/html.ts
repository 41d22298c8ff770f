import { isClosing, isSelfClosing, tagName, tagRole } from "./inline-tags.ts";
import {
  type ExemptReason,
  type Passage,
  type PassageText,
  passageText,
  type Span,
  type TextDocument,
} from "./passage.ts";
import { copyProse } from "./prose.ts";

/** Reads the visible text of an HTML document: tags gone, scripts and styles left out, code and quotations exempt. */
export function readHtml(text: string): TextDocument {
  const passages: Passage[] = [];
  const comments: TextDocument["comments"][number][] = [];
  readHtmlRange(text, 0, text.length, passages, comments, { headings: [] });
  return { passages, frontMatter: new Map(), comments };
}

/** The same for a stretch of another format, such as an HTML block in Markdown. Linear. */
export function readHtmlRange(
  text: string,
  from: number,
  to: number,
  passages: Passage[],
  comments: { text: string; start: number; end: number }[],
  around: {
    readonly headings: readonly string[];
    readonly exempt?: ExemptReason;
  },
): void {
  const state = startState(around.exempt);
  let at = from;
  while (at < to) {
    const open = nextTag(text, at, to);
    take(text, at, open, state);
    if (open >= to) break;
    const end = tagEnd(text, open, to);
    const tag = text.slice(open, end);
    if (tag.startsWith("<!--"))
      comments.push({ text: tag.slice(4, tag.endsWith("-->") ? -3 : undefined), start: open, end });
    else readTag(tag, state, () => finish(state, passages, around.headings));
    at = end;
  }
  finish(state, passages, around.headings);
}

interface State {
  into: PassageText;
  emphasis: Span[];
  readonly open: { name: string; role: string; at: number }[];
  readonly outer: ExemptReason | undefined;
  kind: Passage["kind"];
}

const startState = (outer: ExemptReason | undefined): State => ({
  into: passageText(),
  emphasis: [],
  open: [],
  outer,
  kind: "prose",
});

function take(text: string, from: number, to: number, state: State): void {
  if (from >= to || state.open.some((tag) => tag.role === "skip")) return;
  copyProse(state.into, text, from, to);
}

function readTag(tag: string, state: State, cut: () => void): void {
  const name = tagName(tag);
  const role = tagRole(name);
  if (role === "none") return;
  if (role !== "emphasis") cut();
  if (role === "block") {
    state.kind = isClosing(tag) ? "prose" : kindOf(name);
    return;
  }
  if (isClosing(tag)) closeTag(name, state);
  else if (!isSelfClosing(tag) && state.open.length < 100) state.open.push({ name, role, at: state.into.length });
}

function closeTag(name: string, state: State): void {
  const index = state.open.findLastIndex((tag) => tag.name === name);
  if (index < 0) return;
  const [closed] = state.open.splice(index);
  if (closed?.role === "emphasis") state.emphasis.push({ start: closed.at, end: state.into.length });
}

function finish(state: State, passages: Passage[], headings: readonly string[]): void {
  const { text, source } = state.into.finish();
  const inside = state.open.find((tag) => tag.role === "code" || tag.role === "quote");
  const exempt = state.outer ?? (inside === undefined ? undefined : inside.role === "code" ? "code" : "a quotation");
  if (text.trim() !== "") {
    const base = { kind: state.kind, text, source, emphasis: state.emphasis, headings };
    passages.push(exempt === undefined ? base : { ...base, exempt });
  }
  state.into = passageText();
  state.emphasis = [];
}

function kindOf(name: string): Passage["kind"] {
  if (/^h[1-6]$/.test(name)) return "heading";
  if (name === "li" || name === "dd") return "item";
  return name === "td" || name === "th" ? "cell" : "prose";
}

function nextTag(text: string, from: number, to: number): number {
  let at = text.indexOf("<", from);
  while (at >= 0 && at < to && !/[A-Za-z/!?]/.test(text[at + 1] ?? "")) at = text.indexOf("<", at + 1);
  return at < 0 || at > to ? to : at;
}

function tagEnd(text: string, open: number, to: number): number {
  const close = text.startsWith("<!--", open) ? "-->" : ">";
  const at = text.indexOf(close, open);
  return at < 0 || at + close.length > to ? to : at + close.length;
}
