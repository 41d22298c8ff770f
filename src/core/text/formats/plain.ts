import type { Steps } from "../../../base/steps.ts";
import { type Passage, passageText, type TextDocument } from "./passage.ts";
import { copyProse } from "./prose.ts";

/** Plain text: paragraphs between blank lines. */
export function* readPlain(text: string): Steps<TextDocument> {
  const passages: Passage[] = [];
  let at = 0;
  let start = -1;
  while (at <= text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const blank = isBlankRange(text, at, end);
    if (blank && start >= 0) {
      passages.push(paragraph(text, start, at));
      start = -1;
      yield;
    } else if (!blank && start < 0) start = at;
    if (newline < 0) break;
    at = newline + 1;
  }
  if (start >= 0) passages.push(paragraph(text, start, text.length));
  return { passages, frontMatter: new Map(), comments: [] };
}

function paragraph(text: string, start: number, end: number): Passage {
  const into = passageText();
  copyProse(into, text, start, end);
  return { kind: "prose", ...into.finish(), emphasis: [], headings: [] };
}

function isBlankRange(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === "";
}
