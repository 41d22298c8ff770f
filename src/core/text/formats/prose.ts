import type { PassageText } from "./passage.ts";

/** Takes a stretch of prose. A line break with the blanks around it is read as one space. */
export function copyProse(into: PassageText, text: string, from: number, to: number): void {
  const piece = text.slice(from, to);
  let at = 0;
  while (at < piece.length) {
    const newline = piece.indexOf("\n", at);
    if (newline < 0) break;
    let end = newline;
    while (end > at && isBlank(piece.charCodeAt(end - 1))) end -= 1;
    into.copy(text, from + at, from + end);
    into.put(" ", from + end);
    at = newline + 1;
    while (at < piece.length && isBlank(piece.charCodeAt(at))) at += 1;
  }
  into.copy(text, from + at, to);
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09 || unit === 0x0d;

/** Stands for what is in the text and is not read: code, an image, a formula. */
export const opaque = "\uFFFC";
