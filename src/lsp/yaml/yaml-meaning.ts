import { accessLevels, ceremonialLevels, nodeTypes, seenMarks, tiers } from "../../core/concept/concept.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { YamlField } from "./yaml-fields.ts";

/** What the value of a concept file's field refers to. */
export type Meaning = "concept" | "source" | "relation-type" | "category" | "direction" | "family" | "keyword";

const meanings: Readonly<Record<string, Meaning>> = {
  id: "concept",
  "relations.to": "concept",
  "relations.type": "relation-type",
  "relations.source": "source",
  "sources.key": "source",
  "terminology.source": "source",
  category: "category",
  direction: "direction",
  family: "family",
  node_type: "keyword",
  tier: "keyword",
  "ocap.access": "keyword",
  "ocap.status": "keyword",
  "indigenous_connections.ceremonial.level": "keyword",
  "sources.seen": "keyword",
  "names.match": "keyword",
};

export function meaningOf(field: YamlField): Meaning | undefined {
  const key = field.path.join(".");
  return Object.hasOwn(meanings, key) ? meanings[key] : undefined;
}

export interface Choice {
  readonly value: string;
  readonly detail: string;
}

/** The values a field can take, with what each is called. Empty where the field is free. */
export function choicesFor(view: CallerView, field: YamlField): readonly Choice[] {
  const { vocabulary } = view;
  switch (meaningOf(field)) {
    case "concept":
      return field.path.length === 1
        ? []
        : [...view.concepts].map(([id, it]) => ({ value: id, detail: it.concept.name }));
    case "source":
      return Object.entries(view.sources).map(([value, it]) => ({ value, detail: it.citation }));
    case "relation-type":
      return vocabulary.relation_types.flatMap((it) => [
        { value: it.id, detail: it.description ?? "relation type" },
        ...(it.inverse === undefined ? [] : [{ value: it.inverse, detail: `inverse of ${it.id}` }]),
      ]);
    case "category":
      return vocabulary.categories.map((it) => ({ value: it.id, detail: it.description ?? "category" }));
    case "direction":
      return vocabulary.directions.values.map((it) => ({ value: it.id, detail: it.meaning }));
    case "family":
      return vocabulary.families.map((it) => ({ value: it.id, detail: it.name }));
    case "keyword":
      return keywordsOf(field.path.at(-1) ?? "").map((value) => ({ value, detail: field.path.at(-1) ?? "" }));
    default:
      return [];
  }
}

function keywordsOf(key: string): readonly string[] {
  if (key === "node_type") return nodeTypes;
  if (key === "tier") return tiers;
  if (key === "access") return accessLevels;
  if (key === "level") return ceremonialLevels;
  if (key === "seen") return seenMarks;
  if (key === "match") return ["exact", "loose"];
  return key === "status" ? ["not-assessed"] : [];
}
