import type { Steps } from "../../../base/steps.ts";
import { readComments } from "./comments.ts";
import { readMarkdown } from "./markdown.ts";
import { inOrder, readTaken, type TakenText } from "./nested.ts";
import { type Passage, passageText, type TextDocument } from "./passage.ts";
import { sourceComments } from "./source-comments.ts";
import { proseKeys, unescaped } from "./yaml-texts.ts";

/** Reads the texts of JSON that stand under keys that people read, and comments where it has them. */
export function* readJson(text: string): Steps<TextDocument> {
  const read = yield* readComments(text, text.includes("//") || text.includes("/*") ? sourceComments(text, "go") : []);
  const passages: Passage[] = [...read.passages];
  for (const value of jsonStrings(text)) {
    if (!proseKeys.has(value.key.toLowerCase()) || value.end - value.start < 4) continue;
    passages.push(...(yield* readTaken(decoded(text, [value]), readMarkdown)).passages);
    yield;
  }
  return { passages: inOrder(passages), frontMatter: new Map(), comments: read.comments };
}

/** Reads a notebook cell by cell: text cells as Markdown, of code cells the comments. */
export function* readNotebook(text: string): Steps<TextDocument> {
  const passages: Passage[] = [];
  const comments: TextDocument["comments"][number][] = [];
  const language = /"language"\s*:\s*"(\w{1,20})"/.exec(text)?.[1]?.toLowerCase() ?? "python";
  for (const cell of cellsOf(text)) {
    const taken = decoded(text, cell.lines);
    const read = yield* readTaken(taken, (source) =>
      cell.kind === "markdown" ? readMarkdown(source) : readComments(source, sourceComments(source, language)),
    );
    passages.push(...read.passages);
    comments.push(...read.comments);
    yield;
  }
  return { passages, frontMatter: new Map(), comments };
}

interface JsonString {
  /** The key it stands under, also as an entry of a list. */
  readonly key: string;
  readonly depth: number;
  /** Between the quotation marks. */
  readonly start: number;
  readonly end: number;
}

/** The strings of a JSON text that are values, in order. Linear; what is no JSON gives what can be told. */
function* jsonStrings(text: string): Generator<JsonString> {
  const keys: string[] = [""];
  const mark = /["{}[\]]|\/\/[^\n]*|\/\*/g;
  let last = "";
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    switch (match[0]) {
      case "{":
      case "[":
        if (keys.length < 200) keys.push(match[0] === "[" ? (keys.at(-1) ?? "") : "");
        break;
      case "}":
      case "]":
        if (keys.length > 1) keys.pop();
        break;
      case '"': {
        const end = stringEnd(text, match.index);
        mark.lastIndex = end + 1;
        if (/^\s{0,20}:/.test(text.slice(end + 1, end + 24))) {
          last = text.slice(match.index + 1, Math.min(end, match.index + 81));
          keys[keys.length - 1] = last;
        } else yield { key: keys.at(-1) ?? "", depth: keys.length, start: match.index + 1, end };
        break;
      }
      case "/*": {
        const close = text.indexOf("*/", match.index);
        mark.lastIndex = close < 0 ? text.length : close + 2;
        break;
      }
    }
  }
}

function stringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** The text that the strings stand for together. */
function decoded(text: string, strings: readonly JsonString[]): TakenText {
  const into = passageText();
  for (const { start, end } of strings) {
    let kept = start;
    for (let at = text.indexOf("\\", start); at >= 0 && at < end; at = text.indexOf("\\", kept)) {
      into.copy(text, kept, at);
      const width = text[at + 1] === "u" ? 6 : 2;
      into.put(unescaped(text.slice(at, at + width)), at, width);
      kept = at + width;
    }
    into.copy(text, Math.min(kept, end), end);
  }
  return into.finish();
}

function cellsOf(text: string): readonly { readonly kind: string; readonly lines: readonly JsonString[] }[] {
  const cells: { kind: string; lines: JsonString[] }[] = [];
  let depth = -1;
  for (const value of jsonStrings(text)) {
    const inCell = value.key === "cell_type" || value.key === "source";
    if (!inCell) continue;
    if (value.key === "cell_type") {
      const open = cells.at(-1);
      if (open !== undefined && open.kind === "") open.kind = text.slice(value.start, value.end);
      else cells.push({ kind: text.slice(value.start, value.end), lines: [] });
      depth = value.depth;
    } else {
      const open = cells.at(-1);
      if (open === undefined || depth < 0) cells.push({ kind: "", lines: [value] });
      else open.lines.push(value);
    }
  }
  return cells;
}
