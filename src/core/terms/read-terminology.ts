import type { Strictness } from "../concept/rule.ts";
import { formatOf } from "../text/formats/format.ts";
import { lineIndex } from "../text/formats/line-index.ts";
import type { Passage, Span, TextDocument } from "../text/formats/passage.ts";
import { readPlain } from "../text/formats/plain.ts";
import { type DocumentReaders, plainReaders } from "../text/formats/read-document.ts";
import { acceptedPlaces } from "./accepted.ts";
import { coherence } from "./coherence.ts";
import type { CompiledRules } from "./compile-rules.ts";
import { type ConceptMention, conceptMentions, judgeConceptUse } from "./concept-use.ts";
import type { ConceptsView } from "./concepts-view.ts";
import { noConcepts } from "./concepts-view.ts";
import { findingOf, placed } from "./finding.ts";
import { type Judged, judgePassage } from "./judge.ts";
import { PassageView } from "./passage-view.ts";
import type { Exempt, Finding, Reading } from "./reading.ts";
import { readSuppressions } from "./suppressions.ts";
import { textLabels } from "./text-labels.ts";

export interface TerminologyRequest {
  readonly text: string;
  /** A language id, a file name or an extension, as `formatOf` knows them; default `markdown`. Others read as plain text. */
  readonly format?: string;
  readonly strictness: Strictness;
  readonly rules: CompiledRules;
  readonly concepts?: ConceptsView;
  /** Formats beyond Markdown, HTML and plain text. */
  readonly readers?: DocumentReaders;
  /** Rules that are off for this path. */
  readonly off?: ReadonlySet<string>;
  /** Wordings that the project accepts; each shields the shorter ones inside it. */
  readonly accept?: ReadonlySet<string>;
  /** The address of a rule's page. */
  readonly docs?: (rule: string) => string;
  /** Longest lists, where others than `caps` are wanted. */
  readonly caps?: { readonly findings: number; readonly occurrences: number; readonly exempt: number };
}

export const caps = { findings: 200, occurrences: 50, exempt: 100 } as const;

/**
 * Reads a text as a careful editor would: which concepts it uses, which wordings the vocabulary advises against and
 * why, and where such a wording is right. Never throws, whatever the text; time grows with the text. One function for
 * the tool, the diagnostics and the command line.
 *
 * `readTerminology({ text, strictness, rules: compileRules(…) })`
 */
export function readTerminology(request: TerminologyRequest): Reading {
  const { text, rules, strictness } = request;
  const most = request.caps ?? caps;
  const document = readDocument(request);
  const place = lineIndex(text);
  const suppressions = readSuppressions(document, place);
  const views = document.passages.map((passage) => new PassageView(passage, rules));
  const mentions = views.map((view) => conceptMentions(view, request.concepts ?? noConcepts));
  const judged = judgeAll(views, mentions, rules);
  const used = byConcept(mentions.flat());
  const off = /^(?:off|false|no)$/i.test(document.frontMatter.get("terminology") ?? "");

  const isAccepted = acceptedPlaces(text, request.accept ?? new Set());
  const findings: Finding[] = [];
  const exempt: Exempt[] = [];
  const counted: Finding[] = [];
  const said = new Set<string>();
  for (const { view, entry } of judged) {
    const { id } = entry.rule.rule;
    if (request.off?.has(id)) continue;
    const finding = findingOf(view, entry, text, place, rules, request.docs);
    const reason = reasonNotTo(entry, finding, isAccepted, off) ?? suppressions.reason(id, finding.start);
    if (entry.strict && strictness !== "strict") {
      if (reason === undefined && !(entry.rule.rule.once && said.has(id))) counted.push(finding);
      said.add(id);
      continue;
    }
    if (reason !== undefined) {
      exempt.push({ rule: id, ...placed(finding), reason });
      continue;
    }
    if (entry.rule.rule.once && said.has(id)) continue;
    said.add(id);
    counted.push(finding);
    findings.push(strictness === "gentle" ? { ...finding, severity: "hint" } : finding);
  }
  const words = views.reduce((sum, view) => (isRead(view.passage) ? sum + view.tokens.words : sum), 0);
  return {
    strictness,
    coherence: coherence(words, used.length, counted),
    concepts: used.map((concept) => ({
      id: concept.id,
      name: concept.name,
      occurrences: concept.spans
        .slice(0, most.occurrences)
        .map((span) => ({ ...span, ...place(span.start), text: text.slice(span.start, span.end) })),
      occurrences_total: concept.spans.length,
    })),
    findings: findings.slice(0, most.findings),
    findings_total: findings.length,
    exempt: exempt.slice(0, most.exempt),
    exempt_total: exempt.length,
    truncated:
      findings.length > most.findings ||
      exempt.length > most.exempt ||
      used.some((concept) => concept.spans.length > most.occurrences),
    unused_suppressions: suppressions.unused().map((entry) => ({
      ...entry,
      ...place(entry.start),
      message: `Nothing here needed "${entry.rule}" to be disabled; remove the directive.`,
    })),
  };
}

function readDocument({ format = "markdown", readers, text }: TerminologyRequest): TextDocument {
  const known = formatOf(format) ?? "plaintext";
  const reader = readers?.get(known) ?? plainReaders.get(known) ?? readPlain;
  return reader(text);
}

/** Quotations, code and comments are not the author's own prose. */
const isRead = (passage: Passage): boolean => passage.exempt === undefined;

function byConcept(
  mentions: readonly ConceptMention[],
): readonly { readonly id: string; readonly name: string; readonly spans: readonly Span[] }[] {
  const found = new Map<string, { id: string; name: string; spans: Span[] }>();
  for (const { concept, span } of mentions) {
    const known = found.get(concept.id);
    if (known === undefined) found.set(concept.id, { id: concept.id, name: concept.name, spans: [span] });
    else known.spans.push(span);
  }
  return [...found.values()];
}

function judgeAll(
  views: readonly PassageView[],
  mentions: readonly (readonly ConceptMention[])[],
  rules: CompiledRules,
): readonly { view: PassageView; entry: Judged }[] {
  const labels = textLabels(rules);
  const document = new Set<number>();
  for (const view of views) for (const hit of view.hits) document.add(hit.pattern);
  let previous: PassageView | undefined;
  return views.flatMap((view, index) => {
    const above = view.passage.headings.slice(-2);
    const inHeadings = (pattern: number): boolean => above.some((heading) => labels.patterns(heading).has(pattern));
    const structural = judgeConceptUse(view, mentions[index] ?? [], document);
    const judged = judgePassage(view, { previous, inHeadings, document }, labels, structural);
    if (isRead(view.passage)) previous = view.passage.kind === "heading" ? undefined : view;
    return judged.map((entry) => ({ view, entry }));
  });
}

function reasonNotTo(
  entry: Judged,
  finding: Finding,
  isAccepted: (start: number, end: number) => boolean,
  off: boolean,
): string | undefined {
  if (entry.exempt !== undefined) return entry.exempt;
  if (off) return "terminology is off in this document";
  return isAccepted(finding.start, finding.end) ? "accepted in this project" : undefined;
}
