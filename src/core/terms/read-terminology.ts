import { finish, type Steps } from "../../base/steps.ts";
import type { Language, Strictness } from "../concept/rule.ts";
import { formatOf } from "../text/formats/format.ts";
import { type LinePlace, lineIndex } from "../text/formats/line-index.ts";
import { inPieces, type Passage, type Span, type TextDocument } from "../text/formats/passage.ts";
import { readDocument } from "../text/formats/read-document.ts";
import { acceptedPlaces } from "./accepted.ts";
import { SeverityCounts } from "./coherence.ts";
import type { CompiledRules } from "./compile-rules.ts";
import { type ConceptMention, conceptMentions, judgeConceptUse } from "./concept-use.ts";
import { type ConceptsView, noConcepts } from "./concepts-view.ts";
import { findingOf, placed } from "./finding.ts";
import { type Judged, judgePassage } from "./judge.ts";
import { languageOf } from "./language.ts";
import { hitsOf, PassageView } from "./passage-view.ts";
import type { Exempt, Finding, Reading } from "./reading.ts";
import { SectionReader } from "./sections.ts";
import { readSuppressions, type Suppressions } from "./suppressions.ts";
import { textLabels } from "./text-labels.ts";

export interface TerminologyRequest {
  readonly text: string;
  /** A language id, a file name or an extension, as `formatOf` knows them; default `markdown`. Others read as plain text. */
  readonly format?: string;
  readonly strictness: Strictness;
  /** Found from the document when absent. */
  readonly language?: Language;
  readonly rules: CompiledRules;
  readonly concepts?: ConceptsView;
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
export const readTerminology = (request: TerminologyRequest): Reading => finish(terminologySteps(request));

/**
 * The same in steps. Passages are read twice, first for what the document holds anywhere, and none is kept: memory
 * grows with the text and the caps, not with what is found.
 */
export function* terminologySteps(request: TerminologyRequest): Steps<Reading> {
  const { text, rules } = request;
  const document = yield* readDocument(text, formatOf(request.format ?? "markdown") ?? "plaintext");
  const language = request.language ?? languageOf(document);
  const patterns = new Set<number>();
  const sections = new SectionReader(rules);
  for (const passage of document.passages) {
    for (const piece of inPieces(passage)) {
      const hits = hitsOf(piece, rules);
      for (const hit of hits) patterns.add(hit.pattern);
      sections.add(passage, hits);
    }
    yield;
  }
  const place = lineIndex(text);
  const collected = new Collected(request, document, place);
  const labels = textLabels(rules);
  let previous: PassageView | undefined;
  for (const passage of document.passages) {
    const section = sections.of(passage);
    const above = passage.headings.slice(-2);
    const inHeadings = (pattern: number): boolean => above.some((heading) => labels.patterns(heading).has(pattern));
    for (const piece of inPieces(passage)) {
      const view = new PassageView(piece, rules);
      const mentions = conceptMentions(view, request.concepts ?? noConcepts);
      const structural = judgeConceptUse(view, mentions, patterns);
      collected.mentioned(mentions);
      for (const entry of judgePassage(
        view,
        { previous, inHeadings, document: patterns },
        labels,
        section,
        language,
        structural,
      ))
        collected.judged(view, entry);
      if (isRead(piece)) {
        collected.words += view.tokens.words;
        previous = piece.kind === "heading" ? undefined : view;
      }
      yield;
    }
  }
  return collected.reading();
}

/** Quotations, code and comments are not the author's own prose. */
const isRead = (passage: Passage): boolean => passage.exempt === undefined;

interface Use {
  readonly id: string;
  readonly name: string;
  readonly spans: Span[];
  total: number;
}

/** What was found so far: lists up to their caps, and the true counts. */
class Collected {
  words = 0;
  readonly #request: TerminologyRequest;
  readonly #place: (offset: number) => LinePlace;
  readonly #caps: NonNullable<TerminologyRequest["caps"]>;
  readonly #suppressions: Suppressions;
  readonly #isAccepted: (start: number, end: number) => boolean;
  readonly #isOff: boolean;
  readonly #findings: Finding[] = [];
  #findingsTotal = 0;
  readonly #exempt: Exempt[] = [];
  #exemptTotal = 0;
  readonly #counts = new SeverityCounts();
  readonly #said = new Set<string>();
  readonly #uses = new Map<string, Use>();

  constructor(request: TerminologyRequest, document: TextDocument, place: (offset: number) => LinePlace) {
    this.#request = request;
    this.#place = place;
    this.#caps = request.caps ?? caps;
    this.#suppressions = readSuppressions(document, place);
    this.#isAccepted = acceptedPlaces(request.text, request.accept ?? new Set());
    this.#isOff = /^(?:off|false|no)$/i.test(document.frontMatter.get("terminology") ?? "");
  }

  mentioned(mentions: readonly ConceptMention[]): void {
    for (const { concept, span } of mentions) {
      const known = this.#uses.get(concept.id) ?? { id: concept.id, name: concept.name, spans: [], total: 0 };
      if (known.total === 0) this.#uses.set(concept.id, known);
      if (known.total < this.#caps.occurrences) known.spans.push(span);
      known.total += 1;
    }
  }

  judged(view: PassageView, entry: Judged): void {
    const { text, strictness, rules, off, docs } = this.#request;
    const { id, once } = entry.rule.rule;
    if (off?.has(id)) return;
    const finding = findingOf(view, entry, text, this.#place, rules, docs);
    const reason =
      reasonNotTo(entry, finding, this.#isAccepted, this.#isOff) ?? this.#suppressions.reason(id, finding.start);
    if (entry.strict && strictness !== "strict") {
      if (reason === undefined && !(once && this.#said.has(id))) this.#counts.add(finding);
      this.#said.add(id);
      return;
    }
    if (reason !== undefined) {
      this.#exemptTotal += 1;
      if (this.#exempt.length < this.#caps.exempt) this.#exempt.push({ rule: id, ...placed(finding), reason });
      return;
    }
    if (once && this.#said.has(id)) return;
    this.#said.add(id);
    this.#counts.add(finding);
    this.#findingsTotal += 1;
    if (this.#findings.length < this.#caps.findings)
      this.#findings.push(strictness === "gentle" ? { ...finding, severity: "hint" } : finding);
  }

  reading(): Reading {
    const { text, strictness } = this.#request;
    const uses = [...this.#uses.values()];
    return {
      strictness,
      coherence: this.#counts.coherence(this.words, uses.length),
      concepts: uses.map((concept) => ({
        id: concept.id,
        name: concept.name,
        occurrences: concept.spans.map((span) => ({
          ...span,
          ...this.#place(span.start),
          text: text.slice(span.start, span.end),
        })),
        occurrences_total: concept.total,
      })),
      findings: this.#findings,
      findings_total: this.#findingsTotal,
      exempt: this.#exempt,
      exempt_total: this.#exemptTotal,
      truncated:
        this.#findingsTotal > this.#findings.length ||
        this.#exemptTotal > this.#exempt.length ||
        uses.some((concept) => concept.total > concept.spans.length),
      unused_suppressions: this.#suppressions.unused().map((entry) => ({
        ...entry,
        ...this.#place(entry.start),
        message: `Nothing here needed "${entry.rule}" to be disabled; remove the directive.`,
      })),
    };
  }
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
