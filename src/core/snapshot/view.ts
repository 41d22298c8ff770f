import { lazy } from "../../base/lazy.ts";
import { type Disclosed, disclose } from "../concept/disclosure.ts";
import type { Problem, Range } from "../concept/problem.ts";
import type { Terminology } from "../concept/rule.ts";
import type { Sources, Vocabulary } from "../concept/vocabulary.ts";
import type { Path } from "../concept/yaml-document.ts";
import { buildNameMatcher, type NameEntry, type NameMatcher } from "../text/names/name-matcher.ts";
import { contentHash } from "./hash.ts";
import { RelationGraph } from "./relation-graph.ts";
import type { Linked } from "./resolve-references.ts";
import { SearchIndex } from "./search-index.ts";

/**
 * A snapshot as one caller may see it. It is built from disclosed concepts alone, so an answer with a restricted
 * concept present is the answer with its withheld parts absent, whatever the question.
 */
export interface CallerView {
  /** Hash of what this view tells, the same on every machine: withheld words do not move it. */
  readonly revision: string;
  readonly vocabulary: Vocabulary;
  readonly sources: Sources;
  /** Named word sets, and the rules that no single concept owns. */
  readonly terminology: Terminology;
  /** What is wrong with the files that this caller may read, and with nothing else. */
  readonly problems: readonly Problem[];
  /** In stable order: category, then id. */
  readonly concepts: ReadonlyMap<string, Disclosed>;
  /**
   * How much of a file this caller may be answered from: all of it, that its concept exists, or nothing. Also nothing
   * where the file is not of this vocabulary.
   */
  reads(file: string): "all" | "existence" | "nothing";
  /** Concepts that a file relates to and that this caller may not know of: nothing is said of those relations. */
  unmentionedIn(file: string): ReadonlySet<string>;
  /** Concepts that this caller may not know of: to leave their uses out of counts, never for an answer. */
  readonly unknown: ReadonlySet<string>;
  /** Where the value at `path` of a concept's file stands; the whole file's start without a path. */
  placeOf(id: string, path?: Path): { readonly file: string; readonly range: Range } | undefined;
  /** What lists, search and suggestions speak of: every concept but the boundaries. */
  readonly listed: ReadonlyMap<string, Disclosed>;
  readonly names: NameMatcher;
  readonly graph: RelationGraph;
  readonly search: SearchIndex;
  /**
   * What one part of the program derives from this view, made when first asked for and kept as long as the view. The
   * maker is the key, so it has to be a function at module scope.
   */
  once<T>(make: (view: CallerView) => T): T;
}

/** Parts that not every question needs are built when first asked for. */
export function makeCallerView(
  source: Linked,
  protocols: ReadonlySet<string>,
  folderProblems: readonly Problem[],
  unknown: ReadonlySet<string> = new Set(),
): CallerView {
  const concepts = new Map(
    [...source.concepts].flatMap(([id, concept]) => {
      const disclosed = disclose(concept, { protocols }, (it) => source.concepts.has(it));
      return disclosed ? [[id, disclosed] as const] : [];
    }),
  );
  const problems = lazy(() => [
    ...folderProblems,
    ...source.problems.filter((it) => !source.parsed.has(it.file) || reads(it.file) === "all"),
  ]);
  const names = lazy(() =>
    buildNameMatcher([...concepts.values()].flatMap((it) => [...nameEntries(it), ...lookupEntries(it)])),
  );
  const listed = lazy(() => new Map([...concepts].filter(([, { concept }]) => concept.tier !== "boundary")));
  const graph = lazy(() => new RelationGraph(source.vocabulary, concepts));
  const search = lazy(() => new SearchIndex(listed(), source.sources));
  const { vocabulary, sources, terminology } = source;
  const revision = lazy(() => contentHash(JSON.stringify([vocabulary, sources, terminology, [...concepts.values()]])));
  const made = new Map<unknown, unknown>();
  return {
    get problems() {
      return problems();
    },
    once<T>(make: (view: CallerView) => T): T {
      if (!made.has(make)) made.set(make, make(this));
      return made.get(make) as T;
    },
    get revision() {
      return revision();
    },
    vocabulary: source.vocabulary,
    sources: source.sources,
    terminology: source.terminology,
    unknown,
    concepts,
    reads,
    unmentionedIn(file) {
      const parsed = source.parsed.get(file);
      const concept = parsed?.kind === "concept" ? parsed.value : undefined;
      const ids = [...(concept?.relations ?? []).map((it) => it.to), ...(concept?.replaced_by ?? [])];
      return new Set(ids.filter((it) => source.unmentioned.has(it)));
    },
    placeOf(id, path = []) {
      const parsed = source.files.get(id);
      return parsed && { file: parsed.file, range: parsed.places.value(path) };
    },
    get listed() {
      return listed();
    },
    get names() {
      return names();
    },
    get graph() {
      return graph();
    },
    get search() {
      return search();
    },
  };

  function reads(file: string): "all" | "existence" | "nothing" {
    const parsed = source.parsed.get(file);
    if (!parsed) return "nothing";
    if (parsed.kind !== "concept") return "all";
    if (!parsed.value) return parsed.guarded ? "nothing" : "all";
    const disclosed = disclose(parsed.value, { protocols });
    return disclosed === undefined ? "nothing" : disclosed.disclosure === "full" ? "all" : "existence";
  }
}

/** Every text a concept goes by. */
export function nameEntries({ concept }: Disclosed): readonly NameEntry[] {
  const exact = new Set(concept.names.filter((it) => it.match === "exact").map((it) => it.text));
  const entry = (text: string, kind: NameEntry["kind"]): NameEntry => ({
    id: concept.id,
    text,
    kind,
    match: exact.has(text) ? "exact" : "loose",
  });
  const own = [
    entry(concept.id, "id"),
    entry(concept.name, "name"),
    ...concept.names.flatMap((it) => {
      const kind = it.text === concept.name ? "name" : "other-language";
      return [it.text, ...it.inflections].map((text) => ({ ...entry(text, kind), match: it.match }));
    }),
    ...concept.aliases.map((it) => entry(it, isAcronym(it) ? "acronym" : "alias")),
  ];
  // Prose never means an id of one word, so a name that is spelled like its id stands beside it.
  const seen = new Set<string>();
  const keyOf = (it: NameEntry): string => `${it.kind === "id"} ${it.text}`;
  return own.filter((it) => !seen.has(keyOf(it)) && seen.add(keyOf(it)));
}

/** What a concept is also asked by and prose never means: `search_names`. */
function lookupEntries({ concept }: Disclosed): readonly NameEntry[] {
  return concept.search_names.map((text) => ({ id: concept.id, text, kind: "alias", match: "asked" }));
}

function isAcronym(text: string): boolean {
  return /^[\p{Lu}\p{N}][\p{Lu}\p{N}®\s-]*$/u.test(text) && text.length <= 12;
}
