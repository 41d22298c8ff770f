import { type DocumentHighlight, DocumentHighlightKind, type DocumentHighlightParams } from "vscode-languageserver";
import { spansIn } from "../concept-spans.ts";
import type { Session } from "../session.ts";
import { conceptsOf, targetAt } from "../target.ts";
import { toRange } from "../to-lsp.ts";

/** Every place in the document that names the concept under the caret, whatever the spelling. */
export async function documentHighlight(
  session: Session,
  params: DocumentHighlightParams,
): Promise<DocumentHighlight[] | null> {
  const moment = await session.moment();
  const document = await session.document(params.textDocument.uri);
  const target = document && targetAt(session, moment, document, params.position);
  if (document === undefined || target === undefined) return null;
  const ids = new Set(conceptsOf(moment, target));
  if (ids.size === 0) return null;
  return spansIn(session, moment.view, document, ids).map((span) => ({
    range: toRange(document, span),
    kind: span.kind === "definition" ? DocumentHighlightKind.Write : DocumentHighlightKind.Text,
  }));
}
