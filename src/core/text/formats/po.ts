import type { Steps } from "../../../base/steps.ts";
import { readMarkdown } from "./markdown.ts";
import { readTaken } from "./nested.ts";
import { type Passage, passageText, type TextDocument } from "./passage.ts";
import { unescaped } from "./yaml-texts.ts";

/** Reads the translations of a gettext catalogue; where there is none, the original text. */
export function* readPo(text: string): Steps<TextDocument> {
  const passages: Passage[] = [];
  const comments: TextDocument["comments"][number][] = [];
  let entry: Entry = { original: [], translation: [] };
  let into: [number, number][] | undefined;
  let at = 0;
  while (at <= text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    const keyword = /^(msgid_plural|msgid|msgstr(?:\[\d+\])?|msgctxt)\s+/.exec(line);
    if (keyword?.[1] === "msgid" || line.trim() === "") {
      if (entry.original.length > 0) passages.push(...(yield* readEntry(text, entry)));
      entry = { original: [], translation: [] };
      into = undefined;
    }
    if (line.startsWith("#")) comments.push({ text: line.replace(/^#[.:,|~]?\s*/, ""), start: at, end });
    if (keyword !== null) {
      const name = keyword[1] ?? "";
      into = name.startsWith("msgstr") ? entry.translation : name === "msgctxt" ? undefined : entry.original;
    }
    const value = /"((?:[^"\\]|\\.)*)"\s*$/.exec(keyword === null ? line : line.slice(keyword[0].length));
    const offset = at + line.lastIndexOf(value?.[0] ?? "\0");
    if (value !== null && into !== undefined && (value[1] ?? "") !== "")
      into.push([offset + 1, offset + 1 + (value[1]?.length ?? 0)]);
    if (newline < 0) break;
    at = newline + 1;
  }
  if (entry.original.length > 0) passages.push(...(yield* readEntry(text, entry)));
  return { passages, frontMatter: new Map(), comments };
}

interface Entry {
  readonly original: [number, number][];
  readonly translation: [number, number][];
}

function* readEntry(text: string, { original, translation }: Entry): Steps<readonly Passage[]> {
  const into = passageText();
  for (const [start, end] of translation.length > 0 ? translation : original) {
    let kept = start;
    for (let at = text.indexOf("\\", start); at >= 0 && at < end; at = text.indexOf("\\", kept)) {
      into.copy(text, kept, at);
      into.put(unescaped(text.slice(at, at + 2)), at, 2);
      kept = at + 2;
    }
    into.copy(text, Math.min(kept, end), end);
  }
  return (yield* readTaken(into.finish(), readMarkdown)).passages;
}
