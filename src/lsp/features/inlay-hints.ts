import { type InlayHint, InlayHintKind, type InlayHintParams } from "vscode-languageserver";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { yamlFields } from "../yaml/yaml-fields.ts";
import { meaningOf } from "../yaml/yaml-meaning.ts";

const max = 1000;

/** Behind a name its direction; in a concept file, behind an id its name. Off unless asked for. */
export async function inlayHints(session: Session, params: InlayHintParams): Promise<InlayHint[] | null> {
  const uri = params.textDocument.uri;
  const settings = await session.settingsFor(uri);
  const document = await session.document(uri);
  if (document === undefined || !settings.inlayHints.enable) return null;
  const { view } = await session.current();
  const from = document.offsetAt(params.range.start);
  const to = document.offsetAt(params.range.end);
  const isConceptFile = session.vocabularyFile(uri) !== undefined;
  return (isConceptFile ? nameHints(view, document, from, to) : directionHints(view, document, from, to)).slice(0, max);
}

function directionHints(view: CallerView, document: OpenDocument, from: number, to: number): InlayHint[] {
  return view.names.find(document.text, from, to).flatMap(({ end, candidates }) => {
    const [only, other] = candidates;
    const concept = only && view.concepts.get(only.id)?.concept;
    const direction = view.vocabulary.directions.values.find((it) => it.id === concept?.direction);
    if (concept === undefined || other !== undefined || direction === undefined) return [];
    return [hint(document, end, direction.name, concept.by_line)];
  });
}

function nameHints(view: CallerView, document: OpenDocument, from: number, to: number): InlayHint[] {
  return yamlFields(document.text).flatMap((field) => {
    const concept = view.concepts.get(field.value)?.concept;
    const isReference = field.path.length > 1 && meaningOf(field) === "concept";
    if (!isReference || concept === undefined || field.valueEnd < from || field.valueStart > to) return [];
    return [hint(document, field.valueEnd, concept.name, concept.by_line)];
  });
}

const hint = (document: OpenDocument, at: number, label: string, tooltip: string): InlayHint => ({
  position: document.positionAt(at),
  label,
  tooltip,
  kind: InlayHintKind.Type,
  paddingLeft: true,
});
