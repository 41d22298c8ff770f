import type { Position } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";

/** What a column counts: bytes of UTF-8, units of UTF-16, or code points. */
export const positionEncodings = ["utf-8", "utf-16", "utf-32"] as const;
export type PositionEncoding = (typeof positionEncodings)[number];

/**
 * The first encoding that a client lists and this server has: the list is in the client's order of preference, and
 * some clients send the columns of their first choice whatever the server answers. UTF-16 where it lists none.
 */
export function chooseEncoding(listed: unknown): PositionEncoding {
  const all: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return all.map((it) => positionEncodings.find((own) => own === it)).find((it) => it !== undefined) ?? "utf-16";
}

/** How many columns a stretch of a line takes. */
export function columnsOf(text: string, encoding: PositionEncoding): number {
  if (encoding === "utf-16") return text.length;
  if (encoding === "utf-8") return Buffer.byteLength(text);
  let count = 0;
  for (let at = 0; at < text.length; at += widthAt(text, at)) count += 1;
  return count;
}

/** The UTF-16 units that a number of columns covers; a column inside a character is the character's start. */
export function unitsOf(line: string, columns: number, encoding: PositionEncoding): number {
  if (encoding === "utf-16") return columns;
  let seen = 0;
  for (let at = 0; at < line.length; ) {
    const width = widthAt(line, at);
    seen += encoding === "utf-32" ? 1 : bytesOf(line.codePointAt(at) ?? 0);
    if (seen > columns) return at;
    at += width;
  }
  return line.length;
}

/** A client's position as UTF-16, clamped to the document. */
export function toUtf16(document: TextDocument, position: Position, encoding: PositionEncoding): Position {
  if (encoding === "utf-16") return position;
  const start = document.offsetAt({ line: position.line, character: 0 });
  const end = document.offsetAt({ line: position.line, character: Number.MAX_SAFE_INTEGER });
  const line = document.getText().slice(start, end);
  return document.positionAt(start + unitsOf(line, position.character, encoding));
}

const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1);

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x8_00) return 2;
  return codePoint < 0x1_00_00 ? 3 : 4;
}
