import type { Caller } from "../concept/caller.ts";
import type { Concept } from "../concept/concept.ts";
import { decidingProtocols, isKnownTo } from "../concept/disclosure.ts";
import type { ParsedFile } from "../concept/parse-file.ts";
import { fileStart, type Problem, type Range } from "../concept/problem.ts";
import type { Sources, Vocabulary } from "../concept/vocabulary.ts";
import type { Path } from "../concept/yaml-document.ts";
import { contentHash } from "./hash.ts";
import { type Linked, resolveReferences } from "./resolve-references.ts";
import { type CallerView, makeCallerView } from "./view.ts";

/** All that is known at one revision. Never changes: a reload makes the next one. */
export interface Snapshot {
  /** Counts loads in this process; 0 before the first. */
  readonly sequence: number;
  /** Hash of all content, withheld words included: for this process, never for an answer. */
  readonly revision: string;
  readonly vocabulary: Vocabulary;
  readonly sources: Sources;
  /** Of all files, guarded ones included: for those who hold the files, never for an answer; a view has its own. */
  readonly problems: readonly Problem[];
  /** What is known beyond what any caller is given: for the loader and the concept checks, never for an answer. */
  readonly undisclosed: ReadonlyMap<string, Concept>;
  /** The snapshot as this caller may see it. */
  viewFor(caller: Pick<Caller, "protocols">): CallerView;
  /** Where the value at `path` of a concept's file stands; the whole file's start without a path. */
  placeOf(id: string, path?: Path): { readonly file: string; readonly range: Range } | undefined;
  /** Where a source's record stands; the start of `sources.yaml` when that cannot be found. */
  placeOfSource(key: string): { readonly file: string; readonly range: Range };
}

export interface SnapshotParts {
  /** Counts loads in this process. */
  readonly sequence: number;
  /** What the loader met before it had files to parse. */
  readonly folderProblems?: readonly Problem[];
  /** The file that held an id before: it goes on holding it when another file claims the id. */
  readonly holderOf?: (id: string) => string | undefined;
}

/** `files` in path order, so that what is printed first does not depend on the disk. */
export function buildSnapshot(
  files: readonly ParsedFile[],
  { sequence, folderProblems = [], holderOf }: SnapshotParts,
): Snapshot {
  const linked = resolveReferences(files, { holderOf });
  const files_ = linked.files;
  const revision = contentHash(
    JSON.stringify([linked.vocabulary, linked.sources, linked.terminology, [...linked.concepts.values()]]),
  );
  const deciding = new Set(
    files.flatMap((it) => (it.kind === "concept" && it.value ? decidingProtocols(it.value) : [])),
  );
  const views = new Map<string, CallerView>();
  return {
    sequence,
    revision,
    vocabulary: linked.vocabulary,
    sources: linked.sources,
    problems: [...folderProblems, ...linked.problems],
    undisclosed: linked.concepts,
    viewFor(caller) {
      const opening = [...deciding].filter((it) => caller.protocols.has(it)).sort();
      const key = opening.join("\n");
      const made = views.get(key);
      if (made !== undefined) return made;
      const protocols = new Set(opening);
      const known = knownTo(protocols);
      const unknown = new Set([...linked.concepts.keys()].filter((id) => !known.concepts.has(id)));
      const view = makeCallerView(known, protocols, folderProblems, unknown);
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
  };

  /** The vocabulary without the files of which the callers with these grants may not know. */
  function knownTo(protocols: ReadonlySet<string>): Linked {
    const isHidden = (it: ParsedFile) => it.kind === "concept" && it.value && !isKnownTo(it.value, { protocols });
    const hidden = files.filter(isHidden);
    if (hidden.length === 0) return linked;
    const ids = new Set(hidden.map((it) => (it.value as Concept).id));
    const known = files.filter((it) => !isHidden(it));
    return resolveReferences(known, { holderOf, unmentioned: ids });
  }
}
