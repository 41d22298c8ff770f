import type {
  AnnotatedTextEdit,
  ChangeAnnotation,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { toRange } from "../documents/to-lsp.ts";

export interface FileEdit {
  readonly document: OpenDocument;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** Key of a change annotation. */
  readonly annotation?: string;
}

/** Edits by document; with the version they were made for where the client can check it. */
export function editsOf(
  session: Session,
  edits: readonly FileEdit[],
  annotations?: Readonly<Record<string, ChangeAnnotation>>,
): WorkspaceEdit {
  const byUri = new Map<string, FileEdit[]>();
  for (const edit of edits) byUri.set(edit.document.uri, [...(byUri.get(edit.document.uri) ?? []), edit]);
  if (!session.client.versionedEdits) {
    return { changes: Object.fromEntries([...byUri].map(([uri, list]) => [uri, list.map(toTextEdit)])) };
  }
  return {
    documentChanges: [...byUri].map(([uri, list]) => toDocumentEdit(session, uri, list)),
    ...(annotations === undefined ? {} : { changeAnnotations: { ...annotations } }),
  };
}

function toDocumentEdit(session: Session, uri: string, edits: readonly FileEdit[]): TextDocumentEdit {
  const open = session.documents.get(uri);
  return { textDocument: { uri, version: open?.version ?? null }, edits: edits.map(toTextEdit) };
}

function toTextEdit({ document, start, end, newText, annotation }: FileEdit): TextEdit | AnnotatedTextEdit {
  const edit = { range: toRange(document, { start, end }), newText };
  return annotation === undefined ? edit : { ...edit, annotationId: annotation };
}
