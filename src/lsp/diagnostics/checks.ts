import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import { lazy } from "../../base/lazy.ts";
import { contentHash } from "../../core/snapshot/hash.ts";
import type { Settings } from "../../settings/schema.ts";
import { documentFormat, type OpenDocument } from "../documents/documents.ts";
import type { RequestSnapshot, Session } from "../documents/session.ts";
import { conceptPlace } from "../documents/target.ts";
import { mendsOnly, type ReadProse } from "../edits/checked-edit.ts";
import { type Change, changed } from "../protocol/change.ts";
import { uriKey } from "../protocol/uris.ts";
import { draftProblems } from "./draft-problems.ts";
import { type Finding, proseReader, readFindings } from "./prose-findings.ts";
import { findingDiagnostic, problemDiagnostic, unusedDiagnostic } from "./to-diagnostic.ts";

/** What was found in one text of a document under one vocabulary and one set of settings. */
export interface Checked {
  readonly document: OpenDocument;
  /** Equal for equal text, vocabulary and settings, whatever the client's version says. */
  readonly resultId: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly findings: readonly Finding[];
  /** Whether changes of this text do what they are offered for and nothing else. */
  readonly verify: Verify;
}

export interface Verify {
  /** Of prose: the finding is gone, and every passage is what it was. */
  finding(changes: readonly Change[], finding: Finding, kind: "replacement" | "suppression"): Promise<boolean>;
  /** Of a concept file: the problem is gone, and no other has come. */
  problem(changes: readonly Change[], message: string): boolean;
}

/** Checks documents, and remembers the last check of each: asking twice costs once. */
export class Checks {
  readonly #session: Session;
  /** Also while it runs: what is pushed and what is asked for at once is one check. */
  readonly #last = new Map<string, { readonly resultId: string; readonly result: Promise<Result> }>();
  /** Findings that the person set aside until their line changes or the document closes, by address. */
  readonly #ignored = new Map<string, ReadonlySet<string>>();

  constructor(session: Session) {
    this.#session = session;
  }

  async of(uri: string): Promise<Checked | undefined> {
    const document = await this.#session.documentOrFile(uri);
    if (document === undefined) return undefined;
    const [current, settings] = await Promise.all([this.#session.current(), this.#session.settingsFor(uri)]);
    const ignored = [...(this.#ignored.get(uriKey(uri)) ?? [])];
    const resultId = contentHash(
      `${current.snapshot.sequence}\n${current.view.revision}\n${JSON.stringify([settings, ignored])}\n${this.#session.hasLeft(uri)}\n${document.text}`,
    );
    const last = this.#last.get(uriKey(uri));
    if (last?.resultId === resultId) return { document, resultId, ...(await last.result) };
    const result = this.#check(current, document, settings);
    result.catch(() => this.#last.delete(uriKey(uri)));
    if (this.#session.documents.get(uri) !== undefined) this.#last.set(uriKey(uri), { resultId, result });
    return { document, resultId, ...(await result) };
  }

  forget(uri: string): void {
    this.#last.delete(uriKey(uri));
    this.#ignored.delete(uriKey(uri));
  }

  /** Sets one finding aside without writing anything. `mark` is what `markOf` gave for it. */
  ignoreOnce(uri: string, mark: string): void {
    this.#ignored.set(uriKey(uri), new Set([...(this.#ignored.get(uriKey(uri)) ?? []), mark]));
  }

  /** The concept that a finding speaks of, at its place in the vocabulary. */
  async #related(current: RequestSnapshot, { concept }: Finding): Promise<Pick<Diagnostic, "relatedInformation">> {
    const disclosed = concept === undefined ? undefined : current.view.concepts.get(concept);
    const place = disclosed && (await conceptPlace(this.#session, current, disclosed.concept.id));
    if (!this.#session.client.relatedInformation || place === undefined || disclosed === undefined) return {};
    return {
      relatedInformation: [{ location: { uri: place.uri, range: place.range }, message: disclosed.concept.name }],
    };
  }

  async #check(current: RequestSnapshot, document: OpenDocument, settings: Settings): Promise<Result> {
    if (!settings.diagnostics.enable || this.#session.hasLeft(document.uri)) return nothing;
    const file = this.#session.vocabularyFile(document.uri);
    if (file !== undefined) {
      const isOpen = this.#session.documents.get(document.uri) !== undefined;
      if (!isOpen && current.view.reads(file) !== "all") return nothing;
      const problems = draftProblems(current, file, document.text).map((it) => problemDiagnostic(document, it));
      const messagesOf = (text: string): readonly string[] =>
        draftProblems(current, file, text).map((it) => it.message);
      const verify: Verify = {
        finding: async () => false,
        problem: (changes, message) =>
          isFewer(messagesOf(document.text), messagesOf(changed(document.text, changes)), message),
      };
      return { findings: [], diagnostics: capped(problems, problems.length, settings), verify };
    }
    if (document.text.length > settings.maxFileSize)
      return { findings: [], diagnostics: [tooLong(document, settings)], verify: neverSafe };
    const format = documentFormat(document);
    if (format === undefined) return nothing;
    const { client, options } = this.#session;
    const reading = {
      format,
      ...(options.docs === undefined ? {} : { docs: options.docs }),
    };
    const read = await readFindings(current.view, reading, document.text, settings, settings.diagnostics.max);
    const ignored = this.#ignored.get(uriKey(document.uri));
    const findings = read.findings.filter((it) => ignored?.has(markOf(document, it)) !== true);
    const { unused } = read;
    const total = read.total - (read.findings.length - findings.length);
    const found = findings.map(async (it) => ({
      ...findingDiagnostic(document, it, client),
      ...(await this.#related(current, it)),
    }));
    const shown = [...(await Promise.all(found)), ...unused.map((it) => unusedDiagnostic(document, it, client))];
    const readProse = proseReader(current.view, reading, settings);
    const before = lazy(() => readProse(document.text));
    const readAny = (text: string): Promise<ReadProse> => (text === document.text ? before() : readProse(text));
    const verify: Verify = {
      finding: (changes, finding, kind) => mendsOnly(readAny, document.text, changes, finding, kind),
      problem: () => false,
    };
    return { findings, diagnostics: capped(shown, total, settings), verify };
  }
}

/** Names a finding by its rule, its line and its place in it: an edit of the line makes another one. */
export function markOf(document: OpenDocument, finding: Finding): string {
  const { line } = document.positionAt(finding.start);
  const start = document.offsetAt({ line, character: 0 });
  const end = document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
  return `${finding.rule}\n${finding.start - start}\n${document.text.slice(start, end)}`;
}

type Result = Pick<Checked, "diagnostics" | "findings" | "verify">;

const neverSafe: Verify = { finding: async () => false, problem: () => false };

const nothing: Result = { diagnostics: [], findings: [], verify: neverSafe };

/** Whether the messages are those of before with one of them gone. */
function isFewer(before: readonly string[], after: readonly string[], gone: string): boolean {
  const left = [...before];
  left.splice(left.indexOf(gone), 1);
  return after.every((it) => {
    const at = left.indexOf(it);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** What is left out is said: a silent limit reads like a clean document. */
function capped(all: readonly Diagnostic[], total: number, settings: Settings): readonly Diagnostic[] {
  const shown = all.slice(0, settings.diagnostics.max);
  if (total <= shown.length) return shown;
  return [
    ...shown,
    notice(
      "diagnostics.capped",
      `${shown.length} of ${total} findings are shown. Raise \`diagnostics.max\` to see more.`,
    ),
  ];
}

function tooLong(document: OpenDocument, settings: Settings): Diagnostic {
  return notice(
    "document.too-long",
    `This document has ${document.text.length} characters and is not checked: \`maxFileSize\` is ${settings.maxFileSize}.`,
  );
}

function notice(code: string, message: string): Diagnostic {
  const start = { line: 0, character: 0 };
  return { range: { start, end: start }, severity: DiagnosticSeverity.Information, source: "iaip-dsl", code, message };
}
