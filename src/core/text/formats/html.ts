import type { Steps } from "../../../base/steps.ts";
import { isClosing, isSelfClosing, tagName, tagRole } from "./inline-tags.ts";
import {
  type Cell,
  type ExemptReason,
  type Passage,
  type PassageText,
  passageText,
  type Span,
  type TextDocument,
} from "./passage.ts";
import { copyWithEntities, opaque } from "./prose.ts";
import { keepCell, newTable, type TableText } from "./table-text.ts";

/** Reads the visible text of an HTML document: tags gone, scripts and styles left out, code and quotations exempt. */
export function* readHtml(text: string): Steps<TextDocument> {
  const passages: Passage[] = [];
  const comments: TextDocument["comments"][number][] = [];
  yield* readHtmlRange(text, { from: 0, to: text.length }, { passages, comments });
  return { passages, frontMatter: new Map(), comments };
}

export interface HtmlSink {
  readonly passages: Passage[];
  readonly comments: { text: string; start: number; end: number }[];
}

export interface HtmlRange {
  readonly from: number;
  readonly to: number;
  /** What stands around a stretch of another format. */
  readonly headings?: readonly string[];
  readonly exempt?: ExemptReason;
  /** Added to every place, where `text` is a part of the document. */
  readonly base?: number;
  /** `script` and `style` are read by someone else: their ranges. */
  readonly onSkipped?: (name: string, span: Span) => void;
  /** An element that is read though HTML hides it: the template of a component. */
  readonly transparent?: string;
}

/** The same for a stretch of another format, such as an HTML block in Markdown. */
export function* readHtmlRange(whole: string, range: HtmlRange, sink: HtmlSink): Steps<void> {
  const text = whole.slice(range.from, range.to);
  const reader = new Reader(text, range.from + (range.base ?? 0), range, sink);
  let at = 0;
  while (at < text.length) {
    const open = nextTag(text, at);
    reader.take(at, open);
    if (open >= text.length) break;
    const end = tagEnd(text, open);
    at = reader.tag(open, end);
    yield;
  }
  reader.finish();
}

interface OpenTag {
  readonly name: string;
  readonly role: string;
  /** Where its text begins in the passage that is being read. */
  readonly at: number;
}

/** Attributes that people see or hear. */
const visible =
  /\s(alt|title|aria-label|aria-description|placeholder|label|summary)\s*=\s*(?:"([^"<]{2,2000})"|'([^'<]{2,2000})')/giu;

class Reader {
  readonly #text: string;
  readonly #base: number;
  readonly #range: HtmlRange;
  readonly #sink: HtmlSink;
  #into: PassageText = passageText();
  #emphasis: Span[] = [];
  #hidden: (Span & { readonly reason: ExemptReason })[] = [];
  #inItem = false;
  readonly #open: OpenTag[] = [];
  #kind: Passage["kind"] = "prose";
  #headings: { level: number; text: string }[] = [];
  #above: readonly string[];
  #level = 0;
  #lead: string | undefined;
  readonly #leads: (string | undefined)[] = [];
  readonly #tables: { table: TableText; row: number; column: number; isHead: boolean }[] = [];

  constructor(text: string, base: number, range: HtmlRange, sink: HtmlSink) {
    this.#text = text;
    this.#base = base;
    this.#range = range;
    this.#sink = sink;
    this.#above = range.headings ?? [];
  }

  take(from: number, to: number): void {
    if (from < to) copyWithEntities(new Shifted(this.#into, this.#base), this.#text, from, to);
  }

  /** Reads the tag and returns where to go on: behind it, or behind what it hides. */
  tag(open: number, end: number): number {
    const tag = this.#text.slice(open, end);
    if (tag.startsWith("<!--")) {
      const inner = tag.slice(4, tag.endsWith("-->") ? -3 : undefined);
      this.#sink.comments.push({ text: inner, start: open + this.#base, end: end + this.#base });
      return end;
    }
    const name = tagName(tag);
    const role = tagRole(name);
    if (role === "skip" && name !== this.#range.transparent && !isClosing(tag) && !isSelfClosing(tag)) {
      const close = this.#text.indexOf(`</${name}`, end);
      const to = close < 0 ? this.#text.length : close;
      this.#range.onSkipped?.(name, { start: end + this.#base, end: to + this.#base });
      return close < 0 ? to : tagEnd(this.#text, close);
    }
    if (!isClosing(tag)) this.#attributes(tag, open, name);
    if (role !== "none") this.#read(tag, name, role);
    else if (name === "img" || name === "input") this.#into.put(opaque, open + this.#base);
    return end;
  }

  finish(): void {
    this.#cut();
  }

  #read(tag: string, name: string, role: string): void {
    if (role === "block" || blocksOfText.has(name)) this.#block(tag, name, role);
    else this.#inline(tag, name, role);
  }

  /** An element inside a line: what is emphasized, quoted or code in it is known by its place. */
  #inline(tag: string, name: string, role: string): void {
    if (!isClosing(tag)) {
      if (!isSelfClosing(tag) && this.#open.length < 100) this.#open.push({ name, role, at: this.#into.length });
      return;
    }
    const index = this.#open.findLastIndex((it) => it.name === name);
    const closed = index < 0 ? undefined : this.#open.splice(index)[0];
    if (closed === undefined) return;
    if (closed.role === "emphasis") this.#emphasis.push({ start: closed.at, end: this.#into.length });
    else this.#hidden.push({ start: closed.at, end: this.#into.length, reason: reasonFor(closed) });
  }

  #block(tag: string, name: string, role: string): void {
    this.#cut();
    const closing = isClosing(tag);
    if (role === "code" || role === "quote") {
      if (!closing && !isSelfClosing(tag) && this.#open.length < 100) this.#open.push({ name, role, at: 0 });
      const index = closing ? this.#open.findLastIndex((it) => it.name === name) : -1;
      if (index >= 0) this.#open.splice(index);
      return;
    }
    this.#kind = closing ? "prose" : kindOf(name);
    this.#level = closing ? 0 : Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
    if (name === "ul" || name === "ol" || name === "dl") {
      if (closing) this.#leads.pop();
      else if (this.#leads.length < 50) this.#leads.push(this.#lead ?? this.#leads.at(-1));
    }
    this.#tableTag(name, closing);
    if (!closing && this.#leads.length > 0 && this.#kind === "prose" && this.#inItem) this.#kind = "item";
    if (name === "li" || name === "dd") this.#inItem = !closing;
  }

  #tableTag(name: string, closing: boolean): void {
    const table = this.#tables.at(-1);
    if (name === "table") {
      if (closing) this.#tables.pop();
      else if (this.#tables.length < 20) this.#tables.push({ table: newTable(), row: -2, column: -1, isHead: false });
    } else if (table !== undefined && !closing) {
      if (name === "tr") {
        table.row += 1;
        table.column = -1;
      } else if (name === "td" || name === "th") {
        table.column += 1;
        // Without a head, the first row is a row like any other.
        if (name === "td" && table.row === -1) table.row = 0;
      }
    }
  }

  #attributes(tag: string, open: number, name: string): void {
    if (tag.length > 20_000 || !/[=]/.test(tag)) return;
    visible.lastIndex = 0;
    for (const match of tag.matchAll(visible)) this.#note(match[2] ?? match[3] ?? "", match, open);
    if (
      name !== "meta" ||
      !/name\s*=\s*["']?(?:description|twitter:title|twitter:description)|property\s*=\s*["']?og:(?:title|description)/i.test(
        tag,
      )
    )
      return;
    const content = /\scontent\s*=\s*(?:"([^"<]{2,2000})"|'([^'<]{2,2000})')/i.exec(tag);
    if (content !== null) this.#note(content[1] ?? content[2] ?? "", content, open);
  }

  #note(value: string, match: RegExpExecArray, open: number): void {
    const start = open + match.index + match[0].lastIndexOf(value, match[0].length - 2);
    const into = passageText();
    copyWithEntities(new Shifted(into, this.#base), this.#text, start, start + value.length);
    this.#push({ kind: "note", ...into.finish(), emphasis: [], headings: this.#above });
  }

  #cut(): void {
    const { text, source } = this.#into.finish();
    const emphasis = this.#emphasis;
    const hidden = this.#hidden;
    this.#into = passageText();
    this.#emphasis = [];
    this.#hidden = [];
    if (text.trim() === "") return;
    const cell = this.#kind === "cell" ? this.#cell(text) : undefined;
    const lead = this.#kind === "item" || this.#kind === "cell" ? this.#leads.at(-1) : undefined;
    this.#push({
      kind: this.#kind,
      text,
      source,
      emphasis,
      headings: this.#above,
      ...(hidden.length === 0 ? {} : { hidden }),
      ...(lead === undefined ? {} : { lead }),
      ...(cell === undefined ? {} : { cell }),
    });
    if (this.#level > 0) {
      this.#headings = [
        ...this.#headings.filter((it) => it.level < this.#level),
        { level: this.#level, text: text.trim() },
      ];
      this.#above = [...(this.#range.headings ?? []), ...this.#headings.map((it) => it.text)];
    }
    this.#lead = this.#kind === "prose" ? text : undefined;
  }

  #cell(text: string): Cell | undefined {
    const at = this.#tables.at(-1);
    if (at === undefined) return undefined;
    const { table, row, column } = at;
    keepCell(table, Math.max(-1, row), Math.max(0, column), text.trim());
    return { row: Math.max(-1, row), column: Math.max(0, column), table };
  }

  #push(passage: Passage): void {
    const inside = this.#open.find((tag) => blocksOfText.has(tag.name));
    const exempt = this.#range.exempt ?? (inside === undefined ? undefined : reasonFor(inside));
    this.#sink.passages.push(exempt === undefined ? passage : { ...passage, exempt });
  }
}

/** Elements whose whole text is code or quoted. */
const blocksOfText = new Set(["pre", "textarea", "blockquote"]);

function reasonFor({ name, role }: OpenTag): ExemptReason {
  if (role === "code") return "code";
  return name === "cite" ? "a title" : "a quotation";
}

/** Takes text of a part of the document at its place in the whole. */
class Shifted implements PassageText {
  readonly #into: PassageText;
  readonly #base: number;
  constructor(into: PassageText, base: number) {
    this.#into = into;
    this.#base = base;
  }
  get length(): number {
    return this.#into.length;
  }
  copy(document: string, start: number, end: number): void {
    this.#into.copyAs(document.slice(start, end), start + this.#base);
  }
  copyAs(piece: string, source: number): void {
    this.#into.copyAs(piece, source + this.#base);
  }
  put(piece: string, source: number, width?: number): void {
    this.#into.put(piece, source + this.#base, width);
  }
  finish(): ReturnType<PassageText["finish"]> {
    return this.#into.finish();
  }
}

function kindOf(name: string): Passage["kind"] {
  if (/^h[1-6]$/.test(name) || name === "title" || name === "caption") return "heading";
  if (name === "li" || name === "dd" || name === "dt") return "item";
  return name === "td" || name === "th" ? "cell" : "prose";
}

function nextTag(text: string, from: number): number {
  let at = text.indexOf("<", from);
  while (at >= 0 && !/[A-Za-z/!?]/.test(text[at + 1] ?? "")) at = text.indexOf("<", at + 1);
  return at < 0 ? text.length : at;
}

function tagEnd(text: string, open: number): number {
  const close = text.startsWith("<!--", open) ? "-->" : ">";
  const at = text.indexOf(close, open);
  return at < 0 ? text.length : at + close.length;
}
