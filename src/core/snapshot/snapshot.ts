import type { Concept } from "../concept/concept.ts";
import type { Problem } from "../concept/problem.ts";
import type { Sources, Vocabulary } from "../concept/vocabulary.ts";

/** All that is known at one revision. Never changes: a reload makes the next one. */
export interface Snapshot {
  /** 0 before the first load. */
  readonly revision: number;
  readonly vocabulary: Vocabulary;
  readonly sources: Sources;
  readonly problems: readonly Problem[];
  readonly concepts: ReadonlyMap<string, Concept>;
}
