import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  type Range,
} from "vscode-languageserver";
import { type FileKind, kindOfFile } from "../../core/concept/parse-file.ts";
import { conceptMarkdown } from "../../core/render/concept-markdown.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import { gapBetween } from "../../core/text/names/name-gap.ts";
import { looseKey, type Word, words } from "../../core/text/words/words.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { toMarkup, toRange } from "../documents/to-lsp.ts";
import { fieldNames, fieldPlaceAt } from "../yaml/field-names.ts";
import { fieldAt, isInValue } from "../yaml/yaml-fields.ts";
import { choicesFor } from "../yaml/yaml-meaning.ts";
import type { IndexedName, NameIndex } from "./name-index.ts";

/** Longer lists are cut, and the client is told to ask again. */
const max = 60;
/** Names have few words: how far back a name may have begun. */
const maxWords = 8;

/** Names that go on from what is typed; in a concept file, the values that fit the field. */
export async function completion(
  session: Session,
  names: NameIndex,
  params: CompletionParams,
): Promise<CompletionList> {
  const { view } = await session.current();
  const document = await session.document(params.textDocument.uri);
  if (document === undefined) return { isIncomplete: false, items: [] };
  const offset = document.offsetAt(params.position);
  const file = session.vocabularyFile(document.uri);
  const inFile =
    file === undefined
      ? undefined
      : (completeFieldName(view, kindOfFile(file), document, offset) ?? completeField(view, document, offset));
  return inFile ?? completeName(view, names, document, offset);
}

/** The documentation of one item, in the words of a lookup. */
export async function resolveCompletion(session: Session, item: CompletionItem): Promise<CompletionItem> {
  const { view } = await session.current();
  const id: unknown = item.data;
  const disclosed = typeof id === "string" ? view.concepts.get(id) : undefined;
  if (disclosed === undefined) return item;
  return {
    ...item,
    documentation: toMarkup(conceptMarkdown(view, disclosed, "brief"), session.client.markdownCompletion),
  };
}

function completeField(view: CallerView, document: OpenDocument, offset: number): CompletionList | undefined {
  const field = fieldAt(document.text, offset);
  if (field === undefined) return undefined;
  const choices = choicesFor(view, field);
  if (choices.length === 0 || offset < field.keyEnd + 1) return undefined;
  const span = isInValue(field, offset)
    ? { start: field.valueStart, end: field.valueEnd }
    : { start: offset, end: offset };
  const range = toRange(document, span);
  const typed = document.text.slice(span.start, offset);
  const space = document.text[span.start - 1] === ":" ? " " : "";
  return {
    isIncomplete: false,
    items: choices.map(({ value, detail }, index) => ({
      label: value,
      kind: CompletionItemKind.EnumMember,
      detail: detail.slice(0, 200),
      sortText: String(index).padStart(5, "0"),
      filterText: value.startsWith(typed) ? value : `${value} ${detail}`,
      textEdit: { range, newText: `${space}${value}` },
      ...(view.concepts.has(value) ? { data: value } : {}),
    })),
  };
}

/** The fields that the mapping takes and does not have yet. */
function completeFieldName(
  view: CallerView,
  kind: FileKind,
  document: OpenDocument,
  offset: number,
): CompletionList | undefined {
  const place = fieldPlaceAt(document.text, offset);
  const names = place === undefined ? [] : fieldNames(view, kind, place.path);
  if (place === undefined || names.length === 0) return undefined;
  const range = toRange(document, place);
  return {
    isIncomplete: false,
    items: names
      .filter(({ name }) => !place.present.has(name))
      .map(({ name, required }, index) => ({
        label: name,
        kind: CompletionItemKind.Field,
        detail: required ? "required" : "optional",
        sortText: String(index).padStart(5, "0"),
        filterText: name,
        textEdit: { range, newText: `${name}: ` },
      })),
  };
}

interface Start {
  readonly start: number;
  readonly key: string;
}

function completeName(view: CallerView, names: NameIndex, document: OpenDocument, offset: number): CompletionList {
  const items = new Map<string, CompletionItem>();
  let cut = false;
  for (const { start, key } of startsBefore(document.text, offset)) {
    const found = names.startingWith(view, key, max);
    cut ||= found.length > max;
    const range = toRange(document, { start, end: offset });
    const written = document.text.slice(start, offset);
    for (const name of found) {
      const item = toItem(view, name, written, key, range, items.size);
      if (item !== undefined && !items.has(item.label)) items.set(item.label, item);
    }
  }
  const all = [...items.values()];
  return { isIncomplete: cut || all.length > max, items: all.slice(0, max) };
}

/** Where a name may have begun, the farthest first. A caret behind a blank begins a new word, or goes on with a name. */
function startsBefore(text: string, offset: number): readonly Start[] {
  const from = Math.max(0, offset - 200);
  const read = words(text, from, offset).filter((word) => from === 0 || word.start > from);
  const last = read.at(-1);
  const gap =
    last === undefined || last.end === offset ? "" : gapBetween(text, last.end, offset) === undefined ? undefined : " ";
  if (last === undefined || gap === undefined) return [{ start: offset, key: "" }];
  const starts: Start[] = [];
  for (let first = read.length - 1; first >= 0 && read.length - first <= maxWords; first -= 1) {
    const word = read[first];
    const next = read[first + 1];
    if (word === undefined) break;
    if (next !== undefined && gapBetween(text, word.end, next.start) === undefined) break;
    const key = looseKey(text.slice(word.start, offset)) + gap;
    const inParts = read.slice(first).map(partsOf).join(" ") + gap;
    if (inParts !== key) starts.unshift({ start: word.start, key: inParts });
    starts.unshift({ start: word.start, key });
  }
  return starts;
}

/** An identifier is completed as the words it joins. */
const partsOf = (word: Word): string =>
  word.unspaced || word.parts.length === 0 ? word.loose : word.parts.map((part) => part.loose).join(" ");

function toItem(
  view: CallerView,
  name: IndexedName,
  written: string,
  key: string,
  range: Range,
  order: number,
): CompletionItem | undefined {
  const { entry } = name;
  const disclosed = view.concepts.get(entry.id);
  const style = styleOf(written);
  if (disclosed === undefined || (entry.kind === "id" && style !== "kebab" && style !== "plain")) return undefined;
  if (entry.kind === "id" && looseKey(disclosed.concept.name) === name.key) return undefined;
  const newText = typedForm(entry.text, style);
  return {
    label: newText,
    kind: CompletionItemKind.Reference,
    labelDetails: { description: disclosed.concept.category },
    detail: entry.text === disclosed.concept.name ? disclosed.concept.by_line.slice(0, 200) : disclosed.concept.name,
    sortText: String(order).padStart(5, "0"),
    filterText: written + newText.slice(lengthRead(newText, key)),
    textEdit: { range, newText },
    data: entry.id,
  };
}

/** How much of a name the typed key has covered, in UTF-16 units. */
function lengthRead(name: string, key: string): number {
  const covered = key.replaceAll(" ", "").length;
  for (let end = 0; end <= name.length; end += 1) {
    if (looseKey(name.slice(0, end)).replaceAll(" ", "").length >= covered) return end;
  }
  return name.length;
}

/** How a person is joining words: as in prose, or as in an identifier. */
type Style = "plain" | "snake" | "constant" | "camel" | "pascal" | "kebab";

function styleOf(written: string): Style {
  if (written.includes("_")) return /\p{Ll}/u.test(written) ? "snake" : "constant";
  if (/^\p{Lu}\p{Ll}+\p{Lu}/u.test(written)) return "pascal";
  if (/^\p{Ll}+\p{N}*\p{Lu}/u.test(written)) return "camel";
  return /^[\p{Ll}\p{N}]+-/u.test(written) ? "kebab" : "plain";
}

/** The name in that style; its own spelling in prose. */
function typedForm(name: string, style: Style): string {
  if (style === "plain" || style === "kebab") return name;
  const parts = words(name).map((word) => word.loose);
  if (style === "snake") return parts.join("_");
  if (style === "constant") return parts.join("_").toUpperCase();
  const capitalized = parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1));
  return style === "pascal" ? capitalized.join("") : [parts[0] ?? "", ...capitalized.slice(1)].join("");
}
