import type { CancellationToken, Location, ReferenceParams } from "vscode-languageserver";
import { type ConceptSpan, spansIn } from "../documents/concept-spans.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { RequestSnapshot, Session } from "../documents/session.ts";
import { conceptsOf, targetAt } from "../documents/target.ts";
import { toRange } from "../documents/to-lsp.ts";
import { vocabularyDocuments } from "../documents/vocabulary-files.ts";
import { workspaceDocuments } from "../documents/workspace-files.ts";
import { uriKey } from "../protocol/uris.ts";
import { yamlFields } from "../yaml/yaml-fields.ts";
import { type Meaning, meaningOf } from "../yaml/yaml-meaning.ts";

const max = 2000;

/** Where a concept is named: the vocabulary's files first, then open documents, then the workspace's prose. */
export async function references(
  session: Session,
  params: ReferenceParams,
  token: CancellationToken,
): Promise<Location[] | null> {
  const current = await session.current();
  const document = await session.document(params.textDocument.uri);
  const target = document && targetAt(session, current, document, params.position);
  if (target === undefined) return null;
  if (target.kind === "field" && target.meaning !== "concept")
    return fieldReferences(session, current, target.meaning, target.field.value);
  const ids = new Set(conceptsOf(current, target));
  if (ids.size === 0) return null;
  const found: Location[] = [];
  for await (const { document: place, spans } of placesOf(session, current, ids, token)) {
    for (const span of spans) {
      if (span.kind === "definition" && !params.context.includeDeclaration) continue;
      found.push({ uri: place.uri, range: toRange(place, span) });
    }
    if (found.length >= max) break;
  }
  return found.slice(0, max);
}

export interface PlacesIn {
  readonly document: OpenDocument;
  readonly spans: readonly ConceptSpan[];
}

/** Each document once that names one of the concepts. */
export async function* placesOf(
  session: Session,
  current: RequestSnapshot,
  ids: ReadonlySet<string>,
  token: CancellationToken,
): AsyncIterable<PlacesIn> {
  const seen = new Set<string>();
  const look = (document: OpenDocument): PlacesIn | undefined => {
    const key = uriKey(document.uri);
    if (seen.has(key)) return undefined;
    seen.add(key);
    const spans = spansIn(session, current, document, ids);
    return spans.length === 0 ? undefined : { document, spans };
  };
  for (const document of [...(await vocabularyDocuments(session, current)), ...session.documents.all()]) {
    const places = look((await session.document(document.uri)) ?? document);
    if (places !== undefined) yield places;
  }
  for await (const document of workspaceDocuments(session, token)) {
    const places = look(document);
    if (places !== undefined) yield places;
  }
}

/**
 * Every field of the vocabulary that names the same source, category, direction, family or kind of relation. Of a
 * guarded concept its category and direction are disclosed, nothing else.
 */
async function fieldReferences(
  session: Session,
  current: RequestSnapshot,
  meaning: Meaning,
  value: string,
): Promise<Location[]> {
  const documents = await vocabularyDocuments(session, current);
  const isDisclosed = ({ uri }: OpenDocument): boolean =>
    session.reads(current, uri) === "all" || meaning === "category" || meaning === "direction";
  return documents.filter(isDisclosed).flatMap((document) =>
    yamlFields(document.text)
      .filter((field) => meaningOf(field) === meaning && field.value === value)
      .map((field) => ({
        uri: document.uri,
        range: toRange(document, { start: field.valueStart, end: field.valueEnd }),
      })),
  );
}
