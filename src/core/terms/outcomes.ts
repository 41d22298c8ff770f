import { breaks } from "../text/words/tokens.ts";
import type { PassageView } from "./passage-view.ts";
import type { TextLabels } from "./text-labels.ts";

/** Ranges of tokens, `to` exclusive. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a passage states an outcome: behind a label ("Desired outcome: …"), as the subject of "is" ("our vision is
 * …"), under such a heading, beside or below such a table cell, in a list that such a line introduces.
 */
export function outcomeRanges(view: PassageView, labels: TextLabels): readonly TokenRange[] {
  const { cell, headings, lead } = view.passage;
  const all = { from: 0, to: view.tokens.count };
  const heading = headings.at(-1);
  if (heading !== undefined && view.passage.kind !== "heading" && labels.isOutcome(heading)) return [all];
  if (view.passage.kind === "item" && lead !== undefined && labels.isOutcome(lead)) return [all];
  if (cell !== undefined && cell.row >= 0) {
    const row = cell.table.rows[cell.row] ?? [];
    if (labels.isOutcome(cell.table.header[cell.column] ?? "")) return [all];
    if (cell.column > 0 && labels.isOutcome(row[0] ?? "")) return [all];
  }
  return view.ofSet("outcome-label").flatMap((hit) => statedBehind(view, hit.start, hit.end) ?? []);
}

function statedBehind(view: PassageView, start: number, end: number): TokenRange | undefined {
  const sentence = view.sentence(start);
  if (end >= view.tokens.count) return undefined;
  const between = view.passage.text.slice(view.tokens.end[end - 1] ?? 0, view.tokens.start[end] ?? 0);
  if (/^\s*(?:\*\*)?\s*(?::|—|–|\s-\s|=)/.test(between)) {
    const leads = start - sentence.from <= 3;
    return { from: end, to: leads && between.includes(":") ? labelled(view, end) : sentence.to };
  }
  if (end >= sentence.to) return undefined;
  const verb = view.after(view.rules.set("outcome-verb"), end, 3);
  if (verb === undefined || (view.tokens.gap[end] ?? 0) >= breaks.clause) return undefined;
  return { from: verb.end, to: sentence.to };
}

/** To the end of the passage, or to the next sentence that carries a label of its own; at most forty sentences. */
function labelled(view: PassageView, from: number): number {
  const { sentence, sentenceStart, count, end, start } = view.tokens;
  const first = (sentence[from] ?? 0) + 1;
  for (let index = first; index < sentenceStart.length - 1; index += 1) {
    const next = sentenceStart[index] ?? count;
    if (index - first > 40) return next;
    for (let at = next; at < Math.min(next + 4, count - 1); at += 1) {
      if (view.passage.text.slice(end[at] ?? 0, start[at + 1] ?? 0).includes(":")) return next;
    }
  }
  return count;
}
