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
  current: RequestSnapshot,
  document: OpenDocument,
  ids: ReadonlySet<string>,
): readonly ConceptSpan[] {
  const { view } = current;
  const fields = session.vocabularyFile(document.uri) === undefined ? [] : fieldSpans(document.text, ids);
  // What a guarded file relates to, and whom its text names, is withheld with it.
  if (session.reads(current, document.uri) !== "all") return fields.filter((it) => it.kind === "definition");
  const taken = new Set(fields.map((it) => it.start));
  const prose = view.names.find(document.text).flatMap((mention): readonly ConceptSpan[] => {
    const id = mention.candidates.find((it) => ids.has(it.id))?.id;
    return id === undefined || taken.has(mention.start)
      ? []
      : [{ start: mention.start, end: mention.end, id, kind: "prose" }];
  });
  return [...fields, ...prose].sort((a, b) => a.start - b.start);
}

/** The fields of a concept file that hold one of the ids. */
export function fieldSpans(text: string, ids: ReadonlySet<string>): readonly ConceptSpan[] {
  return yamlFields(text).flatMap((field): readonly ConceptSpan[] => {
    if (meaningOf(field) !== "concept" || !ids.has(field.value)) return [];
    const kind = field.path.length === 1 ? "definition" : "relation";
    return [{ start: field.valueStart, end: field.valueEnd, id: field.value, kind }];
  });
}
