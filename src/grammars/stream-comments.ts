import { type StreamParser, StringStream } from "@codemirror/streamparser";
import type { CommentSpan } from "../core/text/formats/comments.ts";

/** The comments that a line-by-line grammar finds. Comments that span lines come as one span. */
export function streamComments(parser: StreamParser<unknown>, text: string): readonly CommentSpan[] {
  const spans: CommentSpan[] = [];
  const state = parser.startState?.(2) ?? {};
  let start = 0;
  for (const line of text.split("\n")) {
    readLine(parser, state, line.replace(/\r$/, ""), start, spans);
    start += line.length + 1;
  }
  return spans;
}

function readLine(
  parser: StreamParser<unknown>,
  state: unknown,
  line: string,
  start: number,
  spans: CommentSpan[],
): void {
  if (line === "") {
    parser.blankLine?.(state, 2);
    return;
  }
  const stream = new StringStream(line, 2, 2);
  while (!stream.eol()) {
    const from = stream.pos;
    const style = parser.token(stream, state);
    if (stream.pos === from) stream.next();
    if (style?.split(" ").includes("comment") === true) add(spans, start + from, start + stream.pos);
    stream.start = stream.pos;
  }
}

function add(spans: CommentSpan[], start: number, end: number): void {
  const before = spans.at(-1);
  if (before !== undefined && before.end === start) spans[spans.length - 1] = { ...before, end };
  else spans.push({ kind: "line", start, end });
}
