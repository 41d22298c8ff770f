import { readAsciidoc } from "./asciidoc.ts";
import { readHtml } from "./html.ts";
import { readMarkdown } from "./markdown.ts";
import type { TextDocument } from "./passage.ts";
import { readPlain } from "./plain.ts";
import { readRestructured } from "./restructured.ts";

/** Reads the prose of one format. Pure and total. */
export type DocumentReader = (text: string) => TextDocument;

/** Readers by format. What needs a grammar is added by the edges, which load it when it is first asked for. */
export type DocumentReaders = ReadonlyMap<string, DocumentReader>;

/** What needs no grammar of a programming language. */
export const plainReaders: DocumentReaders = new Map<string, DocumentReader>([
  ["markdown", (text) => readMarkdown(text)],
  ["mdx", (text) => readMarkdown(text, { mdx: true })],
  ["plaintext", readPlain],
  ["html", readHtml],
  ["restructuredtext", readRestructured],
  ["asciidoc", readAsciidoc],
]);
