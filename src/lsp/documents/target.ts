import type { Position, Range } from "vscode-languageserver";
import { fieldAt, isInValue, type YamlField } from "../yaml/yaml-fields.ts";
import { type Meaning, meaningOf } from "../yaml/yaml-meaning.ts";
import type { OpenDocument } from "./documents.ts";
import type { RequestSnapshot, Session } from "./session.ts";
import { placeIn } from "./vocabulary-files.ts";

/** What stands at a position: a name in prose, or a value of a vocabulary file that refers to something. */
export type Target =
  | { readonly kind: "mention"; readonly ids: readonly string[]; readonly start: number; readonly end: number }
  | {
      readonly kind: "field";
      readonly meaning: Meaning;
      readonly field: YamlField;
      readonly start: number;
      readonly end: number;
    };

export interface Place {
  readonly uri: string;
  readonly range: Range;
}

export function targetAt(
  session: Session,
  current: RequestSnapshot,
  document: OpenDocument,
  position: Position,
): Target | undefined {
  if (position.line > document.positionAt(document.text.length).line) return undefined;
  const offset = document.offsetAt(position);
  if (session.vocabularyFile(document.uri) !== undefined) {
    const field = fieldAt(document.text, offset);
    const meaning = field && meaningOf(field);
    if (field !== undefined && meaning !== undefined && meaning !== "keyword" && isInValue(field, offset)) {
      return { kind: "field", meaning, field, start: field.valueStart, end: field.valueEnd };
    }
  }
  const mention = current.view.names.at(document.text, offset);
  return (
    mention && { kind: "mention", ids: mention.candidates.map((it) => it.id), start: mention.start, end: mention.end }
  );
}

/** The concepts a target stands for; none for sources, categories and the like. */
export function conceptsOf(current: RequestSnapshot, target: Target): readonly string[] {
  if (target.kind === "mention") return target.ids;
  return target.meaning === "concept" && current.view.concepts.has(target.field.value) ? [target.field.value] : [];
}

/** Where a concept is written: its name in its file. */
export async function conceptPlace(session: Session, current: RequestSnapshot, id: string): Promise<Place | undefined> {
  const place = current.view.placeOf(id, ["name"]);
  const uri = place && session.vocabularyUri(place.file);
  return place === undefined || uri === undefined ? undefined : { uri, range: await session.encoded(uri, place.range) };
}

/** Where a source, a category, a direction, a family or a kind of relation is written. */
export async function namedPlace(
  session: Session,
  current: RequestSnapshot,
  meaning: Meaning,
  value: string,
): Promise<Place | undefined> {
  const { vocabulary } = current.snapshot;
  const index = (list: readonly { readonly id: string }[]): number => list.findIndex((it) => it.id === value);
  const inVocabulary = (key: string, at: number): Promise<Place | undefined> =>
    at < 0 ? Promise.resolve(undefined) : placeIn(session, "vocabulary.yaml", [...key.split("."), at, "id"]);
  switch (meaning) {
    case "source":
      return Object.hasOwn(current.view.sources, value) ? placeIn(session, "sources.yaml", [value]) : undefined;
    case "relation-type":
      return inVocabulary(
        "relation_types",
        vocabulary.relation_types.findIndex((it) => it.id === value || it.inverse === value),
      );
    case "category":
      return inVocabulary("categories", index(vocabulary.categories));
    case "direction":
      return inVocabulary("directions.values", index(vocabulary.directions.values));
    case "family":
      return inVocabulary("families", index(vocabulary.families));
    default:
      return undefined;
  }
}
