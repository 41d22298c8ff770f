import { entityPattern, entityText } from "./entities.ts";
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

/** The same where `&eacute;` stands for its character. */
export function copyWithEntities(into: PassageText, text: string, from: number, to: number): void {
  const piece = text.slice(from, to);
  let kept = 0;
  for (let at = piece.indexOf("&"); at >= 0; at = piece.indexOf("&", at + 1)) {
    entityPattern.lastIndex = at;
    const reference = entityPattern.exec(piece)?.[0];
    if (reference === undefined) continue;
    copyProse(into, text, from + kept, from + at);
    into.put(entityText(reference) ?? opaque, from + at, reference.length);
    kept = at + reference.length;
    at = kept - 1;
  }
  copyProse(into, text, from + kept, to);
}

/** Stands for what is in the text and is not read: code, an image, a formula. */
export const opaque = "\uFFFC";
