import type { Neighborhood } from "../queries/neighborhood.ts";
import type { Ref } from "../queries/resolve.ts";
import type { CallerView } from "../snapshot/view.ts";
import { ceremonialWords } from "./concept-markdown.ts";
import { escapeMarkdown, joinSections } from "./markdown.ts";
import { more } from "./relating-markdown.ts";

/** Everything around a concept, nearest first. */
export function neighborhoodMarkdown(view: CallerView, answer: Neighborhood): string {
  const { concept, notice } = answer.center;
  const analogous = new Set(view.vocabulary.relation_types.filter((it) => it.analogy).map((it) => it.id));
  const direct = answer.byRelation
    .filter((it) => it.concepts.length > 0)
    .map((it) => `- ${it.type}${analogous.has(it.type) ? " (by analogy)" : ""}: ${names(it.concepts)}`);
  const further = answer.nodes.filter((it) => it.distance > 1);
  const distances = [...new Set(further.map((it) => it.distance))];
  const rings = distances.map(
    (distance) => `- ${distance} relations away: ${names(further.filter((it) => it.distance === distance))}`,
  );
  const flow = answer.directionalFlow
    .filter((it) => it.concepts.length > 0)
    .map((it) => `- ${it.direction}: ${names(it.concepts)}`);
  return joinSections(
    [
      `### Around ${escapeMarkdown(concept.name)}`,
      `*${escapeMarkdown(concept.by_line)}*`,
      notice === null ? "" : `**${escapeMarkdown(notice)}**`,
      concept.definition === null ? "" : escapeMarkdown(concept.definition),
      direct.length === 0 ? "No relation is told of it." : `**Direct relations**\n\n${direct.join("\n")}`,
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
export function ceremonialConcepts(view: CallerView, answer: Neighborhood): readonly Ref[] {
  return answer.nodes
    .filter((it) => view.concepts.get(it.id)!.concept.indigenous_connections.ceremonial.level !== "none")
    .map(({ id, name }) => ({ id, name }));
}

/** What the center's own file says of ceremony, as one sentence or two. */
export function ceremonialGuidance({ center }: Neighborhood): string {
  const { level, note } = center.concept.indigenous_connections.ceremonial;
  return [ceremonialWords(level), note && escapeMarkdown(note)].filter((it) => it).join(" ");
}

function names(refs: readonly Ref[]): string {
  const shown = refs.slice(0, 24).map((it) => escapeMarkdown(it.name));
  return shown.join("; ") + (shown.length < refs.length ? `; and ${refs.length - shown.length} more` : "");
}
