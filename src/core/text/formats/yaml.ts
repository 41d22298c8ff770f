import type { Steps } from "../../../base/steps.ts";
import { readComments } from "./comments.ts";
import { readMarkdown } from "./markdown.ts";
import { inOrder, readTaken } from "./nested.ts";
import type { Passage, TextDocument } from "./passage.ts";
import { scanYaml } from "./yaml-texts.ts";

/** Reads the comments of YAML, and the texts under keys that people read, as the Markdown that people write in both. */
export function* readYaml(text: string): Steps<TextDocument> {
  const { comments, texts } = scanYaml(text, 0, text.length);
  const read = yield* readComments(text, comments);
  const passages: Passage[] = [...read.passages];
  for (const entry of texts) {
    const inner = yield* readTaken(entry.taken, readMarkdown);
    passages.push(...inner.passages);
    yield;
  }
  return { passages: inOrder(passages), frontMatter: new Map(), comments: read.comments };
}
