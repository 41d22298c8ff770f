import type { StreamParser } from "@codemirror/streamparser";
import type { Parser, SyntaxNodeRef } from "@lezer/common";
import { type CommentSpan, readComments } from "../core/text/formats/comments.ts";
import type { Format, SourceLanguage } from "../core/text/formats/format.ts";
import { type DocumentReader, type DocumentReaders, plainReaders } from "../core/text/formats/read-document.ts";
import { streamComments } from "./stream-comments.ts";

/** The reader of a format. Its grammar is loaded when it is first asked for; the runtime keeps the module. */
export async function loadReader(format: Format): Promise<DocumentReader> {
  return plainReaders.get(format) ?? (await load(format as SourceLanguage));
}

/** What `readTerminology` needs for one format beyond what it always has. */
export async function readersFor(format: Format): Promise<DocumentReaders> {
  return new Map([[format, await loadReader(format)]]);
}

async function load(language: SourceLanguage): Promise<DocumentReader> {
  switch (language) {
    case "javascript":
    case "javascriptreact":
    case "typescript":
    case "typescriptreact": {
      const { parser } = await import("@lezer/javascript");
      const dialect = [language.startsWith("typescript") ? "ts" : "", language === "typescript" ? "" : "jsx"];
      return byTree(parser.configure({ dialect: dialect.filter((name) => name !== "").join(" ") }));
    }
    case "python":
      return byTree((await import("@lezer/python")).parser);
    case "go":
      return byTree((await import("@lezer/go")).parser);
    case "rust":
      return byTree((await import("@lezer/rust")).parser);
    case "java":
      return byTree((await import("@lezer/java")).parser);
    case "cpp":
      return byTree((await import("@lezer/cpp")).parser);
    case "yaml":
      return byTree((await import("@lezer/yaml")).parser);
    case "css":
      return byTree((await import("@lezer/css")).parser);
    case "ruby":
      return byStream((await import("@codemirror/legacy-modes/mode/ruby")).ruby);
    case "shellscript":
      return byStream((await import("@codemirror/legacy-modes/mode/shell")).shell);
    case "toml":
      return byStream((await import("@codemirror/legacy-modes/mode/toml")).toml);
  }
}

const byTree = (parser: Parser): DocumentReader => {
  return (text) => {
    const spans: CommentSpan[] = [];
    parser.parse(text).iterate({
      enter: (node) => {
        const kind = kindOf(node, text);
        if (kind === undefined) return true;
        spans.push({ kind, start: node.from, end: node.to });
        return false;
      },
    });
    return readComments(text, spans);
  };
};

const byStream =
  (parser: StreamParser<unknown>): DocumentReader =>
  (text) =>
    readComments(text, streamComments(parser, text));

/** Comments, and strings that stand alone as statements: the doc strings of Python. */
function kindOf(node: SyntaxNodeRef, text: string): CommentSpan["kind"] | undefined {
  switch (node.name) {
    case "LineComment":
    case "Comment":
      return text.startsWith("/*", node.from) ? "block" : "line";
    case "BlockComment":
      return "block";
    case "String":
      return node.node.parent?.name === "ExpressionStatement" ? "string" : undefined;
    default:
      return undefined;
  }
}
