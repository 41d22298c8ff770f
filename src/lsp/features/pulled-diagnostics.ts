import {
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import type { Checks } from "../diagnostics/checks.ts";
import type { Session } from "../documents/session.ts";
import { vocabularyDocuments } from "../documents/vocabulary-files.ts";

/** `unchanged` by text, vocabulary and settings: the client's version numbers are not trusted. */
export async function documentDiagnostics(
  checks: Checks,
  params: DocumentDiagnosticParams,
): Promise<DocumentDiagnosticReport> {
  const checked = await checks.of(params.textDocument.uri);
  if (checked === undefined) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
  const { resultId, diagnostics } = checked;
  if (params.previousResultId === resultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
  return { kind: DocumentDiagnosticReportKind.Full, resultId, items: [...diagnostics] };
}

/** The vocabulary's files, open or not: their faults concern everyone who asks it. Open prose is asked for by itself. */
export async function workspaceDiagnostics(
  session: Session,
  checks: Checks,
  params: WorkspaceDiagnosticParams,
): Promise<WorkspaceDiagnosticReport> {
  const previous = new Map((params.previousResultIds ?? []).map((it) => [it.uri, it.value]));
  const items: WorkspaceDocumentDiagnosticReport[] = [];
  const current = await session.current();
  const faulty = new Set(current.view.problems.map((it) => session.vocabularyUri(it.file)));
  for (const { uri } of await vocabularyDocuments(session, current)) {
    if (!faulty.has(uri) && !previous.has(uri)) continue;
    const checked = await checks.of(uri);
    if (checked === undefined) continue;
    const { resultId, diagnostics } = checked;
    const version = session.documents.get(uri)?.version ?? null;
    const same = previous.get(uri) === resultId;
    const { Full, Unchanged } = DocumentDiagnosticReportKind;
    items.push(
      same
        ? { kind: Unchanged, uri, version, resultId }
        : { kind: Full, uri, version, resultId, items: [...diagnostics] },
    );
  }
  return { items };
}
