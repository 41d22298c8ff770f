import type { MarkupContent, Range } from "vscode-languageserver";
import { plainText } from "../../core/render/markdown.ts";
import type { OpenDocument } from "./documents.ts";

/** The document's range between two offsets, in the client's encoding. */
export function toRange(document: OpenDocument, span: { readonly start: number; readonly end: number }): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

/** The same text for every client; its marks only for those that read Markdown. */
export function toMarkup(text: string, markdown: boolean): MarkupContent {
  return markdown ? { kind: "markdown", value: text } : { kind: "plaintext", value: plainText(text) };
}
