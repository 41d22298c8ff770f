import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from "vscode-languageserver";
import type { View } from "../core/snapshot/view.ts";
import { readInView } from "../core/terms/read-in-view.ts";
import type { Finding, UnusedSuppression } from "../core/terms/reading.ts";
import { plainReaders } from "../core/text/read-document.ts";
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

/** What the terminology reader says of a document: the same function and words as the tool's and the shell's. */
export function readFindings(view: View, document: OpenDocument, settings: EditorSettings): Findings {
  const format = formatOf(document);
  if (format === undefined) return { findings: [], unused: [], total: 0 };
  const reading = readInView(view, {
    text: document.text,
    format,
    strictness: settings.strictness,
    overrides: settings.rules,
    accept: new Set(settings.accept.map((text) => text.toLowerCase())),
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
  const isAddress = /^https?:/.test(finding.docs);
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

/** The reader's format for a document; none where its prose cannot be told from its code. */
export function formatOf({ languageId, uri }: OpenDocument): string | undefined {
  if (plainReaders.has(languageId)) return languageId;
  if (/\.(?:md|markdown)$/i.test(uri)) return "markdown";
  if (/\.mdx$/i.test(uri)) return "mdx";
  return languageId === "text" || languageId === "" || /\.txt$/i.test(uri) ? "plaintext" : undefined;
}
