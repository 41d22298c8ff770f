import type { Hover, HoverParams } from "vscode-languageserver";
import { sensesMarkdown } from "../../core/render/concept-markdown.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { toMarkup, toRange } from "../documents/to-lsp.ts";
import { fieldHover } from "../yaml/field-hover.ts";

/** What the name under the caret means: the words of the lookup tool, every sense once, over the whole name. */
export async function hover(session: Session, params: HoverParams): Promise<Hover | null> {
  const { view } = await session.current();
  const document = await session.document(params.textDocument.uri);
  if (document === undefined || isPastEnd(document, params.position.line)) return null;
  const offset = document.offsetAt(params.position);
  const field =
    session.vocabularyFile(document.uri) === undefined ? undefined : fieldHover(view, document.text, offset);
  const hovered = field ?? mentionHover(view, document.text, offset);
  if (hovered === undefined) return null;
  return { contents: toMarkup(hovered.text, session.client.markdownHover), range: toRange(document, hovered) };
}

interface HoverText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function mentionHover(view: CallerView, text: string, offset: number): HoverText | undefined {
  const mention = view.names.at(text, offset);
  if (mention === undefined) return undefined;
  const senses = mention.candidates.map((it) => view.concepts.get(it.id)).filter((it) => it !== undefined);
  return { start: mention.start, end: mention.end, text: sensesMarkdown(view, senses) };
}

function isPastEnd(document: OpenDocument, line: number): boolean {
  return line > document.positionAt(document.text.length).line;
}
