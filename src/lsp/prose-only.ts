import { plainReaders } from "../core/text/read-document.ts";
import type { OpenDocument } from "./documents.ts";
import { documentFormat } from "./prose-findings.ts";

/** Tells whether a stretch of a document is running text: not code, a link's address, front matter or a comment. */
export function proseOnly(document: OpenDocument): (start: number, end: number) => boolean {
  const format = documentFormat(document);
  const reader = format === undefined ? undefined : plainReaders.get(format);
  if (reader === undefined) return () => false;
  const read = new Uint8Array(document.text.length);
  for (const passage of reader(document.text).passages) {
    if (passage.kind === "code" || passage.exempt === "front matter") continue;
    for (let at = 0; at < passage.text.length; at += 1) {
      const { start, end } = passage.source.range(at, at + 1);
      if (passage.text[at] === document.text[start]) read.fill(1, start, end);
    }
  }
  return (start, end) => {
    const stretch = document.text.slice(start, end);
    return [...stretch].every(
      (character, index) => /\s/.test(character) || read[start + index] === 1 || /[>#/]/.test(character),
    );
  };
}
