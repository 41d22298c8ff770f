import { readHtml } from "./html.ts";
import { readMarkdown } from "./markdown.ts";
import type { TextDocument } from "./passage.ts";
import { readPlain } from "./plain.ts";

/** Reads the prose of one format. Pure and total. */
export type DocumentReader = (text: string) => TextDocument;

/** Formats by language id, beyond those that are always there. The edges add source languages, which load slowly. */
export type DocumentReaders = ReadonlyMap<string, DocumentReader>;

/** What needs no grammar. */
export const plainReaders: DocumentReaders = new Map<string, DocumentReader>([
  ["markdown", (text) => readMarkdown(text)],
  ["mdx", (text) => readMarkdown(text, { mdx: true })],
  ["plaintext", readPlain],
  ["html", readHtml],
]);
