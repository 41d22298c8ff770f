import { emptyVocabulary } from "../concept/empty-vocabulary.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * What there is before the first load: nothing, and cheap, so that a handshake is answered before anything is read.
 * Whoever wants a view waits for the source's `ready` first.
 */
export const unloaded: Snapshot = {
  sequence: 0,
  revision: "none",
  vocabulary: emptyVocabulary,
  sources: {},
  problems: [],
  undisclosed: new Map(),
  viewFor() {
    throw new Error("the vocabulary is not read yet: wait for `ready`");
  },
  placeOf: () => undefined,
  placeOfSource: () => ({
    file: "sources.yaml",
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  }),
};
