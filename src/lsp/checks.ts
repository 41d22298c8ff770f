import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import { contentHash } from "../core/snapshot/hash.ts";
import { readersFor } from "../grammars/load-reader.ts";
import type { OpenDocument } from "./documents.ts";
import { draftProblems } from "./draft-problems.ts";
import { problemDiagnostic } from "./problem-diagnostic.ts";
import { documentFormat, type Finding, findingDiagnostic, readFindings, unusedDiagnostic } from "./prose-findings.ts";
import type { Moment, Session } from "./session.ts";
import type { EditorSettings } from "./settings.ts";
import { uriKey } from "./uris.ts";

/** What was found in one text of a document under one vocabulary and one set of settings. */
export interface Checked {
  readonly document: OpenDocument;
  /** Equal for equal text, vocabulary and settings, whatever the client's version says. */
  readonly resultId: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly findings: readonly Finding[];
}

/** Checks documents, and remembers the last check of each: asking twice costs once. */
export class Checks {
  readonly #session: Session;
  readonly #last = new Map<string, Checked>();

  constructor(session: Session) {
    this.#session = session;
  }

  async of(uri: string): Promise<Checked | undefined> {
    const document = await this.#session.documentOrFile(uri);
    if (document === undefined) return undefined;
    const [moment, settings] = await Promise.all([this.#session.moment(), this.#session.settingsFor(uri)]);
    const resultId = contentHash(
      `${moment.snapshot.sequence}\n${moment.view.revision}\n${JSON.stringify(settings)}\n${this.#session.hasLeft(uri)}\n${document.text}`,
    );
    const last = this.#last.get(uriKey(uri));
    if (last?.resultId === resultId && last.document.uri === document.uri) return last;
    const checked = { document, resultId, ...(await this.#check(moment, document, settings)) };
    if (this.#session.documents.get(uri) !== undefined) this.#last.set(uriKey(uri), checked);
    return checked;
  }

  forget(uri: string): void {
    this.#last.delete(uriKey(uri));
  }

  async #check(moment: Moment, document: OpenDocument, settings: EditorSettings): Promise<Result> {
    if (!settings.diagnostics.enable || this.#session.hasLeft(document.uri)) return nothing;
    const file = this.#session.vocabularyFile(document.uri);
    if (file !== undefined) {
      const problems = draftProblems(moment, file, document.text).map((it) => problemDiagnostic(it));
      return { findings: [], diagnostics: capped(problems, problems.length, settings) };
    }
    if (document.text.length > settings.maxFileSize)
      return { findings: [], diagnostics: [tooLong(document, settings)] };
    const format = documentFormat(document);
    if (format === undefined) return nothing;
    const { client, options } = this.#session;
    const reading = {
      format,
      readers: await readersFor(format),
      ...(options.docs === undefined ? {} : { docs: options.docs }),
    };
    const { findings, unused, total } = readFindings(moment.view, reading, document, settings);
    const shown = [
      ...findings.map((it) => findingDiagnostic(document, it, client)),
      ...unused.map((it) => unusedDiagnostic(document, it, client)),
    ];
    return { findings, diagnostics: capped(shown, total, settings) };
  }
}

type Result = Pick<Checked, "diagnostics" | "findings">;

const nothing: Result = { diagnostics: [], findings: [] };

/** What is left out is said: a silent limit reads like a clean document. */
function capped(all: readonly Diagnostic[], total: number, settings: EditorSettings): readonly Diagnostic[] {
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

function tooLong(document: OpenDocument, settings: EditorSettings): Diagnostic {
  return notice(
    "document.too-long",
    `This document has ${document.text.length} characters and is not checked: \`maxFileSize\` is ${settings.maxFileSize}.`,
  );
}

function notice(code: string, message: string): Diagnostic {
  const start = { line: 0, character: 0 };
  return { range: { start, end: start }, severity: DiagnosticSeverity.Information, source: "iaip-dsl", code, message };
}
