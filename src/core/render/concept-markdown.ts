import { type Concept, facets, notPlaced } from "../concept/concept.ts";
import type { Disclosed } from "../concept/disclosure.ts";
import { ref } from "../queries/resolve.ts";
import { firstSentence, sentences } from "../queries/sentences.ts";
import { fold } from "../snapshot/search-terms.ts";
import type { CallerView } from "../snapshot/view.ts";
import { proposer, shortCitation, sourceUrl } from "./card.ts";
import { byteLength, clipped, escapeMarkdown, joinSections, list } from "./markdown.ts";

export type Depth = "brief" | "full" | "relational";

/** No brief text of a concept is longer, in bytes of UTF-8. */
export const longestBrief = 900;

/**
 * The only words for a concept. `brief` is an editor's hover, to the byte; `full` says the rest, each fact once;
 * `relational` also says a sentence of each related concept. Complete on its own, essentials first, under 8,000 bytes.
 */
export function conceptMarkdown(view: CallerView, disclosed: Disclosed, depth: Depth = "full"): string {
  if (depth === "brief") return brief(view, disclosed);
  const sections = full(view, disclosed);
  if (depth === "relational") sections.push(...related(view, disclosed));
  return joinSections(sections, `*There is more: read \`iaip://concepts/${disclosed.concept.id}\`.*`);
}

/** Several senses of one name: each in brief under a rule line, in the order given. */
export function sensesMarkdown(view: CallerView, senses: readonly Disclosed[]): string {
  return joinSections(
    senses.map((it) => conceptMarkdown(view, it, "brief")).flatMap((text, i) => (i === 0 ? [text] : ["---", text])),
    "*There are more senses: look each up by its id.*",
  );
}

/** Name, meaning, whose it is, what an agent may not do, limits, and where to read on, within `longestBrief` bytes. */
function brief(view: CallerView, disclosed: Disclosed): string {
  const { concept, notice } = disclosed;
  const head = `### ${escapeMarkdown(clipped(concept.name, 160))}\n*${escapeMarkdown(clipped(whose(concept), 240))}*`;
  const meaning = sentences(concept.definition ?? "");
  const limits = [
    notice === null ? "" : `**${escapeMarkdown(clipped(notice, 260))}**`,
    concept.contested === null
      ? ""
      : `**Contested.** ${escapeMarkdown(clipped(firstSentence(concept.contested.note), 160))}`,
    deprecation(view, concept),
  ].filter((it) => it !== "");
  const more = `Read on: \`iaip://concepts/${concept.id}\``;
  const text = (said: string, may: string) => [head, said, ...limits, may, more].filter((it) => it !== "").join("\n\n");
  const rest = () => longestBrief - byteLength(text("", "")) - 2;
  const first = escapeMarkdown(clipped(meaning[0] ?? "", Math.max(120, rest() - 120)));
  const mayNot = (left: number) => fittingList("An agent may not", concept.governance.agent_may_not, left);
  const may = mayNot(longestBrief - byteLength(text(first, "")) - 2);
  const second = meaning[1] === undefined ? first : `${first} ${escapeMarkdown(meaning[1])}`;
  return byteLength(text(second, may)) <= longestBrief ? text(second, may) : text(first, may);
}

/** As many items as fit, from the first; none where not even one does. */
function fittingList(label: string, items: readonly string[], bytes: number): string {
  for (let count = items.length; count > 0; count--) {
    const shown = `${label}: ${items.slice(0, count).map(escapeMarkdown).join("; ")}${count < items.length ? "; …" : "."}`;
    if (byteLength(shown) <= bytes) return shown;
  }
  return "";
}

function full(view: CallerView, disclosed: Disclosed): string[] {
  const { concept, notice } = disclosed;
  return [
    `### ${escapeMarkdown(concept.name)}\n*${escapeMarkdown(whoseInFull(concept))}*`,
    concept.definition === null ? "" : escapeMarkdown(concept.definition),
    notice === null ? "" : `**${escapeMarkdown(notice)}**`,
    concept.contested === null ? "" : `**Contested.** ${escapeMarkdown(concept.contested.note)}`,
    deprecation(view, concept),
    facts(view, disclosed),
    contextLines(disclosed),
    careLines(disclosed),
    relationLines(view, concept),
    usage(concept),
    concept.examples.length === 0 ? "" : `**Examples:** ${concept.examples.map(escapeMarkdown).join(" · ")}`,
    sourceLines(view, concept),
  ];
}

/** The by-line, and the peoples that it does not name. */
function whose({ by_line, peoples }: Concept): string {
  const unnamed = peoples.filter((it) => !says(by_line, it));
  return unnamed.length === 0 ? by_line : `${by_line} (${list(unnamed)})`;
}

/** The holder's own line where it says all that the by-line says. */
function whoseInFull(concept: Concept): string {
  const short = whose(concept);
  return says(concept.holder, short) ? unstopped(concept.holder) : short;
}

function deprecation(view: CallerView, { status, replaced_by }: Concept): string {
  if (status !== "deprecated") return "";
  const names = replaced_by.flatMap((id) => view.concepts.get(id) ?? []).map((it) => nameAndId(it));
  return names.length === 0 ? "**No longer used here.**" : `**No longer used here.** Use instead: ${names.join("; ")}.`;
}

function facts(view: CallerView, { concept }: Disclosed): string {
  const { category, holder, names, aliases } = concept;
  const known = `author authors ${concept.name} ${whoseInFull(concept)} ${concept.definition ?? ""}`;
  const shown = names
    .filter(({ text, tag }) => text !== concept.name || tag !== view.vocabulary.language)
    .map(({ text, language }) => (text === concept.name ? language : `${text} (${language})`));
  const lines = [
    shown.length === 0 ? "" : `Names: ${shown.join("; ")}`,
    aliases.length === 0 ? "" : `Also: ${aliases.join("; ")}`,
    says(known, holder) ? "" : `Holder: ${holder}`,
    `${category}; ${place(view, concept)}; id \`${concept.id}\``,
  ];
  return lines
    .filter((it) => it !== "")
    .map((it) => `- ${escapeButCode(it)}`)
    .join("\n");
}

/** The tags, and the shortest of the situations in the words of people's tasks; the structured answer has them all. */
function usage({ usage_tags, usage_contexts }: Concept): string {
  const shortest = [...usage_contexts].sort((a, b) => a.length - b.length).slice(0, 1);
  const shown = [...usage_tags, ...shortest];
  const left = usage_contexts.length + usage_tags.length - shown.length;
  const more = left > 0 ? "; …" : "";
  return shown.length === 0 ? "" : `**Used when:** ${shown.map(escapeMarkdown).join("; ")}${more}`;
}

function place(view: CallerView, { direction, direction_basis: basis }: Concept): string {
  const { scheme, values } = view.vocabulary.directions;
  if (direction === notPlaced) return "placed in no direction";
  const name = values.find((it) => it.id === direction)?.name ?? direction;
  const why = basis.replace(new RegExp(`^functional only,?\\s*(?:${escapedPattern(scheme)})?:?\\s*`), "");
  return `${name} (${scheme}${why === "" ? "" : `: ${why}`})`;
}

function contextLines({ concept, disclosure }: Disclosed): string {
  const { tier, indigenous_connections } = concept;
  const { two_eyed_seeing, polycentric, relational, ceremonial, empty } = indigenous_connections;
  const ceremony = ceremonialWords(ceremonial.level);
  // The note says what to do; before it the level alone is said, and not even that where the tier says it.
  const short = {
    none: "",
    "may-touch": "may touch. ",
    "not-for-this-tool": tier === "full" ? "not for this tool. " : "",
  }[ceremonial.level];
  const reasons = facets.flatMap((facet) =>
    empty[facet] ? [`${facetNames[facet]} (${emptyWords[empty[facet]]})`] : [],
  );
  return titled("Context", [
    two_eyed_seeing && `Two-Eyed Seeing: ${escapeMarkdown(two_eyed_seeing)}`,
    polycentric && `Polycentric: ${escapeMarkdown(polycentric)}`,
    relational && `Relational: ${escapeMarkdown(relational)}`,
    (ceremony ?? ceremonial.note) &&
      `Ceremonial: ${ceremonial.note ? `${short}${escapeMarkdown(ceremonial.note)}` : ceremony}`,
    disclosure === "full" && reasons.length > 0 && `Left empty: ${reasons.join("; ")}`,
  ]);
}

const facetNames = {
  two_eyed_seeing: "Two-Eyed Seeing",
  polycentric: "polycentric",
  relational: "relational",
  ceremonial: "ceremonial",
} as const;

const emptyWords = {
  "not-ours-to-say": "not ours to say",
  "does-not-apply": "does not apply",
  "not-sourced": "no source was found",
} as const;

/** What a ceremonial level asks of an agent; nothing for `none`. */
export function ceremonialWords(level: "none" | "may-touch" | "not-for-this-tool"): string | undefined {
  if (level === "may-touch") return "May touch ceremony: stop and ask before going on.";
  if (level === "not-for-this-tool") return "Ceremony: not for this tool. Ask the people who hold it.";
  return undefined;
}

const ocapName = /(?:the )?First Nations Principles of OCAP® \(ownership, control, access and possession\)/gi;
const ocapFull = "the First Nations Principles of ownership, control, access and possession";

function careLines({ concept, disclosure }: Disclosed): string {
  if (disclosure !== "full") return "";
  const { tier } = concept;
  const { relevance, ownership, control, access, possession } = concept.ocap;
  const { care, agent_may, agent_may_not, protocols, reviewed_by_holder } = concept.governance;
  const parts = [relevance === "none" ? null : relevance, ownership, control, possession].filter((it) => it !== null);
  const spoken = parts.map((it) => it.replace(ocapName, "OCAP®")).join(" ");
  const named = spoken.includes("OCAP®") ? spoken.replace("OCAP®", `OCAP® (${ocapFull}; not assessed here)`) : spoken;
  const said = (label: string, items: readonly string[]) =>
    items.length > 0 && `${label}: ${items.map(escapeMarkdown).join("; ")}`;
  return titled("Governance", [
    named !== "" && escapeMarkdown(named),
    access !== "open" && tier !== "pointer" && `Access: ${accessWords[access]}`,
    said("Protocols", protocols),
    said("Care", care),
    said("Agents may", agent_may),
    said("May not", agent_may_not),
    reviewed_by_holder !== null && `Reviewed by a holder: ${escapeMarkdown(reviewed_by_holder)}`,
  ]);
}

const accessWords = { open: "open", restricted: "restricted", ceremony_required: "through ceremony" } as const;

/** Each relation with who says so and why; who says most of them is said once. */
function relationLines(view: CallerView, { id }: Concept): string {
  const edges = view.graph.edgesOf(id);
  const shown = edges.slice(0, 40);
  const usual = commonest(shown.map((it) => proposer(view, it)));
  const lines = groupedBy(shown, (it) => it.type).map(([type, group]) => {
    const names = group.map((it) => {
      const by = proposer(view, it);
      const name = escapeMarkdown(view.concepts.get(it.to)?.concept.name ?? it.to);
      const said = by === usual ? "" : ` (${escapeMarkdown(by)})`;
      return `${name}${said}${it.why === undefined ? "" : `: ${escapeMarkdown(unstopped(it.why))}`}`;
    });
    return `${type}${group[0]!.byAnalogy ? " (by analogy)" : ""}: ${names.join("; ")}`;
  });
  const more = shown.length < edges.length ? [`and ${edges.length - shown.length} more`] : [];
  const others = shown.some((it) => proposer(view, it) !== usual) ? " where nobody else is named" : "";
  const title = usual === undefined ? "Relations" : `Relations (proposed by ${escapeMarkdown(usual)}${others})`;
  return titled(title, [...lines, ...more]);
}

function sourceLines(view: CallerView, { sources }: Concept): string {
  const lines = groupedBy(sources, (it) => it.seen).map(([seen, group]) => {
    const citations = group.map(({ key }) => {
      const source = view.sources[key];
      const url = source && sourceUrl(source);
      if (url === undefined) return escapeMarkdown(unstopped(source?.citation ?? key));
      return `${escapeMarkdown(source!.authors.length > 0 ? shortCitation(source!) : source!.citation)} <${url}>`;
    });
    return `${seenWords[seen]}: ${counted(citations).join("; ")}`;
  });
  return titled("Sources", lines);
}

const seenWords = {
  full: "Read",
  excerpt: "Read in part",
  secondary: "Known through another",
  ledger: "Listed, not opened",
} as const;

function related(view: CallerView, { concept }: Disclosed): string[] {
  const ids = [...new Set(view.graph.edgesOf(concept.id).map((it) => it.to))];
  return ids.map((id) => {
    const other = view.concepts.get(id)!;
    const gist = other.concept.definition === null ? (other.notice ?? "") : firstSentence(other.concept.definition);
    return `${nameAndId(other)}. ${escapeMarkdown(gist)}`;
  });
}

function nameAndId(disclosed: Disclosed): string {
  const { id, name } = ref(disclosed);
  return `**${escapeMarkdown(name)}** (\`${id}\`)`;
}

/** Whether a text already holds every telling word of another. */
function says(text: string, other: string): boolean {
  const known = new Set(wordsOf(text));
  return wordsOf(other).every((it) => known.has(it) || it.length < 4);
}

function wordsOf(text: string): readonly string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function commonest(items: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const it of items) counts.set(it, (counts.get(it) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Each item once, with how often it stands where that is more than once. */
function counted(items: readonly string[]): readonly string[] {
  return groupedBy(items, (it) => it).map(([item, all]) => (all.length === 1 ? item : `${item} (${all.length} texts)`));
}

function groupedBy<T, K>(items: readonly T[], by: (item: T) => K): readonly (readonly [K, readonly T[]])[] {
  const groups = new Map<K, T[]>();
  for (const it of items) groups.set(by(it), [...(groups.get(by(it)) ?? []), it]);
  return [...groups];
}

/** Escapes all but what stands between backquotes. */
function escapeButCode(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((it) => (/^`[^`]*`$/.test(it) ? it : escapeMarkdown(it)))
    .join("");
}

function titled(title: string, items: readonly (string | null | false | undefined)[]): string {
  const lines = items.filter((it): it is string => typeof it === "string" && it !== "");
  return lines.length === 0 ? "" : `**${title}**\n${lines.map((it) => `- ${it}`).join("\n")}`;
}

function unstopped(text: string): string {
  return text.replace(/[.\s]+$/, "");
}

function escapedPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
