import { breaks } from "../text/words/tokens.ts";
import type { Hit } from "./automaton.ts";
import type { CompiledRule } from "./compile-rules.ts";
import type { PassageView } from "./passage-view.ts";
import { maxColumns, type TextLabels } from "./text-labels.ts";

/** What a document says around a passage beyond its headings. */
export interface Section {
  /** Whether the section speaks about wordings: "outdated", "try … instead". */
  readonly discusses: boolean;
  /** Keys of the words that its heading names as an entry: of a glossary, of a style guide. */
  readonly entry: readonly string[];
}

export const noSection: Section = { discusses: false, entry: [] };

/** Why a passage teaches: it stands in a table of wordings, in a list under "never write", in an entry of a guide. */
export function teachingReason(
  view: PassageView,
  hit: Hit,
  rule: CompiledRule,
  labels: TextLabels,
  section: Section,
): string | undefined {
  const { cell, headings, lead, kind } = view.passage;
  if (cell !== undefined) {
    if (labels.teachesTable(cell.table.header)) return "a table that teaches the wording";
    const row = cell.row < 0 ? cell.table.header : (cell.table.rows[cell.row] ?? []);
    if (row.slice(0, maxColumns).some((text, column) => column !== cell.column && namesPreferred(text, rule)))
      return "a table that teaches the wording";
    if (headings.some((heading) => labels.isTeaching(heading) || labels.isDiscouraged(heading)))
      return "a table that teaches the wording";
  }
  if (kind === "item" || cell !== undefined) {
    if (lead !== undefined && (labels.isTeaching(lead) || labels.isDiscouraged(lead)))
      return "a list of wordings to avoid";
    if (headings.slice(-2).some((heading) => labels.isTeaching(heading) || labels.isDiscouraged(heading)))
      return "a list of wordings to avoid";
  }
  if (isWhole(view, hit) && headings.slice(-1).some((it) => labels.isTeaching(it) || labels.isDiscouraged(it)))
    return "a list of wordings to avoid";
  if (isLabelled(view, hit)) return "a wording to avoid, by its label";
  if (section.discusses && (isEntry(view, hit) || namesEntry(view, hit, section))) return "an entry about the wording";
  if (isDefined(view, hit)) return "an entry about the wording";
  return undefined;
}

/** The match is all that the passage says, articles, "or" and quotation marks aside. */
function isWhole(view: PassageView, hit: Hit): boolean {
  const { count, key } = view.tokens;
  for (let at = 0; at < count; at += 1) {
    if (at >= hit.from && at < hit.to) continue;
    if (!/^(?:an?|the|or|and|of|terms?|words?|noun|adjective|verb|adj|n)$/.test(key[at] ?? "")) return false;
  }
  return true;
}

/** A heading that is an entry: the match with a few words beside it, or a question about it. */
function isEntry(view: PassageView, hit: Hit): boolean {
  if (view.passage.kind !== "heading") return false;
  const { count } = view.tokens;
  return count <= hit.to - hit.from + 4 || /\?\s*$/.test(view.passage.text);
}

/** The section's heading is the entry of this very wording, and the match names it again. */
function namesEntry(view: PassageView, hit: Hit, { entry }: Section): boolean {
  if (entry.length === 0) return false;
  for (let at = hit.from; at < hit.to; at += 1) {
    const key = view.tokens.key[at] ?? "";
    if (!entry.some((word) => word === key || word === `${key}s` || `${word}s` === key)) return false;
  }
  return true;
}

/** `Outdated: Eskimo, Indian`, `Don't say: …`, `✗ …`: up to the end of the passage, or to the label of the better one. */
function isLabelled(view: PassageView, hit: Hit): boolean {
  const { gap, key } = view.tokens;
  for (const label of view.ofSet("discouraged-label")) {
    if (label.end > hit.from || hit.from - label.end > 60) continue;
    const starts = label.start === 0 || isSign(key[label.start]) || (gap[label.start] ?? 0) >= breaks.phrase;
    const parted = isSign(key[label.end - 1]) || isLabelGap(view, label.end);
    if (!starts || !parted) continue;
    const better = view
      .ofSet("preferred-label")
      .some(
        (it) => it.start >= label.end && it.end <= hit.from && (isSign(key[it.end - 1]) || isLabelGap(view, it.end)),
      );
    if (!better) return true;
  }
  return false;
}

const isSign = (key = ""): boolean => /^[✗✘❌🚫👎⛔✓✔✅👍]$/u.test(key);

/** A colon, a dash or an arrow behind a label. */
function isLabelGap(view: PassageView, token: number): boolean {
  const { start, end, count } = view.tokens;
  if (token >= count) return false;
  const between = view.passage.text.slice(end[token - 1] ?? 0, start[token] ?? 0);
  return /[:：]|\s[-–—]\s/.test(between);
}

/** `Eskimo: a slur`, `Powwow (n.) – …, offensive when …`: the entry leads, and what it says is about the word. */
function isDefined(view: PassageView, hit: Hit): boolean {
  if (hit.from > 2 || hit.to >= view.tokens.count) return false;
  for (let at = 0; at < hit.from; at += 1) if (!/^(?:an?|the)$/.test(view.tokens.key[at] ?? "")) return false;
  // A term on a line of its own, and behind it what it is: `**Eskimo**`, then "A name given by outsiders."
  const next = view.tokens.start[hit.to] ?? 0;
  const isLine =
    /^\p{Lu}/u.test(view.passage.text.slice(next, next + 2)) && (view.tokens.gap[hit.to] ?? 0) === breaks.none;
  if (isLine && view.has(view.rules.set("about-wording")) && !/^\p{Lu}/u.test(wordBehind(view, hit.to))) return true;
  let end = hit.to;
  while (end < view.tokens.count && end - hit.to < 3 && !isLabelGap(view, end)) end += 1;
  if (!isLabelGap(view, end)) return false;
  return view.within(view.rules.set("about-wording"), end, Math.min(view.tokens.count, end + 25)) !== undefined;
}

const wordBehind = (view: PassageView, token: number): string => {
  const at = view.tokens.start[token + 1] ?? 0;
  return view.passage.text.slice(at, at + 2);
};

function namesPreferred(text: string, rule: CompiledRule): boolean {
  const cell = text.toLowerCase();
  return rule.rule.preferred.some((preferred) => cell.includes(preferred.toLowerCase()));
}
