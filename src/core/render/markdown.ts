/** Text that a Markdown reader shows as written. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\`*[\]<>|]/g, (it) => `\\${it}`)
      // Within a word an underscore is no mark.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/\s*\n\s*/g, " ")
      .replace(/^(\s*)([#>+-]|\d+[.)])(?=\s)/, "$1\\$2")
  );
}

/** The words of our own Markdown without its marks, for clients that show plain text. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^#{1,6} /gm, "")
    .replace(/^---$/gm, "----------")
    .replace(/\*\*(.+?)\*\*/g, "$1")
    .replace(/(?<!\\)\*(.+?)(?<!\\)\*/g, "$1")
    .replace(/\\([\\`*_[\]<>|#>+.)-])/g, "$1");
}

/** At most so many bytes of a text, cut between words and marked where it was cut. */
export function clipped(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  let kept = "";
  for (const word of text.split(/(?<=\s)/)) {
    if (bytes < byteLength(kept) + byteLength(word.trimEnd()) + 3) break;
    kept += word;
  }
  return `${kept.trimEnd().replace(/[,;:(–—-]+$/, "")}…`;
}

/** `one`, `one and two`, `one, two and three`. */
export function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** Bytes of UTF-8, counted without a built-in. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Some hosts cut a tool's text here. */
export const longestText = 8_000;

/**
 * Joins sections, essentials first, within `longestText` bytes. A section that no longer fits is cut at a line, and
 * `more` says so; what stands after it is left out.
 */
export function joinSections(sections: readonly string[], more: string): string {
  let text = "";
  for (const section of sections.filter((it) => it.length > 0)) {
    const joined = text.length === 0 ? section : `${text}\n\n${section}`;
    if (byteLength(joined) <= longestText) {
      text = joined;
      continue;
    }
    return `${cut(joined, longestText - byteLength(more) - 2)}\n\n${more}`;
  }
  return text;
}

function cut(text: string, most: number): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of text.split("\n")) {
    bytes += byteLength(line) + 1;
    if (most < bytes) break;
    kept.push(line);
  }
  if (kept.length === 0) return [...text].slice(0, Math.floor(most / 4)).join("");
  return kept.join("\n").trimEnd();
}
