import type { Steps } from "../../../base/steps.ts";
import { readComments } from "./comments.ts";
import { readHtmlRange } from "./html.ts";
import { scanJavaScript, withHoles } from "./javascript.ts";
import { inOrder } from "./nested.ts";
import type { Passage, Span, TextDocument } from "./passage.ts";

/** Reads the markup of Vue, Svelte and Astro as HTML with expressions as code, and the comments of their scripts. */
export function* readComponent(text: string): Steps<TextDocument> {
  const passages: Passage[] = [];
  const comments: TextDocument["comments"][number][] = [];
  const scripts: Span[] = [];
  const frontMatter = /^---\r?\n[\s\S]{0,100000}?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
  const masked = withHoles(text, { start: 0, end: text.length, holes: holesIn(text, frontMatter) });
  yield* readHtmlRange(
    masked,
    {
      from: 0,
      to: masked.length,
      onSkipped: (name, span) => {
        if (name === "script") scripts.push(span);
      },
      transparent: "template",
    },
    { passages, comments },
  );
  for (const span of scripts) {
    const found = scanJavaScript(text.slice(span.start, span.end), false).comments;
    const spans = found.map((it) => ({ ...it, start: it.start + span.start, end: it.end + span.start }));
    const read = yield* readComments(text, spans);
    passages.push(...read.passages);
    comments.push(...read.comments);
  }
  return { passages: inOrder(passages), frontMatter: new Map(), comments };
}

/** `{{ … }}` and `{ … }` outside of scripts and styles, and the script fence at the top. */
function holesIn(text: string, frontMatter: number): readonly Span[] {
  const holes: Span[] = frontMatter > 0 ? [{ start: 0, end: frontMatter }] : [];
  const mark = /<(script|style)\b|[{}]/gi;
  mark.lastIndex = frontMatter;
  let open = -1;
  let depth = 0;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    if (match[0] === "{") {
      if (depth === 0) open = match.index;
      depth += 1;
    } else if (match[0] === "}") {
      if (depth === 1) holes.push({ start: open, end: match.index + 1 });
      depth = Math.max(0, depth - 1);
    } else if (depth === 0) {
      const close = text.indexOf(`</${match[1]}`, match.index);
      mark.lastIndex = close < 0 ? text.length : close;
    }
  }
  return holes;
}
