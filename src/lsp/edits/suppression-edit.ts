import type { Finding } from "../../core/terms/reading.ts";
import { documentFormat, type OpenDocument } from "../documents/documents.ts";
import type { FileEdit } from "./workspace-edit.ts";

/** A directive that silences one rule: on the next line, or in the whole file. None where the format has no comments. */
export function suppressionEdit(
  document: OpenDocument,
  finding: Finding,
  where: "line" | "file",
): FileEdit | undefined {
  const comment = commentFor(document);
  if (comment === undefined) return undefined;
  const newline = document.text.includes("\r\n") ? "\r\n" : "\n";
  if (where === "file") {
    const at = afterFrontMatter(document.text);
    const newText = `${comment(`iaip-dsl-disable ${finding.rule}`)}${newline}${newline}`;
    return { document, start: at, end: at, newText };
  }
  const { line } = document.positionAt(finding.start);
  const at = document.offsetAt({ line, character: 0 });
  const indent = /^[ \t]*(?:>[ \t]?)*/.exec(document.text.slice(at, at + 200))?.[0] ?? "";
  if (isContinuation(document, line)) {
    const end = document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
    return { document, start: end, end, newText: ` ${comment(`iaip-dsl-disable-line ${finding.rule}`)}` };
  }
  return {
    document,
    start: at,
    end: at,
    newText: `${indent}${comment(`iaip-dsl-disable-next-line ${finding.rule}`)}${newline}`,
  };
}

/** A comment on a line of its own would end a paragraph or a table in its middle. */
function isContinuation(document: OpenDocument, line: number): boolean {
  const start = document.offsetAt({ line, character: 0 });
  const own = document.text.slice(start, document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER }));
  if (/^\s*(?:\||[-*+]\s|\d+[.)]\s|>)/.test(own)) return true;
  if (line === 0) return false;
  const above = document.text.slice(document.offsetAt({ line: line - 1, character: 0 }), start);
  return above.trim() !== "";
}

function commentFor(document: OpenDocument): ((text: string) => string) | undefined {
  switch (documentFormat(document)) {
    case "markdown":
    case "html":
      return (text) => `<!-- ${text} -->`;
    case "mdx":
      return (text) => `{/* ${text} */}`;
    case "restructuredtext":
      return (text) => `.. ${text}`;
    case "asciidoc":
      return (text) => `// ${text}`;
    default:
      return undefined;
  }
}

function afterFrontMatter(text: string): number {
  const front = /^---\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
  return front === null ? 0 : front[0].length;
}
