import {
  type DocumentSymbol,
  type DocumentSymbolParams,
  type SymbolInformation,
  SymbolKind,
  type WorkspaceSymbolParams,
} from "vscode-languageserver";
import type { CallerView } from "../../core/snapshot/view.ts";
import { looseKey } from "../../core/text/words/words.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { conceptPlace } from "../documents/target.ts";
import { toRange } from "../documents/to-lsp.ts";
import { type YamlField, yamlFields } from "../yaml/yaml-fields.ts";
import type { NameIndex } from "./name-index.ts";

const max = 200;

/** A concept file's parts; in prose, each concept where it is first named. */
export async function documentSymbols(
  session: Session,
  params: DocumentSymbolParams,
): Promise<DocumentSymbol[] | SymbolInformation[] | null> {
  const { view } = await session.current();
  const document = await session.document(params.textDocument.uri);
  if (document === undefined) return null;
  const isConceptFile = session.vocabularyFile(document.uri) !== undefined;
  const symbols = isConceptFile ? fileSymbols(document) : mentionSymbols(view, document);
  return session.client.hierarchicalSymbols ? symbols : symbols.flatMap((it) => flatten(document.uri, it));
}

/** Concepts by any of their names: those that begin with the words asked for, then those that contain them. */
export async function workspaceSymbols(
  session: Session,
  names: NameIndex,
  params: WorkspaceSymbolParams,
): Promise<SymbolInformation[]> {
  const current = await session.current();
  const prefix = looseKey(params.query);
  const all = names.of(current.view);
  const first = all.filter((it) => it.key.startsWith(prefix));
  const rest = all.filter((it) => !it.key.startsWith(prefix) && it.key.includes(prefix));
  const ids = new Set([...first, ...rest].map((it) => it.entry.id));
  const found = [...ids].slice(0, max).map(async (id): Promise<readonly SymbolInformation[]> => {
    const place = await conceptPlace(session, current, id);
    const disclosed = current.view.concepts.get(id);
    if (place === undefined || disclosed === undefined) return [];
    const { name, category } = disclosed.concept;
    return [
      { name, kind: SymbolKind.Class, containerName: category, location: { uri: place.uri, range: place.range } },
    ];
  });
  return (await Promise.all(found)).flat();
}

function mentionSymbols(view: CallerView, document: OpenDocument): DocumentSymbol[] {
  const seen = new Map<string, DocumentSymbol>();
  for (const mention of view.names.find(document.text)) {
    for (const { id } of mention.candidates) {
      const concept = view.concepts.get(id)?.concept;
      if (concept === undefined || seen.has(id)) continue;
      const range = toRange(document, mention);
      seen.set(id, {
        name: concept.name,
        detail: concept.category,
        kind: SymbolKind.Class,
        range,
        selectionRange: range,
      });
    }
  }
  return [...seen.values()].slice(0, max);
}

/** Every document of a file that holds several is read; each begins with its id. */
function fileSymbols(document: OpenDocument): DocumentSymbol[] {
  return childrenOf(document, yamlFields(document.text), 0, document.text.length, 1);
}

function childrenOf(
  document: OpenDocument,
  fields: readonly YamlField[],
  from: number,
  to: number,
  depth: number,
): DocumentSymbol[] {
  return fields
    .filter((it) => it.path.length === depth && it.path.at(-1) !== "-" && it.keyStart >= from && it.keyStart < to)
    .map((field) => ({
      name: field.path.at(-1) || "value",
      ...(field.value === "" ? {} : { detail: field.value.slice(0, 80) }),
      kind: field.path.join(".") === "id" ? SymbolKind.Class : SymbolKind.Property,
      range: toRange(document, { start: field.keyStart, end: Math.max(field.end, field.keyEnd) }),
      selectionRange: toRange(document, { start: field.keyStart, end: field.keyEnd }),
      children: depth < 3 ? childrenOf(document, fields, field.keyEnd, field.end, depth + 1) : [],
    }));
}

function flatten(uri: string, symbol: DocumentSymbol, container?: string): SymbolInformation[] {
  const own = {
    name: symbol.name,
    kind: symbol.kind,
    location: { uri, range: symbol.range },
    ...(container === undefined ? {} : { containerName: container }),
  };
  return [own, ...(symbol.children ?? []).flatMap((child) => flatten(uri, child, symbol.name))];
}
