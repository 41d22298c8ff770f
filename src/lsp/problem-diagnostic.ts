import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import type { Problem } from "../core/concept/problem.ts";

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** A problem of a concept file as a client shows it. `data.fix` is the replacement at its range, where one is safe. */
export function problemDiagnostic(problem: Problem): Diagnostic {
  return {
    range: problem.range,
    severity: severities[problem.severity],
    source: "iaip-dsl",
    code: problem.code,
    message: problem.message,
    ...(problem.fix === undefined ? {} : { data: { kind: "problem", fix: problem.fix } }),
  };
}
