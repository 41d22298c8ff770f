import type { SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams } from "vscode-languageserver";
import type { Disclosed } from "../../core/concept/disclosure.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { semanticTokensLegend } from "../protocol/capabilities.ts";

export async function semanticTokens(session: Session, params: SemanticTokensParams): Promise<SemanticTokens> {
  return tokens(session, params.textDocument.uri, (document) => [0, document.text.length]);
}

export async function semanticTokensInRange(
  session: Session,
  params: SemanticTokensRangeParams,
): Promise<SemanticTokens> {
  const { start, end } = params.range;
  return tokens(session, params.textDocument.uri, (document) => [document.offsetAt(start), document.offsetAt(end)]);
}

/** The names of concepts. A name over a line break is one token for each line unless the client takes more. */
async function tokens(
  session: Session,
  uri: string,
  stretch: (document: OpenDocument) => readonly [number, number],
): Promise<SemanticTokens> {
  const { view } = await session.current();
  const settings = await session.settingsFor(uri);
  const document = await session.document(uri);
  if (document === undefined || !settings.semanticTokens.enable) return { data: [] };
  const [from, to] = stretch(document);
  const data: number[] = [];
  let line = 0;
  let character = 0;
  for (const mention of view.names.find(document.text, from, to)) {
    const modifiers = modifiersOf(view, mention.candidates[0]?.id);
    for (const piece of linesOf(document, mention, session.client.multilineTokens)) {
      const { line: at, character: column } = document.positionAt(piece.start);
      data.push(
        at - line,
        at === line ? column - character : column,
        document.columns(piece.start, piece.end),
        0,
        modifiers,
      );
      line = at;
      character = column;
    }
  }
  return { data };
}

function linesOf(document: OpenDocument, { start, end }: Span, multiline: boolean): readonly Span[] {
  const text = document.text.slice(start, end);
  if (multiline || !/[\r\n]/.test(text)) return [{ start, end }];
  return [...text.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) => {
    const lead = /^[\s>#/]*/.exec(line)?.[0].length ?? 0;
    const begin = index === 0 ? start : start + index + lead;
    return begin < start + index + line.length ? [{ start: begin, end: start + index + line.length }] : [];
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function modifiersOf(view: CallerView, id: string | undefined): number {
  const disclosed = id === undefined ? undefined : view.concepts.get(id);
  if (disclosed === undefined) return 0;
  return semanticTokensLegend.tokenModifiers.reduce(
    (bits, name, index) => (holds(disclosed, name) ? bits | (1 << index) : bits),
    0,
  );
}

function holds({ concept, disclosure }: Disclosed, modifier: string): boolean {
  if (modifier === "pointer") return concept.tier === "pointer";
  if (modifier === "contested") return concept.contested !== null;
  if (modifier === "withheld") return disclosure !== "full";
  return concept.indigenous_connections.ceremonial.level !== "none";
}
