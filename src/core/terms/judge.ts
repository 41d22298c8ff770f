import type { Language } from "../concept/rule.ts";
import type { ExemptReason, Span } from "../text/formats/passage.ts";
import type { Hit } from "./automaton.ts";
import { inCode, inHyphenated } from "./code-like.ts";
import type { CompiledReading, CompiledRule } from "./compile-rules.ts";
import { mentionReason } from "./mentions.ts";
import { isInEmphasizedTitle, isInName, isInPlainTitle } from "./names.ts";
import { outcomeRanges, type TokenRange } from "./outcomes.ts";
import type { Around, PassageView } from "./passage-view.ts";
import { quotations } from "./quotations.ts";
import { type Section, teachingReason } from "./teaching.ts";
import type { TextLabels } from "./text-labels.ts";

/** A match that a rule would speak about, and the reason not to when there is one. */
export interface Judged {
  readonly rule: CompiledRule;
  readonly strict: boolean;
  readonly hit: Hit;
  /** Of a judgement about one concept: which, and what it prefers to be called. */
  readonly about?: { readonly concept: string; readonly preferred: readonly string[] };
  readonly exempt?: ExemptReason;
  /** The match has another sense: it gives way to every other reading of the same words. */
  readonly otherSense?: true;
}

/**
 * Judges one passage: every match of every rule whose sense fits, and what was found about the use of concepts
 * (`structural`); the longest where they overlap, in reading order.
 */
export function judgePassage(
  view: PassageView,
  around: Around,
  labels: TextLabels,
  section: Section,
  language: Language,
  structural: readonly Judged[] = [],
): readonly Judged[] {
  const scope = new Scope(view, around, labels, section);
  const judged: Judged[] = [];
  for (const hit of view.hits) {
    const speaking = view.rules.speaking.get(hit.pattern);
    if (speaking === undefined) continue;
    for (const { rule, reading } of speaking) {
      if (rule.rule.language !== language) continue;
      if (!scope.fits(hit, reading)) continue;
      const sense = scope.otherSense(hit, rule, reading);
      if (sense !== undefined) {
        judged.push({ rule, strict: reading.strict, hit, exempt: view.passage.exempt ?? sense, otherSense: true });
        continue;
      }
      const exempt = view.passage.exempt ?? scope.exemption(hit, rule);
      judged.push(
        exempt === undefined ? { rule, strict: reading.strict, hit } : { rule, strict: reading.strict, hit, exempt },
      );
    }
  }
  for (const entry of structural) {
    if (entry.rule.rule.language !== language) continue;
    const exempt = view.passage.exempt ?? scope.exemption(entry.hit, entry.rule);
    judged.push(exempt === undefined ? entry : { ...entry, exempt });
  }
  return longest(judged);
}

class Scope {
  readonly #view: PassageView;
  readonly #around: Around;
  readonly #labels: TextLabels;
  #outcomes: readonly TokenRange[] | undefined;
  #quotes: readonly Span[] | undefined;

  readonly #section: Section;

  constructor(view: PassageView, around: Around, labels: TextLabels, section: Section) {
    this.#view = view;
    this.#section = section;
    this.#around = around;
    this.#labels = labels;
  }

  /** Whether the words around the match are those that the reading asks for. */
  fits(hit: Hit, reading: CompiledReading): boolean {
    if (reading.outcome && !this.#inOutcome(hit)) return false;
    const meets = (cue: (typeof reading.needs)[number]): boolean => this.#view.meets(cue, hit, this.#around);
    if (reading.needs.length > 0 && !reading.needs.some(meets)) return false;
    return reading.also.length === 0 || reading.also.some(meets);
  }

  /** Why the match has another sense than the one that the rule reads, when it has. */
  otherSense(hit: Hit, rule: CompiledRule, reading: CompiledReading): ExemptReason | undefined {
    const view = this.#view;
    for (const pattern of rule.never) {
      const inside = view.overlapping(pattern, hit.from, hit.to);
      if (inside !== undefined) return `part of “${view.words(inside.start, inside.end)}”`;
    }
    for (const cue of [...reading.unless, ...rule.unless])
      if (view.meets(cue, hit, this.#around)) return "another sense, by the words around it";
    return undefined;
  }

  exemption(hit: Hit, rule: CompiledRule): ExemptReason | undefined {
    const view = this.#view;
    const span = view.span(hit.from, hit.to);
    const hidden = view.passage.hidden?.find((mark) => mark.start <= span.start && span.end <= mark.end);
    if (hidden !== undefined) return hidden.reason;
    if (this.#isQuoted(span)) return "a quotation";
    if (inCode(view.passage.text, span)) return "code";
    const proper = rule.rule.names === "counts" ? "name" : rule.rule.fix === "capitalize" ? "word" : undefined;
    if (inHyphenated(view.passage.text, span, view.span(hit.start, hit.end), proper)) return "code";
    if (isInEmphasizedTitle(view, hit, rule)) return "a title";
    if (rule.rule.names === "exempt") {
      if (isInName(view, hit)) return "a name";
      if (isInPlainTitle(view, hit)) return "a title";
    }
    const taught = teachingReason(view, hit, rule, this.#labels, this.#section) ?? mentionReason(view, hit, rule);
    if (taught !== undefined) return taught;
    if (rule.rule.baseline && this.#restores()) return "a prior state is being restored";
    return undefined;
  }

  #inOutcome(hit: Hit): boolean {
    this.#outcomes ??= merged(outcomeRanges(this.#view, this.#labels));
    const ranges = this.#outcomes;
    const index = lastStart(ranges, (range) => range.from, hit.from);
    return index >= 0 && hit.to <= (ranges[index]?.to ?? 0);
  }

  #isQuoted(span: Span): boolean {
    this.#quotes ??= quotations(this.#view.passage.text);
    const quotes = this.#quotes;
    const index = lastStart(quotes, (quote) => quote.start, span.start);
    const quote = quotes[index];
    if (quote === undefined || span.end > quote.end) return false;
    // The value of a setting is what the program is told, not what somebody said.
    const before = this.#view.passage.text.slice(Math.max(0, quote.start - 40), quote.start);
    return !/(?:\b(?:system|prompt|instructions?|persona|content)["']?\s*[:=]\s*|\b(?:alt|title|aria-label|placeholder|label|caption|summary|description)=)$/i.test(
      before,
    );
  }

  #restores(): boolean {
    const set = this.#view.rules.set("baseline");
    return this.#view.has(set) || (this.#around.previous?.has(set) ?? false) || this.#around.inHeadings(set);
  }
}

function merged(ranges: readonly TokenRange[]): readonly TokenRange[] {
  const result: TokenRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && range.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else result.push(range);
  }
  return result;
}

/** The index of the last start that is not behind `at`. */
function lastStart<T>(list: readonly T[], startOf: (entry: T) => number, at: number): number {
  let low = -1;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const entry = list[middle];
    if (entry !== undefined && startOf(entry) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where matches overlap the longest stays; of equals the one of the heavier rule, then of the first in the alphabet. */
function longest(judged: readonly Judged[]): readonly Judged[] {
  const order = [...judged].sort(
    (a, b) =>
      Number(a.strict) - Number(b.strict) ||
      Number(a.otherSense ?? false) - Number(b.otherSense ?? false) ||
      size(b.hit) - size(a.hit) ||
      weight(b) - weight(a) ||
      a.hit.from - b.hit.from ||
      (a.rule.rule.id < b.rule.rule.id ? -1 : 1),
  );
  const taken = new Set<number>();
  const kept: Judged[] = [];
  for (const entry of order) {
    let free = true;
    for (let at = entry.hit.from; at < entry.hit.to && free; at += 1) if (taken.has(at)) free = false;
    if (!free) continue;
    for (let at = entry.hit.from; at < entry.hit.to; at += 1) taken.add(at);
    kept.push(entry);
  }
  return kept.sort((a, b) => a.hit.from - b.hit.from);
}

const size = (hit: Hit): number => hit.to - hit.from;

const weight = (entry: Judged): number => ({ error: 3, warning: 2, information: 1, hint: 0 })[entry.rule.severity];
