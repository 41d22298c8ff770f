import type { Disclosed } from "../../core/concept/disclosure.ts";
import { type Relating, relate } from "../../core/queries/relate.ts";
import { step } from "../../core/render/relating-markdown.ts";
import type { Edge } from "../../core/snapshot/relation-graph.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import { clipped } from "../clipped.ts";
import { Citations, type CitedDocument, untagged } from "./citations.ts";
import { type About, maxNamed } from "./find-concepts.ts";

export interface Extracted {
  readonly answer: string;
  readonly documents: readonly CitedDocument[];
  /** The concepts the answer speaks of, those in question first. */
  readonly concepts: readonly string[];
  /** Relations the answer names. */
  readonly edges: readonly Edge[];
}

/** Longest path between two concepts that is named, in relations. */
const longestPath = 4;
const maxRelations = 8;
/** An answer that has so many bytes leaves the rest to further questions. */
const maxBytes = 4_500;
/** Longest description of one concept, in characters. */
const maxDescription = 1_200;

/** An answer in the vocabulary's own words: definitions, and how they relate. The same question, the same answer. */
export function extractAnswer(view: CallerView, about: About): Extracted {
  if (about.kind === "nothing") return { answer: nothingFound(about.nearest), documents: [], concepts: [], edges: [] };
  const citations = new Citations();
  const { concepts } = about;
  const relatings = pairsOf(concepts).map(([a, b]) => relate(view, a, b, longestPath));
  const edges =
    relatings.length > 0
      ? relatings.flatMap(stepsOf)
      : view.graph.edgesOf(concepts[0]?.concept.id ?? "").slice(0, maxRelations);
  const between = betweenOf(view, edges, relatings.length > 0 ? concepts : []);
  const needed = [opening(about), ...concepts.map((it) => `${describe(it)} ${citations.cite(it)}`)];
  const further = [
    ...relatings.map((it) => relatingWords(view, it, citations)),
    relatings.length === 0 ? relationList(view, concepts[0], edges, citations) : "",
    ...between.map((it) => `On the way: ${describe(it)} ${citations.cite(it)}`),
  ];
  return {
    answer: joined(needed, further),
    documents: citations.documents,
    concepts: [...new Set([...concepts, ...between].map((it) => it.concept.id))],
    edges,
  };
}

/** What is needed, and of the rest what fits. */
function joined(needed: readonly string[], further: readonly string[]): string {
  return further.reduce(
    (answer, it) => (it !== "" && Buffer.byteLength(answer + it) < maxBytes ? `${answer}\n\n${it}` : answer),
    needed.filter((it) => it !== "").join("\n\n"),
  );
}

function nothingFound(nearest: readonly { readonly id: string; readonly name: string }[]): string {
  const near = nearest.map((it) => `${it.name} (${it.id})`).join(", ");
  return `Nothing found: no concept of this vocabulary speaks to this question.${near ? ` Nearest names: ${untagged(near)}.` : ""}`;
}

function opening(about: Exclude<About, { kind: "nothing" }>): string {
  if (about.kind === "likely") {
    const respelled = about.respelled === undefined ? "" : ` (read as “${untagged(about.respelled)}”)`;
    return `The question names no concept of this vocabulary${respelled}. Its words come nearest to these.`;
  }
  const shared = about.shared.map((it) => `“${untagged(it)}” is a name of several concepts; each is given.`);
  const more =
    about.total > maxNamed ? [`The question names ${about.total} concepts; the first ${maxNamed} are given.`] : [];
  return [...shared, ...more].join(" ");
}

/** A concept in the vocabulary's words: who holds it, its definition, and whom to turn to where more is not given. */
function describe({ concept, notice }: Disclosed): string {
  const parts = [concept.definition, notice, concept.contested ? `Contested: ${concept.contested.note}` : null];
  const said = clipped(parts.filter((it) => it !== null).join(" "), maxDescription);
  return untagged(`**${concept.name}** (${concept.by_line}): ${said}`);
}

function relationList(
  view: CallerView,
  concept: Disclosed | undefined,
  edges: readonly Edge[],
  citations: Citations,
): string {
  if (!concept || edges.length === 0) return "";
  const total = view.graph.edgesOf(concept.concept.id).length;
  const more = total > edges.length ? ` (${edges.length} of ${total})` : "";
  const lines = edges.map((it) => `- ${untagged(step(view, it))}`);
  return `Relations${more}: ${citations.cite(concept)}\n${lines.join("\n")}`;
}

/** Each two of the first three. */
function pairsOf(concepts: readonly Disclosed[]): readonly (readonly [Disclosed, Disclosed])[] {
  return concepts.slice(0, 3).flatMap((a, index, all) => all.slice(index + 1).map((b) => [a, b] as const));
}

function stepsOf({ direct, paths }: Relating): readonly Edge[] {
  return direct.length > 0 ? direct : paths.slice(0, 2).flatMap((it) => it.steps);
}

function relatingWords(view: CallerView, relating: Relating, citations: Citations): string {
  const { from, to, direct, paths, pathsTotal } = relating;
  const both = `${citations.cite(from)}${citations.cite(to)}`;
  const names = untagged(`${from.concept.name} and ${to.concept.name}`);
  if (direct.length > 0) return `${names}: ${direct.map((it) => untagged(step(view, it))).join("; ")}. ${both}`;
  if (paths.length === 0)
    return `${names}: no path of ${longestPath} relations or fewer joins them in this vocabulary. ${both}`;
  const shown = paths.slice(0, 2).map(({ steps, byAnalogy }) => {
    const caveat = byAnalogy ? " (only by analogy; nothing stronger follows)" : "";
    return `${steps.map((it) => untagged(step(view, it))).join(", and ")}${caveat}`;
  });
  const more = pathsTotal > shown.length ? ` (${shown.length} of ${pathsTotal} shortest paths)` : "";
  return `${names} are joined by ${paths[0]?.length} relations${more}: ${shown.join("; or: ")}. ${both}`;
}

/** Concepts on a path that were not in question. */
function betweenOf(view: CallerView, edges: readonly Edge[], named: readonly Disclosed[]): readonly Disclosed[] {
  if (named.length === 0) return [];
  const known = new Set(named.map((it) => it.concept.id));
  const ids = [...new Set(edges.flatMap((it) => [it.from, it.to]))].filter((it) => !known.has(it));
  return ids.slice(0, 3).flatMap((id) => view.concepts.get(id) ?? []);
}
