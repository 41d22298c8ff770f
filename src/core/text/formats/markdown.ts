import type { SyntaxNodeRef } from "@lezer/common";
import { parser as commonMark, GFM } from "@lezer/markdown";
import { finish, type Steps } from "../../../base/steps.ts";
import { readFrontMatter } from "./front-matter.ts";
import { readHtmlRange } from "./html.ts";
import { guarded } from "./markdown-guard.ts";
import { readInline } from "./markdown-inline.ts";
import { readTaken, type TakenText, under } from "./nested.ts";
import type { ExemptReason, Passage, Span, Table, TextDocument } from "./passage.ts";
import { passageText } from "./passage.ts";
import { keepCell, newTable, type TableText } from "./table-text.ts";
import { proseKeys, scanYaml } from "./yaml-texts.ts";

const parser = commonMark.configure([GFM]);

export interface MarkdownOptions {
  /** MDX: `import`/`export` lines and `{expressions}` are code. */
  readonly mdx?: boolean;
  /** How many texts in texts this one stands in. */
  readonly depth?: number;
}

/** Reads Markdown (CommonMark with GitHub's tables, tasks, strikethrough and alerts; admonitions of MkDocs and MyST). */
export function* readMarkdown(text: string, options: MarkdownOptions = {}): Steps<TextDocument> {
  const frontMatter = readFrontMatter(text);
  const reader = new Reader(text, frontMatter.end, options);
  if (frontMatter.end > 0) yield* markFrontMatter(reader, text, frontMatter.end);
  const parse = parser.startParse(yield* guarded(text.slice(frontMatter.end)));
  let tree = parse.advance();
  while (tree === null) {
    yield;
    tree = parse.advance();
  }
  const cursor = tree.cursor();
  for (let depth = 0; ; ) {
    let leaves = false;
    if (reader.enter(cursor) && cursor.firstChild()) {
      depth += 1;
      continue;
    }
    if (reader.nested.length > 0) yield* reader.readNested();
    yield;
    for (;;) {
      if (leaves) reader.leave(cursor);
      if (depth === 0) return { passages: reader.passages, frontMatter: frontMatter.values, comments: reader.comments };
      if (cursor.nextSibling()) break;
      cursor.parent();
      depth -= 1;
      leaves = true;
    }
  }
}

/** The front matter is none of the text, but for its title, description and the like. */
function* markFrontMatter(reader: Reader, text: string, end: number): Steps<void> {
  const { texts } = text.startsWith("+++") ? { texts: [] } : scanYaml(text, text.indexOf("\n") + 1, end);
  let at = 0;
  for (const { key, taken } of texts) {
    if (!proseKeys.has(key) || taken.text.trim() === "") continue;
    const { start } = taken.source.range(0, 1);
    const stop = taken.source.range(taken.text.length - 1, taken.text.length).end;
    if (start < at) continue;
    reader.verbatim(at, start, "front matter");
    const inner = yield* readTaken(taken, (source) => readMarkdown(source, { depth: 1 }));
    reader.passages.push(...inner.passages);
    at = stop;
  }
  reader.verbatim(at, end, "front matter");
}

/** What is read as a text of its own: a directive's fence, a block that an admonition's line introduces. */
const proseFences =
  /^(?:`{3,}|~{3,}|:{3,})\s*\{?(?:note|tip|hint|important|warning|caution|attention|danger|error|seealso|admonition|topic|sidebar|callout|margin|aside|details|dropdown|tab-item|card|callout-\w+)\}?(?:[\s,].*)?$/i;
const admonition = /^(?:!!!|\?\?\?\+?|={3})\s/;

/** GitHub's alerts, and quotations that only set a note apart: the author's own words. */
const alert =
  /^(?:[ \t]*>)+[ \t]*(?:\[!\w{3,20}\]|(?:\*\*|__|\p{Extended_Pictographic}\uFE0F?\s*(?:\*\*)?)?(?:note|notes|nb|tip|hint|info|important|warning|caution|attention|danger|todo|update|disclaimer|remarque|avertissement|astuce|nota)\b(?:\*\*|__)?\s*(?::|\*\*|__|$))/imu;

const maxDepth = 4;

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
  readonly #depth: number;
  readonly #alerts: boolean[] = [];
  /** Texts in the text that are still to be read. */
  nested: TakenText[] = [];

  constructor(text: string, base: number, { mdx = false, depth = 0 }: MarkdownOptions) {
    this.#text = text;
    this.#base = base;
    this.#mdx = mdx;
    this.#depth = depth;
  }

  *readNested(): Steps<void> {
    const { nested } = this;
    this.nested = [];
    for (const taken of nested) {
      const read = yield* readTaken(taken, (source) =>
        readMarkdown(source, { mdx: this.#mdx, depth: this.#depth + 1 }),
      );
      const exempt = this.#exempt();
      for (const passage of read.passages)
        this.passages.push({ ...under(passage, this.#above), ...(exempt === undefined ? {} : { exempt }) });
      this.comments.push(...read.comments);
    }
  }

  enter(node: SyntaxNodeRef): boolean {
    const { name } = node;
    const from = node.from + this.#base;
    const to = node.to + this.#base;
    if (name === "Paragraph") return this.#paragraph(node, from, to);
    if (name.startsWith("ATXHeading") || name.startsWith("SetextHeading")) return this.#heading(node, from, to);
    switch (name) {
      case "Blockquote": {
        const isAlert = alert.test(this.#text.slice(from, Math.min(to, from + 80)));
        this.#alerts.push(isAlert);
        if (!isAlert) this.#quotes += 1;
        return true;
      }
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
        if (this.#depth < maxDepth && this.#isProse(name, from, to)) this.nested.push(this.#dedented(from, to));
        else this.verbatim(from, to, "code");
        this.#previous = undefined;
        return false;
      case "HTMLBlock": {
        const exempt = this.#exempt();
        const range = { from, to, headings: this.#above, ...(exempt === undefined ? {} : { exempt }) };
        finish(readHtmlRange(this.#text, range, this));
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
        if (this.#alerts.pop() === false) this.#quotes -= 1;
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
    if (end <= start) return;
    const into = passageText();
    into.copy(this.#text, start, end);
    this.#push({ kind: "code", ...into.finish(), emphasis: [], exempt });
  }

  #paragraph(node: SyntaxNodeRef, from: number, to: number): boolean {
    if (this.#mdx && /^(?:import|export)\s/.test(this.#text.slice(from, from + 7))) {
      this.verbatim(from, to, "code");
      return false;
    }
    // The mark of an alert is none of its text.
    const mark =
      this.#alerts.at(-1) === true
        ? (/^\[![\w-]{3,20}\][-+]?[ \t]*/.exec(this.#text.slice(from, from + 40))?.[0].length ?? 0)
        : 0;
    const text = this.#read(node, Math.min(to, from + mark), to, this.#items > 0 ? "item" : "prose");
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
    for (const aside of read.asides) this.verbatim(aside.start, aside.end, aside.reason);
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
      ...(read.hidden.length === 0 ? {} : { hidden: read.hidden }),
      ...(exempt === undefined ? {} : { exempt }),
      ...(cell === undefined ? {} : { cell }),
    });
    return read.text;
  }

  #isProse(name: string, from: number, to: number): boolean {
    const first = this.#text.slice(from, Math.min(to, from + 200)).split("\n")[0] ?? "";
    return name === "FencedCode" ? proseFences.test(first.trim()) : admonition.test(this.#previous ?? "");
  }

  /** The lines of a block without their fences and their common indentation. */
  #dedented(from: number, to: number): TakenText {
    const into = passageText();
    const text = this.#text;
    const fenced = /[`~:]/.test(text[from] ?? "");
    let at = fenced ? text.indexOf("\n", from) + 1 || to : from;
    const indent = fenced ? 0 : 4;
    while (at < to) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 || newline >= to ? to : newline;
      const isLast = end === to;
      if (!(fenced && isLast && /^\s*[`~:]{3,}\s*$/.test(text.slice(at, end)))) {
        const blanks = /^[ \t]*/.exec(text.slice(at, Math.min(end, at + indent)))?.[0].length ?? 0;
        into.copy(text, at + Math.min(blanks, indent), end);
        into.put("\n", end);
      }
      at = end + 1;
    }
    return into.finish();
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
