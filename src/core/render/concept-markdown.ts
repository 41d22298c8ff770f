import type { Disclosed } from "../concept/disclosure.ts";
import type { Edge } from "../snapshot/relation-graph.ts";
import type { CallerView } from "../snapshot/view.ts";
import { sourceUrl } from "./card.ts";
import { escapeMarkdown, joinSections } from "./markdown.ts";

export type Depth = "brief" | "full" | "relational";

/**
 * The only words in which a concept is told: hover, tool text, command line and page are this same string.
 * Complete on its own, essentials first, under 8,000 bytes.
 */
export function conceptMarkdown(view: CallerView, told: Disclosed, depth: Depth = "full"): string {
  const sections = depth === "brief" ? brief(view, told) : full(view, told);
  if (depth === "relational") sections.push(...related(view, told));
  return joinSections(sections, `*There is more: read \`iaip://concepts/${told.concept.id}\`.*`);
}

/** Several senses of one name: each told in full under a rule line, in the order given. */
export function sensesMarkdown(view: CallerView, senses: readonly Disclosed[]): string {
  return joinSections(
    senses.map((it) => conceptMarkdown(view, it)).flatMap((text, i) => (i === 0 ? [text] : ["---", text])),
    "*There are more senses: look each up by its id.*",
  );
}

function brief(view: CallerView, told: Disclosed): string[] {
  const { concept, notice } = told;
  return [
    `### ${escapeMarkdown(concept.name)}`,
    `*${escapeMarkdown(concept.by_line)}*`,
    notice === null ? "" : `**${escapeMarkdown(notice)}**`,
    concept.definition === null ? "" : escapeMarkdown(concept.definition),
    concept.contested === null ? "" : `**Contested.** ${escapeMarkdown(concept.contested.note)}`,
    placeLine(view, told),
  ];
}

function full(view: CallerView, told: Disclosed): string[] {
  const { concept } = told;
  return [
    ...brief(view, told),
    namesLine(told),
    contextLines(told),
    careLines(told),
    relationLines(view, told),
    list("Used when", concept.usage_contexts),
    list("Examples", concept.examples),
    sourceLines(view, told),
  ];
}

function placeLine(view: CallerView, { concept }: Disclosed): string {
  const direction = view.vocabulary.directions.values.find((it) => it.id === concept.direction);
  const place = `${direction?.name ?? concept.direction} (${view.vocabulary.directions.scheme}; ${concept.direction_basis})`;
  return [
    `- Id: \`${concept.id}\``,
    `- Category: ${escapeMarkdown(concept.category)}`,
    `- Direction: ${escapeMarkdown(place)}`,
    `- Holder: ${escapeMarkdown(concept.holder)}`,
    ...(concept.peoples.length > 0 ? [`- Peoples: ${escapeMarkdown(concept.peoples.join("; "))}`] : []),
  ].join("\n");
}

function namesLine({ concept }: Disclosed): string {
  const names = concept.names.map(({ text, language, tag }) => `${text} (${tag ? `${language}, ${tag}` : language})`);
  const lines = [
    names.length > 0 ? `- Names: ${escapeMarkdown(names.join("; "))}` : "",
    concept.aliases.length > 0 ? `- Also: ${escapeMarkdown(concept.aliases.join("; "))}` : "",
  ];
  return lines.filter((it) => it !== "").join("\n");
}

function contextLines({ concept }: Disclosed): string {
  const { two_eyed_seeing, polycentric, relational, ceremonial } = concept.indigenous_connections;
  const ceremony = ceremonialWords(ceremonial.level);
  return titled("Context", [
    two_eyed_seeing && `Two-Eyed Seeing: ${escapeMarkdown(two_eyed_seeing)}`,
    polycentric && `Polycentric: ${escapeMarkdown(polycentric)}`,
    relational && `Relational: ${escapeMarkdown(relational)}`,
    (ceremony ?? ceremonial.note) &&
      `Ceremonial: ${[ceremony, ceremonial.note && escapeMarkdown(ceremonial.note)].filter(Boolean).join(" ")}`,
  ]);
}

/** What a ceremonial level tells an agent to do; nothing for `none`. */
export function ceremonialWords(level: "none" | "may-touch" | "not-for-this-tool"): string | undefined {
  if (level === "may-touch") return "May touch ceremony: stop and ask before going on.";
  if (level === "not-for-this-tool") return "Ceremony: not for this tool. Ask the people who hold it.";
  return undefined;
}

function careLines({ concept, disclosure }: Disclosed): string {
  if (disclosure !== "full") return "";
  const { relevance, ownership, control, access, possession } = concept.ocap;
  const { care, agent_may, agent_may_not, protocols, reviewed_by_holder } = concept.governance;
  const said = (label: string, text: string | null) => text && `${label}: ${escapeMarkdown(text)}`;
  return titled("Governance", [
    `OCAP® relevance (the First Nations Principles of ownership, control, access and possession): ${escapeMarkdown(relevance)}; not assessed by this tool`,
    said("Ownership", ownership),
    said("Control", control),
    `Access: ${escapeMarkdown(access)}`,
    said("Possession", possession),
    care.length > 0 && `Questions of care: ${escapeMarkdown(care.join("; "))}`,
    protocols.length > 0 && `Protocols: ${escapeMarkdown(protocols.join("; "))}`,
    agent_may.length > 0 && `An agent may: ${escapeMarkdown(agent_may.join("; "))}`,
    agent_may_not.length > 0 && `An agent may not: ${escapeMarkdown(agent_may_not.join("; "))}`,
    `Reviewed by a holder: ${reviewed_by_holder === null ? "no" : escapeMarkdown(reviewed_by_holder)}`,
  ]);
}

function relationLines(view: CallerView, { concept }: Disclosed): string {
  const byType = new Map<string, Edge[]>();
  for (const edge of view.graph.edgesOf(concept.id)) byType.set(edge.type, [...(byType.get(edge.type) ?? []), edge]);
  return titled(
    "Relations",
    [...byType].map(([type, edges]) => {
      const names = edges.map((it) => escapeMarkdown(view.concepts.get(it.to)?.concept.name ?? it.to));
      const shown = names.length <= 12 ? names : [...names.slice(0, 12), `and ${names.length - 12} more`];
      return `${type}${edges[0]!.byAnalogy ? " (by analogy)" : ""}: ${shown.join("; ")}`;
    }),
  );
}

function sourceLines(view: CallerView, { concept }: Disclosed): string {
  return titled(
    "Sources",
    concept.sources.map(({ key, seen }) => {
      const source = view.sources[key];
      const url = source && sourceUrl(source);
      return `${escapeMarkdown(source?.citation ?? key)}${url && !source.citation.includes(url) ? ` <${url}>` : ""} (seen: ${seen})`;
    }),
  );
}

function related(view: CallerView, { concept }: Disclosed): string[] {
  const ids = [...new Set(view.graph.edgesOf(concept.id).map((it) => it.to))];
  return ids.map((id) => {
    const { concept: other, notice } = view.concepts.get(id)!;
    return `**${escapeMarkdown(other.name)}** (\`${id}\`). ${escapeMarkdown(other.definition ?? notice ?? "")}`;
  });
}

function list(title: string, items: readonly string[]): string {
  return titled(title, items.map(escapeMarkdown));
}

function titled(title: string, items: readonly (string | null | false | undefined)[]): string {
  const lines = items.filter((it): it is string => typeof it === "string" && it !== "");
  return lines.length === 0 ? "" : `**${title}**\n\n${lines.map((it) => `- ${it}`).join("\n")}`;
}
