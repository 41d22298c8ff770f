import type { FoldingRange, FoldingRangeParams } from "vscode-languageserver";
import type { Session } from "../documents/session.ts";
import { yamlFields } from "../yaml/yaml-fields.ts";

/** The fields of a concept file that go over several lines. */
export async function foldingRanges(session: Session, params: FoldingRangeParams): Promise<FoldingRange[] | null> {
  const document = await session.document(params.textDocument.uri);
  if (document === undefined || session.vocabularyFile(document.uri) === undefined) return null;
  return yamlFields(document.text).flatMap((field) => {
    const startLine = document.positionAt(field.keyStart).line;
    const endLine = document.positionAt(field.end).line;
    return endLine > startLine ? [{ startLine, endLine }] : [];
  });
}
