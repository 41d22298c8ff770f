import type { Concept } from "../concept/concept.ts";
import type { Problem } from "../concept/problem.ts";
import type { Source, Sources } from "../concept/vocabulary.ts";
import type { Path } from "../concept/yaml-document.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { looseKey } from "../text/words/words.ts";
import type { Fault } from "./check-labels.ts";
import { sentences } from "./sentences.ts";

/** What an editor of the vocabulary would remark: names that are other people's words, claims that nobody stands for. */
export function checkRemarks(snapshot: Snapshot, all: readonly Concept[], fault: Fault): Problem[] {
  const peoples = [...new Set(all.flatMap((it) => it.peoples))];
  return all.flatMap((concept) => [
    ...borrowedAliases(concept, snapshot.sources, peoples, fault),
    ...unexplainedRelations(concept, fault),
    ...unaddressed(concept, snapshot.sources, fault),
    ...unopened(concept, snapshot.sources, fault),
    ...firstSentences(concept, fault),
    ...repetitions(concept, fault),
  ]);
}

/** An alias is corrected to the concept's name, so it may be no work's title, no gloss and no people's plain phrase. */
function borrowedAliases(concept: Concept, sources: Sources, peoples: readonly string[], fault: Fault): Problem[] {
  const citations = Object.values(sources).map((it) => it.citation);
  return concept.aliases.flatMap((alias, i) => {
    const why = borrowed(alias, concept, citations, peoples);
    if (why === undefined) return [];
    const message = `The alias “${alias}” is ${why}: who writes it would be corrected to \`${concept.name}\`. Move it to \`search_names\`, or remove it.`;
    return [fault(concept, "alias.borrowed", "warning", message, ["aliases", i])];
  });
}

function borrowed(
  alias: string,
  { definition }: Concept,
  citations: readonly string[],
  peoples: readonly string[],
): string | undefined {
  const words = alias.split(/\s+/);
  const isTitle = words.length > 1 && words.every((it) => /^[\p{Lu}\p{N}]/u.test(it) || it.length < 4);
  if (isTitle && citations.some((it) => standsAsTitle(it, alias))) return "the title of a work";
  const quoted = [...(definition ?? "").matchAll(/["“]([^"”]+)["”]/g)].map((it) => looseKey(it[1]!));
  if (words.length > 1 && quoted.some((it) => it.includes(looseKey(alias))))
    return "somebody's own words, as the definition quotes them";
  const people = peoples.find((it) => alias.startsWith(`${it} `));
  const isPlain = people !== undefined && /^[\p{Ll}\s-]+$/u.test(alias.slice(people.length));
  return isPlain ? `a plain phrase about what is ${people}` : undefined;
}

/** Behind the year or at the start of a quotation, and ended by a mark: where a citation has its titles. */
function standsAsTitle(citation: string, alias: string): boolean {
  const at = citation.indexOf(alias);
  if (at < 0) return false;
  return /(?:\)\s|["“]|,\s)$/.test(citation.slice(0, at)) && /^(?:["”:,.;]|$)/.test(citation.slice(at + alias.length));
}

function unexplainedRelations(concept: Concept, fault: Fault): Problem[] {
  return concept.relations.flatMap(({ type, to, why }, i) =>
    why === undefined
      ? [
          fault(
            concept,
            "relation.unexplained",
            "warning",
            `\`${type}\` \`${to}\` says not why. Add \`why\` in a sentence, from a source or from the framework, or remove the relation.`,
            ["relations", i],
          ),
        ]
      : [],
  );
}

const address = ({ url, doi }: Source): string | undefined => url ?? doi;

function unaddressed(concept: Concept, sources: Sources, fault: Fault): Problem[] {
  if (concept.tier !== "pointer") return [];
  const own = concept.sources.flatMap(({ key }) => sources[key] ?? []);
  if (own.some((it) => address(it) !== undefined || it.note !== undefined)) return [];
  const message = `\`${concept.id}\` points to people and none of its sources has an address. Add \`url\` of a body or an author of theirs, or say in the source's \`note\` that none is public.`;
  return [fault(concept, "pointer.unaddressed", "warning", message, ["sources"])];
}

/** What nobody opened says so in words. */
function unopened(concept: Concept, sources: Sources, fault: Fault): Problem[] {
  return concept.sources.flatMap(({ key, seen }, i) => {
    const source = sources[key];
    const isUnseen = seen === "ledger" || source?.seen === "unverified";
    if (!source || !isUnseen || source.note !== undefined) return [];
    const message = `Nobody opened the source \`${key}\`. Open it, replace it, or say in its \`note\` how it is known.`;
    return [fault(concept, "source.unopened", "warning", message, ["sources", i])];
  });
}

/** Words up to the first stop or semicolon. */
const maxFirstWords = 30;
const partOf =
  /^(?:the |a |an |one )?(?:first |second |third |fourth |last |next |other )?(?:part|step|stage|phase|component|element|piece|half|side|aspect)s? of\b/i;

function firstSentences(concept: Concept, fault: Fault): Problem[] {
  const [first] = sentences(concept.definition ?? "");
  if (first === undefined) return [];
  const words = first.split(";", 1)[0]!.split(/\s+/).length;
  const message =
    maxFirstWords < words
      ? `The first sentence of \`${concept.id}\` has ${words} words; ${maxFirstWords} are read in five seconds. Say first what it is.`
      : partOf.test(first)
        ? `The first sentence of \`${concept.id}\` says what it is a part of. Say first what it is.`
        : undefined;
  return message === undefined ? [] : [fault(concept, "definition.first-sentence", "warning", message, ["definition"])];
}

/** Shorter texts may stand twice: they are phrases and no facts. In words. */
const minRepeatedWords = 8;

/** A sentence or an item that stands twice in one file. */
function repetitions(concept: Concept, fault: Fault): Problem[] {
  const seen = new Map<string, Path>();
  return statements(concept).flatMap(({ text, path }) => {
    const key = looseKey(text);
    if (key.split(" ").length < minRepeatedWords) return [];
    const before = seen.get(key);
    seen.set(key, before ?? path);
    if (before === undefined) return [];
    const message = `“${text.slice(0, 80)}” is said already under \`${before.join(".")}\`. Say it once.`;
    return [fault(concept, "fact.repeated", "warning", message, path)];
  });
}

function statements(concept: Concept): readonly { readonly text: string; readonly path: Path }[] {
  const { indigenous_connections: connections, ocap, governance } = concept;
  const inField = (text: string | null | undefined, path: Path) =>
    sentences(text ?? "").map((it) => ({ text: it, path }));
  const inList = (list: readonly string[], path: Path) => list.map((text, i) => ({ text, path: [...path, i] }));
  return [
    ...inField(concept.definition, ["definition"]),
    ...inField(concept.contested?.note, ["contested", "note"]),
    ...(["two_eyed_seeing", "polycentric", "relational"] as const).flatMap((it) =>
      inField(connections[it], ["indigenous_connections", it]),
    ),
    ...inField(connections.ceremonial.note, ["indigenous_connections", "ceremonial", "note"]),
    ...(["relevance", "ownership", "control", "possession"] as const).flatMap((it) => inField(ocap[it], ["ocap", it])),
    ...(["care", "agent_may", "agent_may_not"] as const).flatMap((it) => inList(governance[it], ["governance", it])),
    ...inList(concept.usage_contexts, ["usage_contexts"]),
    ...inList(concept.examples, ["examples"]),
  ];
}
