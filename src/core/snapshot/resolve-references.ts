import { type Concept, notPlaced, type StoredRelation } from "../concept/concept.ts";
import { emptyVocabulary } from "../concept/empty-vocabulary.ts";
import { nearest } from "../concept/nearest.ts";
import type { ParsedFile } from "../concept/parse-file.ts";
import { fileStart, type Problem, type ProblemSeverity } from "../concept/problem.ts";
import { brokenRule } from "../concept/relation-rules.ts";
import type { Terminology } from "../concept/rule.ts";
import type { Sources, Vocabulary } from "../concept/vocabulary.ts";
import type { Path } from "../concept/yaml-document.ts";
import { compare, relationNames } from "./relation-graph.ts";
import { withinLimits } from "./within-limits.ts";

type ConceptFile = Extract<ParsedFile, { kind: "concept" }>;

export interface Linked {
  readonly vocabulary: Vocabulary;
  readonly sources: Sources;
  readonly terminology: Terminology;
  readonly concepts: ReadonlyMap<string, Concept>;
  readonly files: ReadonlyMap<string, ConceptFile>;
  readonly problems: readonly Problem[];
  /** Every file that was put together, by path. */
  readonly parsed: ReadonlyMap<string, ParsedFile>;
  readonly unmentioned: ReadonlySet<string>;
}

export interface LinkOptions {
  /** The file that held an id before. */
  readonly holderOf?: ((id: string) => string | undefined) | undefined;
  /** Ids of concepts that these files may not speak of: what relates to them is left out without a word. */
  readonly unmentioned?: ReadonlySet<string>;
}

/** Ids that are resources of their own: `iaip://concepts/registry`. */
const reservedIds = ["registry", "graph", "directions"];

/** Puts files together: what one file cannot know of itself is checked here. The faulty part is left out, no more. */
export function resolveReferences(
  files: readonly ParsedFile[],
  { holderOf, unmentioned = new Set() }: LinkOptions = {},
): Linked {
  const problems: Problem[] = files.flatMap((it) => it.problems);
  const found = <K extends ParsedFile["kind"]>(kind: K) =>
    files.find((it): it is Extract<ParsedFile, { kind: K }> => it.kind === kind && it.value !== undefined);
  const vocabulary = found("vocabulary")?.value ?? emptyVocabulary;
  const sources = found("sources")?.value ?? {};
  if (!files.some((it) => it.kind === "vocabulary"))
    problems.push(
      fault(
        undefined,
        "vocabulary.missing",
        "There is no `vocabulary.yaml` here. Add one, or name another folder with `--concepts DIR`.",
      ),
    );
  const admitted = admit(vocabulary, files, problems, holderOf);
  const concepts = new Map<string, Concept>();
  const nearestId = remembering((id) => nearest(id, admitted.keys()));
  for (const [id, file] of admitted)
    concepts.set(id, checked(file, { all: admitted, vocabulary, sources, nearestId, unmentioned }, problems));
  const terms = found("terminology");
  const fitting = withinLimits(terms?.value ?? { sets: {}, rules: [] }, terms, concepts, admitted);
  problems.push(...fitting.problems);
  return {
    vocabulary,
    sources,
    terminology: fitting.terminology,
    concepts: fitting.concepts,
    files: admitted,
    parsed: new Map(files.map((it) => [it.file, it])),
    unmentioned,
    problems: problems.sort((a, b) => compare(a.file, b.file) || a.range.start.line - b.range.start.line),
  };
}

/** The concepts that can stand at all, in stable order: category, then id. */
function admit(
  vocabulary: Vocabulary,
  files: readonly ParsedFile[],
  problems: Problem[],
  holderOf: LinkOptions["holderOf"],
): Map<string, ConceptFile> {
  const categories = vocabulary.categories.map((it) => it.id);
  const directions = [...vocabulary.directions.values.map((it) => it.id), notPlaced];
  const claims = claimsOf(files);
  const byId = new Map<string, ConceptFile>();
  for (const file of files) {
    if (file.kind !== "concept" || !file.value) continue;
    const { id, category, direction } = file.value;
    const others = claims.get(id)!.filter((it) => it !== file.file);
    const holder = others.length === 0 ? file.file : holderOf?.(id);
    if (reservedIds.includes(id))
      problems.push(
        fault(file, "id.reserved", `The id \`${id}\` is the address of a resource. Choose another.`, ["id"]),
      );
    else if (holder !== file.file) {
      const stands =
        holder !== undefined && others.includes(holder) ? `${holder} held it before and stands` : "neither stands";
      const message = `The id \`${id}\` is also claimed by ${others.join(", ")}: ${stands}. Give one of them another id, or delete it.`;
      problems.push(fault(file, "id.duplicate", message, ["id"]));
    } else if (!categories.includes(category))
      problems.push(
        fault(
          file,
          "category.unknown",
          unknown("category", category, categories),
          ["category"],
          nearest(category, categories),
        ),
      );
    else if (!directions.includes(direction))
      problems.push(
        fault(
          file,
          "direction.unknown",
          unknown("direction", direction, directions),
          ["direction"],
          nearest(direction, directions),
        ),
      );
    else byId.set(id, file);
  }
  const rank = new Map(categories.map((it, i) => [it, i]));
  return new Map(
    [...byId].sort(([a, x], [b, y]) => rank.get(x.value!.category)! - rank.get(y.value!.category)! || compare(a, b)),
  );
}

/** Which files claim an id. */
function claimsOf(files: readonly ParsedFile[]): ReadonlyMap<string, readonly string[]> {
  const claims = new Map<string, string[]>();
  for (const file of files) {
    if (file.kind !== "concept" || !file.value) continue;
    const { id } = file.value;
    claims.set(id, [...(claims.get(id) ?? []), file.file]);
  }
  return claims;
}

/** The concept without the relations and sources that cannot stand. */
function checked(file: ConceptFile, context: Omit<RelationContext, "types">, problems: Problem[]): Concept {
  const { vocabulary, sources, unmentioned } = context;
  const concept = file.value!;
  const isPlain = concept.tier !== "boundary";
  if (isPlain && vocabulary.families.length > 0 && !vocabulary.families.some((it) => it.id === concept.family)) {
    const ids = vocabulary.families.map((it) => it.id);
    problems.push(
      fault(file, "family.unknown", unknown("family", concept.family, ids), ["family"], nearest(concept.family, ids)),
    );
  }
  const types = relationNames(vocabulary);
  const relations = concept.relations.filter((relation, i) => {
    if (unmentioned.has(relation.to)) return false;
    const problem = relationFault(file, relation, i, { ...context, types });
    if (problem) problems.push(problem);
    return problem?.severity !== "error";
  });
  const replaced_by = concept.replaced_by.filter((id, i) => {
    if (context.all.has(id) || unmentioned.has(id)) return !unmentioned.has(id);
    const message = notThere("concept", id, context.nearestId(id), undefined);
    problems.push(fault(file, "replacement.unknown", message, ["replaced_by", i], context.nearestId(id)));
    return false;
  });
  const seen = concept.sources.filter(({ key }, i) => {
    if (Object.hasOwn(sources, key)) return true;
    problems.push(
      fault(
        file,
        "source.unknown",
        unknown("source key", key, Object.keys(sources)),
        ["sources", i, "key"],
        nearest(key, Object.keys(sources)),
      ),
    );
    return false;
  });
  // A concept that nothing was taken from stays the same object, so that a reload can tell what changed.
  const isWhole =
    relations.length === concept.relations.length &&
    seen.length === concept.sources.length &&
    replaced_by.length === concept.replaced_by.length;
  return isWhole ? concept : { ...concept, relations, replaced_by, sources: seen };
}

interface RelationContext {
  readonly all: ReadonlyMap<string, ConceptFile>;
  readonly vocabulary: Vocabulary;
  readonly sources: Sources;
  readonly types: readonly string[];
  readonly nearestId: (id: string) => string | undefined;
  readonly unmentioned: ReadonlySet<string>;
}

/** The same question is worked out once: where a concept went that thousands relate to, each of them asks it. */
function remembering<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.has(key) ? (known.get(key) as T) : make(key);
    known.set(key, value);
    return value;
  };
}

function relationFault(
  file: ConceptFile,
  relation: StoredRelation,
  i: number,
  context: RelationContext,
): Problem | undefined {
  const { all, vocabulary, sources, types, nearestId } = context;
  const concept = file.value!;
  const at = (field: string): Path => ["relations", i, field];
  if (!types.includes(relation.type))
    return fault(
      file,
      "relation.unknown-type",
      unknown("relation type", relation.type, types),
      at("type"),
      nearest(relation.type, types),
    );
  if (relation.to === concept.id)
    return fault(
      file,
      "relation.to-itself",
      `\`${concept.id}\` is related to itself. Name another concept, or remove the relation.`,
      at("to"),
    );
  const target = all.get(relation.to)?.value;
  if (!target) {
    const near = nearestId(relation.to);
    const known = all.size <= maxNamed ? [...all.keys()] : undefined;
    return fault(file, "relation.unknown-target", notThere("concept", relation.to, near, known), at("to"), near);
  }
  if (target.tier === "boundary")
    return fault(
      file,
      "relation.to-boundary",
      `\`${target.id}\` is a boundary: it carries a name and nothing relates to it. Remove the relation.`,
      at("to"),
    );
  const rule = brokenRule(vocabulary, concept, relation, target);
  if (rule)
    return fault(
      file,
      "relation.forbidden",
      `\`${relation.type}\` may not stand between \`${concept.id}\` and \`${target.id}\` (${rule.id}): ${rule.reason}`,
      at("type"),
    );
  if (relation.source !== undefined && !Object.hasOwn(sources, relation.source))
    return fault(
      file,
      "source.unknown",
      unknown("source key", relation.source, Object.keys(sources)),
      at("source"),
      nearest(relation.source, Object.keys(sources)),
    );
  if (relation.source === undefined && relation.proposed_by === undefined)
    return fault(
      file,
      "relation.unsourced",
      `The relation to \`${relation.to}\` names neither \`source\` nor \`proposed_by\`. Say who published or proposes it.`,
      ["relations", i],
    );
  return undefined;
}

/** So many names are listed one by one. */
const maxNamed = 12;

function unknown(what: string, given: string, known: readonly string[]): string {
  return notThere(what, given, nearest(given, known), known.length <= maxNamed ? known : undefined);
}

function notThere(what: string, given: string, near: string | undefined, known: readonly string[] | undefined): string {
  const help = near ? `Did you mean \`${near}\`?` : known ? `Known: ${known.join(", ")}.` : "Name one that exists.";
  return `There is no ${what} \`${given}\`. ${help}`;
}

function fault(
  file: ConceptFile | undefined,
  code: string,
  message: string,
  path: Path = [],
  fix?: string,
  severity: ProblemSeverity = "error",
): Problem {
  return {
    code,
    severity,
    file: file?.file ?? "vocabulary.yaml",
    range: file ? file.places.value(path) : fileStart,
    message,
    ...(fix === undefined ? {} : { fix }),
  };
}
