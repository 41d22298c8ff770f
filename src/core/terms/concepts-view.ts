import type { Concept } from "../concept/concept.ts";
import type { Mention } from "../text/names/name-matcher.ts";

/** What the reader asks of the concepts of a snapshot. */
export interface ConceptsView {
  /** Places where a text names concepts, in reading order. */
  find(text: string): readonly Mention[];
  get(id: string): Concept | undefined;
}

export const noConcepts: ConceptsView = {
  find: () => [],
  get: () => undefined,
};
