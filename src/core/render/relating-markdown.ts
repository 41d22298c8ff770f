import type { Relating } from "../queries/relate.ts";
import type { Edge } from "../snapshot/relation-graph.ts";
import type { CallerView } from "../snapshot/view.ts";
import { escapeMarkdown, joinSections } from "./markdown.ts";

/** How two concepts relate, in words. A path with an analogy step never reads as a stronger claim. */
export function relatingMarkdown(view: CallerView, answer: Relating, longest: number): string {
  const [from, to] = [bold(view, answer.from.concept.id), bold(view, answer.to.concept.id)];
  if (answer.same) return `Both names are ${from}: it is one concept, and no relation is told between it and itself.`;
  const context = relatingContext(answer);
  return joinSections(
    [
      `### ${escapeMarkdown(answer.from.concept.name)} and ${escapeMarkdown(answer.to.concept.name)}`,
      summary(view, answer, longest),
      answer.direct.length === 0
        ? ""
        : lines(
            "Direct relations",
            answer.direct.map((it) => step(view, it)),
          ),
      answer.direct.length > 0 || answer.paths.length === 0 ? "" : pathLines(view, answer),
      answer.shared.length === 0
        ? ""
        : `**Both relate to:** ${answer.shared.map((it) => escapeMarkdown(it.name)).join("; ")}${more(answer.shared.length, answer.sharedTotal)}`,
      context.length === 0 ? "" : lines("Context", context.map(escapeMarkdown)),
    ],
    `*There is more: look up ${from} or ${to}.*`,
  );
}

/** What the files ask a reader to keep in mind about either concept. */
export function relatingContext({ from, to, paths }: Relating): readonly string[] {
  const facets = [from, to].flatMap(({ concept, notice }) => {
    const { two_eyed_seeing, polycentric, relational } = concept.indigenous_connections;
    return [concept.by_line, two_eyed_seeing, polycentric, relational, notice]
      .filter((it) => it !== null)
      .map((it) => `${concept.name}: ${it}`);
  });
  const analogy = paths.some((it) => it.byAnalogy)
    ? [
        "A step by analogy notes a resonance that somebody saw. It is not equivalence, and nothing stronger follows from it.",
      ]
    : [];
  return [...analogy, ...new Set(facets)];
}

function summary(view: CallerView, answer: Relating, longest: number): string {
  const [from, to] = [bold(view, answer.from.concept.id), bold(view, answer.to.concept.id)];
  const [isDirect, isStronger] = [answer.direct.length > 0, answer.direct.some((it) => !it.byAnalogy)];
  if (isDirect && isStronger) return `${from} and ${to} are directly related.`;
  if (isDirect) return `${from} and ${to} are related by analogy, and no stronger claim is made.`;
  const [first] = answer.paths;
  if (!first) return `No path of ${longest} relation${longest === 1 ? "" : "s"} or fewer joins ${from} and ${to}.`;
  const analogous = answer.paths.every((it) => it.byAnalogy);
  const how = analogous ? "only by analogy, and no stronger claim is made" : `through ${first.length} relations`;
  return `${from} and ${to} are joined ${how}.`;
}

function pathLines(view: CallerView, answer: Relating): string {
  const paths = answer.paths.map(
    ({ steps, byAnalogy }) => `${steps.map((it) => step(view, it)).join(", and ")}${byAnalogy ? " — by analogy" : ""}`,
  );
  return lines(`Shortest paths${more(answer.paths.length, answer.pathsTotal)}`, paths);
}

/** One relation as a clause: "A **grounds** B (source I1)". */
export function step(view: CallerView, edge: Edge): string {
  const name = (id: string) => escapeMarkdown(view.concepts.get(id)?.concept.name ?? id);
  const basis = edge.source ? `source ${edge.source}` : edge.proposedBy ? `proposed by ${edge.proposedBy}` : "";
  const remarks = [edge.byAnalogy ? "by analogy" : "", basis].filter((it) => it !== "").join("; ");
  const note = edge.why ? `: ${escapeMarkdown(edge.why)}` : "";
  return `${name(edge.from)} **${edge.type}** ${name(edge.to)}${remarks ? ` (${escapeMarkdown(remarks)})` : ""}${note}`;
}

export function more(shown: number, total: number): string {
  return shown < total ? ` (${shown} of ${total})` : "";
}

function lines(title: string, items: readonly string[]): string {
  return `**${title}**\n\n${items.map((it) => `- ${it}`).join("\n")}`;
}

function bold(view: CallerView, id: string): string {
  return `**${escapeMarkdown(view.concepts.get(id)!.concept.name)}**`;
}
