import type { CallerView } from "../../core/snapshot/view.ts";
import { yamlFields } from "../yaml/yaml-fields.ts";
import { meaningOf } from "../yaml/yaml-meaning.ts";
import type { OpenDocument } from "./documents.ts";
import type { RequestSnapshot, Session } from "./session.ts";

export interface ConceptSpan {
  readonly start: number;
  readonly end: number;
  readonly id: string;
  /** `definition`: where the concept is written; `relation`: a relation to it; `prose`: a name in running text. */
  readonly kind: "definition" | "relation" | "prose";
}

/** The places of a document that stand for one of the concepts, in reading order, none twice. */
export function spansIn(
  session: Session,
  view: CallerView,
  document: OpenDocument,
  ids: ReadonlySet<string>,
): readonly ConceptSpan[] {
  const fields = session.vocabularyFile(document.uri) === undefined ? [] : fieldSpans(document.text, ids);
  const taken = new Set(fields.map((it) => it.start));
  const prose = view.names.find(document.text).flatMap((mention): readonly ConceptSpan[] => {
    const id = mention.candidates.find((it) => ids.has(it.id))?.id;
    return id === undefined || taken.has(mention.start)
      ? []
      : [{ start: mention.start, end: mention.end, id, kind: "prose" }];
  });
  return [...fields, ...prose].sort((a, b) => a.start - b.start);
}

/**
 * The concept files that a caller may not read: their relations and their text are withheld, and of some also that
 * they exist.
 */
export function guardedFiles({ snapshot, view }: RequestSnapshot): ReadonlyMap<string, "known" | "unknown"> {
  const guarded = new Map<string, "known" | "unknown">();
  for (const id of snapshot.undisclosed.keys()) {
    const disclosed = view.concepts.get(id);
    const file = disclosed?.disclosure === "full" ? undefined : snapshot.placeOf(id)?.file;
    if (file !== undefined) guarded.set(file, disclosed === undefined ? "unknown" : "known");
  }
  return guarded;
}

/** The fields of a concept file that hold one of the ids. */
export function fieldSpans(text: string, ids: ReadonlySet<string>): readonly ConceptSpan[] {
  return yamlFields(text).flatMap((field): readonly ConceptSpan[] => {
    if (meaningOf(field) !== "concept" || !ids.has(field.value)) return [];
    const kind = field.path.length === 1 ? "definition" : "relation";
    return [{ start: field.valueStart, end: field.valueEnd, id: field.value, kind }];
  });
}
