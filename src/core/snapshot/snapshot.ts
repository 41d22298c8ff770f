import type { Caller } from "../concept/caller.ts";
import type { Concept } from "../concept/concept.ts";
import { isOpenToAll } from "../concept/disclosure.ts";
import type { ParsedFile } from "../concept/parse-file.ts";
import { fileStart, type Problem, type Range } from "../concept/problem.ts";
import type { Sources, Vocabulary } from "../concept/vocabulary.ts";
import type { Path } from "../concept/yaml-document.ts";
import { contentHash } from "./hash.ts";
import { resolveReferences } from "./resolve-references.ts";
import { type CallerView, makeCallerView } from "./view.ts";

/** All that is known at one revision. Never changes: a reload makes the next one. */
export interface Snapshot {
  /** Counts loads in this process; 0 before the first. */
  readonly sequence: number;
  /** Hash of all content, withheld words included: for this process, never for an answer. */
  readonly revision: string;
  readonly vocabulary: Vocabulary;
  readonly sources: Sources;
  readonly problems: readonly Problem[];
  /** What is known beyond what anyone may be told: for the loader and the concept checks, never for an answer. */
  readonly undisclosed: ReadonlyMap<string, Concept>;
  /** The snapshot as this caller may see it. */
  viewFor(caller: Pick<Caller, "protocols">): CallerView;
  /** Where the value at `path` of a concept's file stands; the whole file's start without a path. */
  placeOf(id: string, path?: Path): { readonly file: string; readonly range: Range } | undefined;
  /** Where a source's record stands; the start of `sources.yaml` when that cannot be told. */
  placeOfSource(key: string): { readonly file: string; readonly range: Range };
  /** The concept a file of the vocabulary folder holds. */
  conceptIn(file: string): string | undefined;
}

/**
 * `files` in path order: of two files with one id the first stands. `folderProblems` are what the loader met before it
 * had files to parse.
 */
export function buildSnapshot(
  files: readonly ParsedFile[],
  sequence: number,
  folderProblems: readonly Problem[] = [],
): Snapshot {
  const linked = resolveReferences(files);
  const files_ = linked.files;
  const byFile = new Map([...files_].map(([id, it]) => [it.file, id]));
  const revision = contentHash(
    JSON.stringify([linked.vocabulary, linked.sources, linked.terminology, [...linked.concepts.values()]]),
  );
  const gates = new Set(
    [...linked.concepts.values()].filter((it) => !isOpenToAll(it)).flatMap((it) => it.governance.protocols),
  );
  const views = new Map<string, CallerView>();
  return {
    sequence,
    revision,
    vocabulary: linked.vocabulary,
    sources: linked.sources,
    problems: [...folderProblems, ...linked.problems],
    undisclosed: linked.concepts,
    viewFor({ protocols }) {
      const opening = [...gates].filter((it) => protocols.has(it)).sort();
      const key = opening.join("\n");
      const view = views.get(key) ?? makeCallerView(linked, new Set(opening));
      views.set(key, view);
      return view;
    },
    placeOf(id, path = []) {
      const parsed = files_.get(id);
      return parsed && { file: parsed.file, range: parsed.places.value(path) };
    },
    placeOfSource(key) {
      const parsed = files.find((it) => it.kind === "sources");
      return { file: parsed?.file ?? "sources.yaml", range: parsed?.places.key([key]) ?? fileStart };
    },
    conceptIn: (file) => byFile.get(file),
  };
}
