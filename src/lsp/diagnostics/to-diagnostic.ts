import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from "vscode-languageserver";
import type { Problem } from "../../core/concept/problem.ts";
import type { Finding, UnusedSuppression } from "../../core/terms/reading.ts";
import type { OpenDocument } from "../documents/documents.ts";
import { toRange } from "../documents/to-lsp.ts";
import type { ClientFeatures } from "../protocol/client-features.ts";

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

/** A problem of a concept file as a client shows it. `data.fix` is the replacement at its range, where one is safe. */
export function problemDiagnostic(document: OpenDocument, problem: Problem): Diagnostic {
  return {
    range: document.encoded(problem.range),
    severity: severities[problem.severity],
    source: "iaip-dsl",
    code: problem.code,
    message: problem.message,
    ...(problem.fix === undefined ? {} : { data: { kind: "problem", fix: problem.fix } }),
  };
}
