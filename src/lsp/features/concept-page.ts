import { ErrorCodes, ResponseError, type TextDocumentContentParams } from "vscode-languageserver";
import { conceptMarkdown } from "../../core/render/concept-markdown.ts";
import type { Session } from "../documents/session.ts";

/** The read-only page of one concept, `iaip://concepts/ID`: the words of a lookup with its neighbors. */
export async function conceptPage(session: Session, params: TextDocumentContentParams): Promise<{ text: string }> {
  const { view } = await session.current();
  const id = /^iaip:\/\/concepts\/([^/?#]+)$/.exec(params.uri)?.[1];
  const disclosed = id === undefined ? undefined : view.concepts.get(decodeURIComponent(id));
  if (disclosed === undefined) throw new ResponseError(ErrorCodes.InvalidParams, `There is no page \`${params.uri}\`.`);
  return { text: `${conceptMarkdown(view, disclosed, "relational")}\n` };
}
