import { type DocumentHighlight, DocumentHighlightKind, type DocumentHighlightParams } from "vscode-languageserver";
import { spansIn } from "../documents/concept-spans.ts";
import type { Session } from "../documents/session.ts";
import { conceptsOf, targetAt } from "../documents/target.ts";
import { toRange } from "../documents/to-lsp.ts";

/** Every place in the document that names the concept under the caret, whatever the spelling. */
export async function documentHighlight(
  session: Session,
  params: DocumentHighlightParams,
): Promise<DocumentHighlight[] | null> {
  const current = await session.current();
  const document = await session.document(params.textDocument.uri);
  const target = document && targetAt(session, current, document, params.position);
  if (document === undefined || target === undefined) return null;
  const ids = new Set(conceptsOf(current, target));
  if (ids.size === 0) return null;
  return spansIn(session, current, document, ids).map((span) => ({
    range: toRange(document, span),
    kind: span.kind === "definition" ? DocumentHighlightKind.Write : DocumentHighlightKind.Text,
  }));
}
