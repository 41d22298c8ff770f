import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from "vscode-languageserver";
import { readInView } from "../core/queries/read-in-view.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import type { Finding, UnusedSuppression } from "../core/terms/reading.ts";
import { type Format, formatOf } from "../core/text/format.ts";
import type { DocumentReaders } from "../core/text/read-document.ts";
import type { ClientFeatures } from "./client-features.ts";
import type { OpenDocument } from "./documents.ts";
import type { EditorSettings } from "./settings.ts";
import { toRange } from "./to-lsp.ts";

export type { Finding } from "../core/terms/reading.ts";

export interface Findings {
  readonly findings: readonly Finding[];
  readonly unused: readonly UnusedSuppression[];
  readonly total: number;
}

/** How a document is read. */
export interface Reading {
  readonly format: Format;
  readonly readers: DocumentReaders;
  readonly docs?: (rule: string) => string;
}

/** What the terminology reader says of a document: the same function and words as the tool's and the shell's. */
export function readFindings(
  view: CallerView,
  { format, readers, docs }: Reading,
  document: OpenDocument,
  settings: EditorSettings,
): Findings {
  const reading = readInView(view, {
    text: document.text,
    format,
    readers,
    strictness: settings.strictness,
    overrides: settings.rules,
    accept: new Set(settings.accept),
    caps: { findings: settings.diagnostics.max, occurrences: 0, exempt: 0 },
    ...(docs === undefined ? {} : { docs }),
  });
  const { findings, findings_total: total, unused_suppressions: unused } = reading;
  return { findings, unused, total: total + unused.length };
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const;

export function findingDiagnostic(document: OpenDocument, finding: Finding, client: ClientFeatures): Diagnostic {
  const isAddress = /^(?:https?|file):/.test(finding.docs);
  return {
    range: toRange(document, finding),
    severity: severities[finding.severity],
    source: "iaip-dsl",
    code: finding.rule,
    message: `${finding.message} ${finding.reason}`,
    ...(isAddress && client.codeDescription ? { codeDescription: { href: finding.docs } } : {}),
    data: { kind: "finding", rule: finding.rule, start: finding.start },
  };
}

export function unusedDiagnostic(
  document: OpenDocument,
  unused: UnusedSuppression,
  client: ClientFeatures,
): Diagnostic {
  return {
    range: toRange(document, unused),
    severity: DiagnosticSeverity.Hint,
    source: "iaip-dsl",
    code: "suppression.unused",
    message: unused.message,
    ...(client.diagnosticTags ? { tags: [DiagnosticTag.Unnecessary] } : {}),
  };
}

/** The reader's format for a document: by what the editor calls its language, else by its name. */
export function documentFormat({ languageId, uri }: OpenDocument): Format | undefined {
  const byId = languageId === "" ? undefined : formatOf(languageId);
  return byId ?? formatOf(uri.replace(/[?#].*$/, "")) ?? (languageId === "" ? "plaintext" : undefined);
}
