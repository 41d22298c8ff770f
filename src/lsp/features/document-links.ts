import type { DocumentLink, DocumentLinkParams } from "vscode-languageserver";
import { sourceUrl } from "../../core/render/card.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { RequestSnapshot, Session } from "../documents/session.ts";
import { conceptPlace } from "../documents/target.ts";
import { toRange } from "../documents/to-lsp.ts";
import { type YamlField, yamlFields } from "../yaml/yaml-fields.ts";
import { meaningOf } from "../yaml/yaml-meaning.ts";

/** In a concept file: from a relation to the other concept's file, from a source key to where it was published. */
export async function documentLinks(session: Session, params: DocumentLinkParams): Promise<DocumentLink[] | null> {
  const document = await session.document(params.textDocument.uri);
  if (document === undefined || session.vocabularyFile(document.uri) === undefined) return null;
  const current = await session.current();
  const links = await Promise.all(
    yamlFields(document.text).map(async (field) => ({ field, link: await linkOf(session, current, field) })),
  );
  return links.flatMap(({ field, link }) =>
    link === undefined ? [] : [{ ...link, range: toRange(document, { start: field.valueStart, end: field.valueEnd }) }],
  );
}

async function linkOf(
  session: Session,
  current: RequestSnapshot,
  field: YamlField,
): Promise<{ target: string; tooltip: string } | undefined> {
  const meaning = meaningOf(field);
  if (meaning === "concept" && field.path.length > 1) {
    const place = await conceptPlace(session, current, field.value);
    const disclosed = current.view.concepts.get(field.value);
    return place && disclosed && { target: place.uri, tooltip: disclosed.concept.name };
  }
  return meaning === "source" ? sourceLink(current.view, field.value) : undefined;
}

function sourceLink(view: CallerView, key: string): { target: string; tooltip: string } | undefined {
  const source = Object.hasOwn(view.sources, key) ? view.sources[key] : undefined;
  const target = source && sourceUrl(source);
  return source && target !== undefined && /^https?:/.test(target) ? { target, tooltip: source.citation } : undefined;
}
