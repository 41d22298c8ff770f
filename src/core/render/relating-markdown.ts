import { counted } from "../../base/english.ts";
import { peoplesDiffer, rulesBetween } from "../concept/relation-rules.ts";
import type { Relating } from "../queries/relate.ts";
import type { Edge } from "../snapshot/relation-graph.ts";
import type { CallerView } from "../snapshot/view.ts";
import { proposer } from "./card.ts";
import { escapeMarkdown, joinSections, list } from "./markdown.ts";

/** How two concepts relate, in words. A path with an analogy step never reads as a stronger claim. */
export function relatingMarkdown(view: CallerView, answer: Relating, longest: number): string {
  const [from, to] = [bold(view, answer.from.concept.id), bold(view, answer.to.concept.id)];
  if (answer.same) return `Both names are ${from}: it is one concept, and nothing relates it to itself.`;
  const context = relatingContext(view, answer);
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
      context.length === 0 ? "" : lines("To keep in mind", context.map(escapeMarkdown)),
    ],
    `*There is more: look up ${from} or ${to}.*`,
  );
}

/** What bears on the two together: what may stand between them, whose they are, and what is withheld. */
export function relatingContext(view: CallerView, { from, to, direct, paths, same }: Relating): readonly string[] {
  if (same) return [];
  const [a, b] = [from.concept, to.concept];
  const analogy = [...direct, ...paths.flatMap((it) => it.steps)].some((it) => it.byAnalogy)
    ? [
        "A step by analogy notes a likeness that somebody saw. It is not equivalence, and nothing stronger follows from it.",
      ]
    : [];
  const rules = rulesBetween(view.vocabulary, a, b).map((it) => it.reason);
  const peoples = peoplesDiffer(a, b)
    ? [
        `${a.name} is of ${list(a.peoples)}, ${b.name} of ${list(b.peoples)}: keep whose each is, and do not make one of them.`,
      ]
    : [];
  const touching = [a, b].filter((it) => it.indigenous_connections.ceremonial.level !== "none").map((it) => it.name);
  const ceremony =
    touching.length === 0 ? [] : [`${list(touching)} may touch ceremony: ask before you join the two in practice.`];
  const contested = [a, b].filter((it) => it.contested !== null).map((it) => it.name);
  const doubt = contested.length === 0 ? [] : [`Contested: ${list(contested)}. Say so where you join them.`];
  const notices = [from, to].flatMap(({ concept, notice }) => (notice === null ? [] : [`${concept.name}: ${notice}`]));
  return [...new Set([...analogy, ...rules, ...peoples, ...ceremony, ...doubt, ...notices])];
}

function summary(view: CallerView, answer: Relating, longest: number): string {
  const [from, to] = [bold(view, answer.from.concept.id), bold(view, answer.to.concept.id)];
  const [isDirect, isStronger] = [answer.direct.length > 0, answer.direct.some((it) => !it.byAnalogy)];
  if (isDirect && isStronger) return `${from} and ${to} are directly related.`;
  if (isDirect) return `${from} and ${to} are related by analogy, and no stronger claim is made.`;
  const [first] = answer.paths;
  if (!first) return `No path of ${counted(longest, "relation")} or fewer joins ${from} and ${to}.`;
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

/** One relation as a clause: "A **grounds** B (Kirkness 1991): why". */
export function step(view: CallerView, edge: Edge): string {
  const name = (id: string) => escapeMarkdown(view.concepts.get(id)?.concept.name ?? id);
  const by = proposer(view, edge);
  const who = edge.proposedBy === undefined ? by : `proposed by ${by}`;
  const remarks = [edge.byAnalogy ? "by analogy" : "", by === "" ? "" : who].filter((it) => it !== "").join("; ");
  const why = edge.why ? `: ${escapeMarkdown(edge.why.replace(/[.\s]+$/, ""))}` : "";
  return `${name(edge.from)} **${edge.type}** ${name(edge.to)}${remarks ? ` (${escapeMarkdown(remarks)})` : ""}${why}`;
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
