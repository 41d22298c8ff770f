import type { Steps } from "../../../base/steps.ts";
import { readComments } from "./comments.ts";
import { readHtmlRange } from "./html.ts";
import { inOrder } from "./nested.ts";
import type { CommentSpan, Passage, Span, TextDocument } from "./passage.ts";

/** Reads the comments of JavaScript and TypeScript, and the text and the visible attributes of JSX. */
export function* readJavaScript(text: string, jsx: boolean): Steps<TextDocument> {
  const { comments, elements } = scanJavaScript(text, jsx);
  const read = yield* readComments(text, comments);
  const passages: Passage[] = [...read.passages];
  const found: { text: string; start: number; end: number }[] = [...read.comments];
  for (const element of elements) {
    const masked = withHoles(text, element);
    yield* readHtmlRange(masked, { from: 0, to: masked.length, base: element.start }, { passages, comments: found });
  }
  return { passages: inOrder(passages), frontMatter: new Map(), comments: found };
}

/** An element of JSX that stands in no other, and the expressions in it. */
interface Element extends Span {
  readonly holes: readonly Span[];
}

/** Markup in which `holes` are one unknown character and blanks, of the same length. */
export function withHoles(text: string, { start, end, holes }: Element): string {
  const pieces: string[] = [];
  let at = start;
  for (const hole of holes) {
    if (hole.start < at) continue;
    pieces.push(text.slice(at, hole.start), "\uFFFC", " ".repeat(Math.max(0, hole.end - hole.start - 1)));
    at = hole.end;
  }
  pieces.push(text.slice(at, end));
  return pieces.join("");
}

type Frame =
  /** Code between braces, of an object or a template; `hole` where it began in an element. */
  | { readonly kind: "braces"; readonly hole: number }
  | { readonly kind: "template" }
  /** Between the tags of an element. */
  | { readonly kind: "children" }
  /** In a tag; `closing` in `</name>`. */
  | { readonly kind: "tag"; readonly closing: boolean };

const interesting = /\/\/|\/\*|["'`{}/<]/g;
const keywords = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|awai[t]|default)$/;

export function scanJavaScript(
  text: string,
  jsx: boolean,
): { readonly comments: readonly CommentSpan[]; readonly elements: readonly Element[] } {
  const scanner = new Scanner(text, jsx);
  scanner.run();
  return scanner;
}

class Scanner {
  readonly comments: CommentSpan[] = [];
  readonly elements: Element[] = [];
  readonly #text: string;
  readonly #jsx: boolean;
  readonly #frames: Frame[] = [];
  #at = 0;
  /** Behind the last thing that was read as code. */
  #code = 0;
  /** Outermost elements that are open: where they begin, at which depth of frames, and their expressions. */
  readonly #open: { readonly start: number; readonly depth: number; readonly holes: Span[] }[] = [];

  constructor(text: string, jsx: boolean) {
    this.#text = text;
    this.#jsx = jsx;
  }

  run(): void {
    if (this.#text.startsWith("#!")) this.#at = lineEnd(this.#text, 0);
    while (this.#at < this.#text.length) {
      const frame = this.#frames.at(-1);
      if (frame?.kind === "template") this.#inTemplate();
      else if (frame?.kind === "children") this.#inChildren();
      else if (frame?.kind === "tag") this.#inTag(frame.closing);
      else this.#inCode(frame);
    }
  }

  #inCode(frame: Frame | undefined): void {
    const text = this.#text;
    interesting.lastIndex = this.#at;
    const match = interesting.exec(text);
    if (match === null) {
      this.#at = text.length;
      return;
    }
    const at = match.index;
    const mark = match[0];
    switch (mark) {
      case "//":
        this.#comment("line", at, lineEnd(text, at));
        return;
      case "/*": {
        const close = text.indexOf("*/", at + 2);
        this.#comment("block", at, close < 0 ? text.length : close + 2);
        return;
      }
      case "{":
        this.#frames.push({ kind: "braces", hole: -1 });
        this.#go(at + 1);
        return;
      case "}":
        if (frame !== undefined) {
          this.#frames.pop();
          if (frame.kind === "braces" && frame.hole >= 0)
            this.#open.at(-1)?.holes.push({ start: frame.hole, end: at + 1 });
        }
        this.#go(at + 1);
        return;
      case "`":
        this.#frames.push({ kind: "template" });
        this.#go(at + 1);
        return;
      case '"':
      case "'":
        this.#go(stringEnd(text, at));
        return;
      case "/":
        this.#go(this.#startsExpression(at) ? regexEnd(text, at) : at + 1);
        return;
      default:
        this.#angle(at);
        return;
    }
  }

  /** A `<` where an expression begins is an element; one with type parameters is not. */
  #angle(at: number): void {
    const ahead = this.#text.slice(at, at + 80);
    if (
      !this.#jsx ||
      !/^<(?:[A-Za-z_$][\w$.:-]*(?=[\s/>])|>)/.test(ahead) ||
      /^<[\w$]+(?:\s*,|\s+extends\s)/.test(ahead) ||
      !this.#startsExpression(at) ||
      this.#frames.length > maxDepth
    ) {
      this.#go(at + 1);
      return;
    }
    this.#open.push({ start: at, depth: this.#frames.length, holes: [] });
    this.#frames.push({ kind: "tag", closing: false });
    this.#go(at + 1);
  }

  #inTag(closing: boolean): void {
    const text = this.#text;
    tagMarks.lastIndex = this.#at;
    const match = tagMarks.exec(text);
    if (match === null) {
      this.#go(text.length);
      return;
    }
    const at = match.index;
    switch (match[0]) {
      case '"':
      case "'": {
        const close = text.indexOf(match[0], at + 1);
        this.#go(close < 0 ? text.length : close + 1);
        return;
      }
      case "{":
        this.#frames.push({ kind: "braces", hole: at });
        this.#go(at + 1);
        return;
      case "/>":
        this.#frames.pop();
        this.#closed(at + 2);
        return;
      default:
        this.#frames.pop();
        if (closing) {
          if (this.#frames.at(-1)?.kind === "children") this.#frames.pop();
          this.#closed(at + 1);
          return;
        }
        this.#frames.push({ kind: "children" });
        this.#go(at + 1);
        return;
    }
  }

  #inChildren(): void {
    const text = this.#text;
    childMarks.lastIndex = this.#at;
    const match = childMarks.exec(text);
    if (match === null) {
      this.#go(text.length);
      return;
    }
    const at = match.index;
    if (match[0] === "{") {
      this.#frames.push({ kind: "braces", hole: at });
      this.#go(at + 1);
      return;
    }
    const closing = text[at + 1] === "/";
    if (this.#frames.length > maxDepth && !closing) {
      this.#go(at + 1);
      return;
    }
    this.#frames.push({ kind: "tag", closing });
    this.#go(at + 1 + Number(closing));
  }

  /** An element ends; the outermost is kept. */
  #closed(end: number): void {
    const open = this.#open.at(-1);
    if (open !== undefined && this.#frames.length <= open.depth) {
      this.#open.pop();
      this.elements.push({ start: open.start, end, holes: open.holes });
    }
    this.#go(end);
  }

  #inTemplate(): void {
    const text = this.#text;
    templateMarks.lastIndex = this.#at;
    const match = templateMarks.exec(text);
    if (match === null) {
      this.#go(text.length);
      return;
    }
    if (match[0] === "`") this.#frames.pop();
    else if (match[0] === "${" && this.#frames.length <= maxDepth) this.#frames.push({ kind: "braces", hole: -1 });
    this.#go(match.index + match[0].length);
  }

  #comment(kind: "line" | "block", start: number, end: number): void {
    this.comments.push({ kind, start, end });
    this.#at = end;
  }

  #go(to: number): void {
    this.#at = to;
    this.#code = to;
  }

  /** Whether what begins here cannot follow a value: then `/` opens a pattern and `<` an element. */
  #startsExpression(at: number): boolean {
    let before = at - 1;
    const floor = Math.max(0, this.comments.at(-1)?.end ?? 0);
    while (before >= floor && /\s/.test(this.#text[before] ?? "")) before -= 1;
    if (before < floor) before = this.#code - 1;
    while (before >= 0 && before < this.#code && /\s/.test(this.#text[before] ?? "") && this.#code - before < 200)
      before -= 1;
    if (before < 0) return true;
    const mark = this.#text[before] ?? "";
    if (/[)\]}"'`]/.test(mark)) return mark === "}";
    if (!/[\w$\u0080-\uffff]/.test(mark)) return !(/[+-]/.test(mark) && this.#text[before - 1] === mark);
    return keywords.test(this.#text.slice(Math.max(0, before - 12), before + 1));
  }
}

/** Elements and braces in each other beyond which a text is no program. */
const maxDepth = 2_000;
const tagMarks = /["'{]|\/>|>/g;
const childMarks = /\{|<(?=[A-Za-z_$/>])/g;
const templateMarks = /`|\$\{|\\[\s\S]/g;

function stringEnd(text: string, at: number): number {
  const quote = text[at];
  for (let next = at + 1; next < text.length; next += 1) {
    const unit = text[next];
    if (unit === "\\") next += 1;
    else if (unit === quote) return next + 1;
    else if (unit === "\n") return next;
  }
  return text.length;
}

/** A pattern ends on its line; what does not is a division. */
function regexEnd(text: string, at: number): number {
  let inClass = false;
  for (let next = at + 1; next < text.length && next - at < 2_000; next += 1) {
    const unit = text[next];
    if (unit === "\n") break;
    if (unit === "\\") next += 1;
    else if (unit === "[") inClass = true;
    else if (unit === "]") inClass = false;
    else if (unit === "/" && !inClass) return next + 1;
  }
  return at + 1;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : text[newline - 1] === "\r" ? newline - 1 : newline;
}
