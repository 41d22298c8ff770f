import type { Vocabulary } from "../../core/concept/vocabulary.ts";
import { typeNames } from "../type-names.ts";

/** The vocabulary's own names inside tool descriptions. */
export interface VocabularyTerms {
  readonly types: string;
  readonly firstType: string;
  readonly relations: string;
  readonly firstRelation: string;
}

export function termsOf(vocabulary: Vocabulary, namespace: string): VocabularyTerms {
  const types = [...typeNames(vocabulary, namespace)].map(([category, name]) => `${name} (${category})`);
  const relations = vocabulary.relation_types.map(({ id, inverse, symmetric }) =>
    inverse && !symmetric ? `${id} (${inverse})` : id,
  );
  return {
    types: listed(types),
    firstType: [...typeNames(vocabulary, namespace).values()][0] ?? `${namespace}.Type`,
    relations: listed(relations),
    firstRelation: vocabulary.relation_types[0]?.id ?? "relation",
  };
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? "none yet" : items.slice(0, 40).join(", ");
}
