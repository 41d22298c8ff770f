import type { Hit } from "./automaton.ts";
import type { CompiledRule } from "./compile-rules.ts";
import type { PassageView } from "./passage-view.ts";
import { maxColumns, type TextLabels } from "./text-labels.ts";

/** Why a passage teaches: it stands in a table of wordings, or in a list under "never write". */
export function teachingReason(
  view: PassageView,
  hit: Hit,
  rule: CompiledRule,
  labels: TextLabels,
): string | undefined {
  const { cell, headings, lead, kind } = view.passage;
  if (cell !== undefined) {
    if (labels.teachesTable(cell.table.header)) return "a table that teaches the wording";
    const row = cell.row < 0 ? cell.table.header : (cell.table.rows[cell.row] ?? []);
    if (row.slice(0, maxColumns).some((text, column) => column !== cell.column && namesPreferred(text, rule)))
      return "a table that teaches the wording";
    if (headings.some((heading) => labels.isTeaching(heading))) return "a table that teaches the wording";
  }
  if (kind === "item" || cell !== undefined) {
    if (lead !== undefined && labels.isTeaching(lead)) return "a list of wordings to avoid";
    if (headings.slice(-2).some((heading) => labels.isTeaching(heading))) return "a list of wordings to avoid";
  }
  return hit.start === 0 &&
    hit.end === view.tokens.count &&
    headings.slice(-1).some((heading) => labels.isTeaching(heading))
    ? "a list of wordings to avoid"
    : undefined;
}

function namesPreferred(text: string, rule: CompiledRule): boolean {
  const cell = text.toLowerCase();
  return rule.rule.preferred.some((preferred) => cell.includes(preferred.toLowerCase()));
}
