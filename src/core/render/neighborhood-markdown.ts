import type { Neighborhood } from "../queries/neighborhood.ts";
import type { ConceptRef } from "../queries/resolve.ts";
import { firstSentence } from "../queries/sentences.ts";
import type { CallerView } from "../snapshot/view.ts";
import { ceremonialWords } from "./concept-markdown.ts";
import { escapeMarkdown, joinSections } from "./markdown.ts";
import { more, step } from "./relating-markdown.ts";

/** Everything around a concept, nearest first. What only an analogy leads to says so wherever it stands. */
export function neighborhoodMarkdown(view: CallerView, answer: Neighborhood): string {
  const { concept, notice } = answer.center;
  const direct = view.graph
    .edgesOf(concept.id)
    .slice(0, 60)
    .map((it) => `- ${step(view, it)}`);
  const further = answer.nodes.filter((it) => it.distance > 1);
  const distances = [...new Set(further.map((it) => it.distance))];
  const rings = distances.map(
    (distance) => `- ${distance} relations away: ${names(further.filter((it) => it.distance === distance))}`,
  );
  const flow = answer.directionalFlow
    .filter((it) => it.concepts.length > 0)
    .map((it) => `- ${it.direction === "not-placed" ? "placed in none" : it.direction}: ${names(it.concepts)}`);
  return joinSections(
    [
      `### Around ${escapeMarkdown(concept.name)}`,
      `*${escapeMarkdown(concept.by_line)}*`,
      notice === null ? "" : `**${escapeMarkdown(notice)}**`,
      concept.definition === null ? "" : escapeMarkdown(firstSentence(concept.definition)),
      direct.length === 0 || answer.hops === 0
        ? "No relation of it is shown."
        : `**Direct relations**\n\n${direct.join("\n")}`,
      ceremonialGuidance(answer),
      rings.length === 0 ? "" : `**Further**${more(answer.nodes.length, answer.nodesTotal)}\n\n${rings.join("\n")}`,
      flow.length === 0
        ? ""
        : `**By direction of the work cycle** (${view.vocabulary.directions.scheme})\n\n${flow.join("\n")}`,
    ],
    "*There is more: ask with fewer hops, or look up a concept by its id.*",
  );
}

/** Concepts of this neighborhood that touch ceremony, the center first. */
export function ceremonialConcepts(view: CallerView, answer: Neighborhood): readonly ConceptRef[] {
  return answer.nodes
    .filter((it) => view.concepts.get(it.id)!.concept.indigenous_connections.ceremonial.level !== "none")
    .map(({ id, name }) => ({ id, name }));
}

/** What the center's own file says of ceremony, as one sentence or two. */
export function ceremonialGuidance({ center }: Neighborhood): string {
  const { level, note } = center.concept.indigenous_connections.ceremonial;
  return [ceremonialWords(level), note && escapeMarkdown(note)].filter((it) => it).join(" ");
}

function names(concepts: readonly (ConceptRef & { readonly byAnalogy: boolean })[]): string {
  const shown = concepts.slice(0, 24).map((it) => `${escapeMarkdown(it.name)}${it.byAnalogy ? " (by analogy)" : ""}`);
  return shown.join("; ") + (shown.length < concepts.length ? `; and ${concepts.length - shown.length} more` : "");
}
