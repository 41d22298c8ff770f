import type { SyntaxNodeRef } from "@lezer/common";
import { parser as commonMark, GFM } from "@lezer/markdown";
import { readFrontMatter } from "./front-matter.ts";
import { readHtmlRange } from "./html.ts";
import { guarded } from "./markdown-guard.ts";
import { readInline } from "./markdown-inline.ts";
import type { ExemptReason, Passage, Span, Table, TextDocument } from "./passage.ts";
import { passageText } from "./passage.ts";
import { keepCell, newTable, type TableText } from "./table-text.ts";

const parser = commonMark.configure([GFM]);

export interface MarkdownOptions {
  /** MDX: `import`/`export` lines and `{expressions}` are code. */
  readonly mdx?: boolean;
}

/** Reads Markdown (CommonMark with GitHub's tables, tasks and strikethrough). */
export function readMarkdown(text: string, options: MarkdownOptions = {}): TextDocument {
  const front = readFrontMatter(text);
  const reader = new Reader(text, front.end, options.mdx ?? false);
  if (front.end > 0) reader.verbatim(0, front.end, "front matter");
  parser
    .parse(guarded(text.slice(front.end)))
    .iterate({ enter: (node) => reader.enter(node), leave: (node) => reader.leave(node) });
  return { passages: reader.passages, frontMatter: front.values, comments: reader.comments };
}

class Reader {
  readonly passages: Passage[] = [];
  readonly comments: { text: string; start: number; end: number }[] = [];
  readonly #text: string;
  readonly #base: number;
  readonly #mdx: boolean;
  #headings: { level: number; text: string }[] = [];
  #above: readonly string[] = [];
  #quotes = 0;
  readonly #leads: (string | undefined)[] = [];
  #previous: string | undefined;
  #items = 0;
  #table: TableText | undefined;
  #row = -1;
  #column = 0;

  constructor(text: string, base: number, mdx: boolean) {
    this.#text = text;
    this.#base = base;
    this.#mdx = mdx;
  }

  enter(node: SyntaxNodeRef): boolean {
    const { name } = node;
    const from = node.from + this.#base;
    const to = node.to + this.#base;
    if (name === "Paragraph") return this.#paragraph(node, from, to);
    if (name.startsWith("ATXHeading") || name.startsWith("SetextHeading")) return this.#heading(node, from, to);
    switch (name) {
      case "Blockquote":
        this.#quotes += 1;
        return true;
      case "BulletList":
      case "OrderedList":
        this.#leads.push(this.#previous ?? this.#leads.at(-1));
        return true;
      case "ListItem":
        this.#items += 1;
        this.#previous = undefined;
        return true;
      case "Task":
        this.#read(node, from, to, "item");
        return false;
      case "Table":
        this.#table = newTable();
        this.#leads.push(this.#previous);
        this.#row = -1;
        return true;
      case "TableHeader":
      case "TableRow":
        this.#row += name === "TableRow" ? 1 : 0;
        this.#column = this.#text[from] === "|" ? -1 : 0;
        return true;
      case "TableDelimiter":
        this.#column += 1;
        return false;
      case "TableCell":
        this.#cell(node, from, to);
        return false;
      case "FencedCode":
      case "CodeBlock":
        this.verbatim(from, to, "code");
        this.#previous = undefined;
        return false;
      case "HTMLBlock": {
        const exempt = this.#exempt();
        const around = { headings: this.#above };
        readHtmlRange(
          this.#text,
          from,
          to,
          this.passages,
          this.comments,
          exempt === undefined ? around : { ...around, exempt },
        );
        return false;
      }
      case "CommentBlock":
        this.#comment(from, to);
        return false;
      case "LinkReference":
      case "HorizontalRule":
      case "ProcessingInstructionBlock":
        return false;
      default:
        return true;
    }
  }

  leave(node: SyntaxNodeRef): void {
    switch (node.name) {
      case "Blockquote":
        this.#quotes -= 1;
        break;
      case "BulletList":
      case "OrderedList":
        this.#leads.pop();
        this.#previous = undefined;
        break;
      case "ListItem":
        this.#items -= 1;
        break;
      case "Table":
        this.#table = undefined;
        this.#leads.pop();
        this.#previous = undefined;
        break;
    }
  }

  /** A stretch that is kept only so that what is exempt in it can be told. */
  verbatim(start: number, end: number, exempt: ExemptReason): void {
    const into = passageText();
    into.copy(this.#text, start, end);
    this.#push({ kind: "code", ...into.finish(), emphasis: [], exempt });
  }

  #paragraph(node: SyntaxNodeRef, from: number, to: number): boolean {
    if (this.#mdx && /^(?:import|export)\s/.test(this.#text.slice(from, from + 7))) {
      this.verbatim(from, to, "code");
      return false;
    }
    const text = this.#read(node, from, to, this.#items > 0 ? "item" : "prose");
    this.#previous = text;
    return false;
  }

  #heading(node: SyntaxNodeRef, from: number, to: number): boolean {
    const level = Number(node.name.at(-1));
    this.#headings = this.#headings.filter((heading) => heading.level < level);
    const text = this.#read(node, from, to, "heading");
    this.#headings.push({ level, text: text.trim() });
    this.#above = this.#headings.map((heading) => heading.text);
    this.#previous = undefined;
    return false;
  }

  #cell(node: SyntaxNodeRef, from: number, to: number): void {
    const table = this.#table;
    if (table === undefined) return;
    const column = Math.max(0, this.#column);
    const text = this.#read(node, from, to, "cell", { row: this.#row, column, table });
    keepCell(table, this.#row, column, text.trim());
  }

  #comment(start: number, end: number): void {
    const inner = this.#text
      .slice(start, end)
      .replace(/^(?:<!--|\{\/\*)/, "")
      .replace(/(?:-->|\*\/\})$/, "");
    this.comments.push({ text: inner, start, end });
    this.verbatim(start, end, "an HTML comment");
  }

  #read(
    node: SyntaxNodeRef,
    from: number,
    to: number,
    kind: Passage["kind"],
    cell?: { row: number; column: number; table: Table },
  ): string {
    const read = readInline(this.#text, this.#base, node, from, to, this.#mdx);
    for (const code of read.code) this.verbatim(code.start, code.end, "code");
    for (const comment of read.comments) this.#comment(comment.start, comment.end);
    for (const alt of read.alts) this.#alt(alt);
    const exempt = this.#exempt();
    const base = {
      kind: exempt === undefined ? kind : "quote",
      text: read.text,
      source: read.source,
      emphasis: read.emphasis,
    };
    this.#push({
      ...base,
      ...(exempt === undefined ? {} : { exempt }),
      ...(cell === undefined ? {} : { cell }),
    });
    return read.text;
  }

  #alt(alt: Span): void {
    const into = passageText();
    into.copy(this.#text, alt.start, alt.end);
    const exempt = this.#exempt();
    this.#push({
      kind: "note",
      ...into.finish(),
      emphasis: [],
      ...(exempt === undefined ? {} : { exempt }),
    });
  }

  #exempt(): ExemptReason | undefined {
    return this.#quotes > 0 ? "a block quotation" : undefined;
  }

  #push(passage: Omit<Passage, "headings" | "lead">): void {
    const lead = this.#leads.at(-1);
    this.passages.push({
      ...passage,
      headings: this.#above,
      ...(lead === undefined ? {} : { lead }),
    });
  }
}
