import type { Steps } from "../../../base/steps.ts";
import type { Passage, SourceMap, TextDocument } from "./passage.ts";

/** A text that was taken out of a document, and where each of its places stands there. */
export interface TakenText {
  readonly text: string;
  readonly source: SourceMap;
}

/** Reads a taken text as a document of its own; its places are those of the whole. */
export function* readTaken(taken: TakenText, read: (text: string) => Steps<TextDocument>): Steps<TextDocument> {
  const document = yield* read(taken.text);
  return {
    frontMatter: document.frontMatter,
    passages: document.passages.map((passage) => ({ ...passage, source: through(passage.source, taken.source) })),
    comments: document.comments.map((comment) => ({
      text: comment.text,
      ...taken.source.range(comment.start, comment.end),
    })),
  };
}

/** Under the headings of what is around it. */
export const under = (passage: Passage, headings: readonly string[]): Passage =>
  headings.length === 0 ? passage : { ...passage, headings: [...headings, ...passage.headings] };

/** By their place in the document. */
export const inOrder = (passages: readonly Passage[]): readonly Passage[] =>
  passages
    .map((passage) => ({ passage, at: passage.source.range(0, 1).start }))
    .sort((a, b) => a.at - b.at)
    .map(({ passage }) => passage);

const through = (inner: SourceMap, outer: SourceMap): SourceMap => ({
  range(start, end) {
    const inside = inner.range(start, end);
    return outer.range(inside.start, inside.end);
  },
});
