import type { Disclosed } from "../../core/concept/disclosure.ts";
import type { Edge } from "../../core/snapshot/relation-graph.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import { Citations, untagged } from "./citations.ts";
import type { Extracted } from "./extract-answer.ts";

/** So many members are cited; the others are named. */
const maxCited = 12;
const maxNamed = 60;

/**
 * The answer to a question of membership or number: which concepts belong to a category, a direction, a family or a
 * relation type, which of these there are, and how many. `undefined` for every other question. The same question, the
 * same answer, counted over what the caller may see.
 */
export function answerAboutGroups(view: CallerView, question: string): Extracted | undefined {
  const text = plain(question).slice(0, 500);
  const isCount = /\b(?:how many|number of|count(?: of)?)\b/.test(text);
  if (!isCount && !/^(?:please )?(?:which|what|list|name|show|give|enumerate|are there)\b/.test(text)) return undefined;
  const subject = subjectOf(text);
  if (subject === undefined) return undefined;
  if (subject === "concepts") return aboutConcepts(view, text, isCount);
  const isAll = isCount || /\b(?:there|exist|exists|all|vocabulary|have|has|known|list|name|show|are the)\b/.test(text);
  if (!isAll || namesConcept(view, question)) return undefined;
  return aboutKinds(view, subject);
}

type Kinds = "categories" | "directions" | "families" | "relation types" | "relations";

function subjectOf(text: string): "concepts" | Kinds | undefined {
  const found =
    /\b(concepts?|terms?|entries|relation types?|types? of relations?|relations?|categor(?:y|ies)|directions?|famil(?:y|ies))\b/.exec(
      text,
    )?.[1];
  if (found === undefined) return undefined;
  if (/^(?:concept|term|entr)/.test(found)) return "concepts";
  if (/type/.test(found)) return "relation types";
  if (found.startsWith("relation")) return "relations";
  return found.startsWith("categor") ? "categories" : found.startsWith("direction") ? "directions" : "families";
}

interface Group {
  readonly title: string;
  readonly members: readonly Disclosed[];
  readonly edges: readonly Edge[];
  /** What has to be said with it. */
  readonly note?: string;
}

function aboutConcepts(view: CallerView, text: string, isCount: boolean): Extracted | undefined {
  const group = groupIn(view, text);
  const isMembership = /\b(?:belongs?|in|of|from|under|with|has|have|to|join|joins|joined|by|are|point)\b/.test(text);
  if (group !== undefined && isMembership) return membersOf(group);
  const isAll = /\b(?:there|exist|exists|in (?:the|this) vocabulary|vocabulary|do you have|all)\b/.test(text);
  // A concept that is named makes it a question about that concept.
  if (!isAll || namesConcept(view, text)) return undefined;
  const members = [...view.concepts.values()];
  const counts = view.vocabulary.categories.map(({ id }) => {
    return `${id} ${members.filter(({ concept }) => concept.category === id).length}`;
  });
  const answer = `There ${members.length === 1 ? "is" : "are"} ${numbered(members.length, "concept")} in this vocabulary${isCount ? "" : ", by category"}: ${counts.join(", ")}.`;
  return { answer: untagged(answer), documents: [], concepts: [], edges: [] };
}

/** The category, direction, family or relation type that the question names; the longest name counts. */
function groupIn(view: CallerView, text: string): Group | undefined {
  const { categories, directions, families, relation_types: types } = view.vocabulary;
  const where = (holds: (it: Disclosed["concept"]) => boolean) =>
    [...view.concepts.values()].filter(({ concept }) => holds(concept));
  const groups: (readonly [names: readonly string[], make: () => Group])[] = [
    ...categories.map(({ id }) => {
      const make = () => ({
        title: `belong to the category ${id}`,
        members: where((it) => it.category === id),
        edges: [],
      });
      return [[id], make] as const;
    }),
    ...directions.values.map(({ id, name }) => {
      const members = () => where((it) => it.direction === id);
      const note = directions.disclaimer;
      return [
        [id, name],
        () => ({ title: `belong to the direction ${name}`, members: members(), edges: [], note }),
      ] as const;
    }),
    ...families.map(({ id, name }) => {
      const members = () => where((it) => it.family === id);
      return [[id, name], () => ({ title: `belong to the family ${name}`, members: members(), edges: [] })] as const;
    }),
    ...types.map(({ id, inverse }) => [[id, ...(inverse ? [inverse] : [])], () => relatedBy(view, id)] as const),
  ];
  const named = groups.flatMap(([names, make]) => {
    const length = Math.max(...names.map((it) => (contains(text, plain(it)) ? it.length : 0)));
    return length > 0 ? [{ length, make }] : [];
  });
  const [best] = named.sort((a, b) => b.length - a.length);
  return best?.make();
}

function relatedBy(view: CallerView, type: string): Group {
  const edges = [...view.concepts.keys()].flatMap((id) =>
    view.graph.edgesOf(id).filter((it) => it.type === type && it.from === id && it.stored === "forward"),
  );
  const ids = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const members = [...ids].flatMap((id) => view.concepts.get(id) ?? []);
  return { title: `are joined by the relation ${type}`, members, edges };
}

function membersOf({ title, members, edges, note }: Group): Extracted {
  const citations = new Citations();
  const total = `${numbered(members.length, "concept")} of this vocabulary ${title}`;
  const cited = members.slice(0, maxCited).map((it) => `${untagged(it.concept.name)} ${citations.cite(it)}`);
  const named = members.slice(maxCited, maxNamed).map((it) => untagged(it.concept.name));
  const more = members.length > maxNamed ? `; and ${members.length - maxNamed} more` : "";
  const list = members.length === 0 ? "." : `: ${[...cited, ...named].join("; ")}${more}.`;
  return {
    answer: [`${untagged(total)}${list}`, note === undefined ? "" : untagged(note)]
      .filter((it) => it !== "")
      .join("\n\n"),
    documents: citations.documents,
    concepts: members.slice(0, maxCited).map((it) => it.concept.id),
    edges: edges.slice(0, maxCited),
  };
}

function aboutKinds(view: CallerView, kinds: Kinds): Extracted {
  const { categories, directions, families, relation_types: types } = view.vocabulary;
  const names = {
    categories: categories.map(({ id }) => id),
    directions: directions.values.map(({ name, meaning }) => `${name} (${meaning})`),
    families: families.map(({ name }) => name),
    "relation types": types.map(({ id, inverse }) => (inverse ? `${id} (${inverse})` : id)),
    relations: types.map(({ id }) => `${id} ${relatedBy(view, id).edges.length}`),
  }[kinds];
  const stored =
    kinds === "relations" ? types.reduce((sum, { id }) => sum + relatedBy(view, id).edges.length, 0) : names.length;
  const noun = {
    categories: "category",
    directions: "direction",
    families: "family",
    "relation types": "relation type",
    relations: "relation",
  };
  const note = kinds === "directions" ? `\n\n${directions.disclaimer}` : "";
  const answer = `There ${stored === 1 ? "is" : "are"} ${numbered(stored, noun[kinds], kinds)} in this vocabulary: ${names.join("; ")}.${note}`;
  return { answer: untagged(answer), documents: [], concepts: [], edges: [] };
}

function namesConcept(view: CallerView, text: string): boolean {
  return view.names.find(text).length > 0;
}

function numbered(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Lower case, with everything but letters and digits as one space. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function contains(text: string, name: string): boolean {
  return name !== "" && ` ${text} `.includes(` ${name} `);
}
