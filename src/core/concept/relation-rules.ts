import type { Concept, StoredRelation } from "./concept.ts";
import type { RelationRule, Vocabulary } from "./vocabulary.ts";

/** The first rule of the vocabulary that forbids this relation, if any. Inverse names obey the rule of their pair. */
export function brokenRule(
  vocabulary: Vocabulary,
  from: Concept,
  relation: StoredRelation,
  to: Concept,
): RelationRule | undefined {
  const type = storedType(vocabulary, relation.type);
  return vocabulary.relation_rules.find((rule) => {
    if (!appliesTo(vocabulary, rule, from, to)) return false;
    return rule.never?.includes(type) === true || (rule.only !== undefined && !rule.only.includes(type));
  });
}

/** The rules that say what may stand between two concepts. */
export function rulesBetween(vocabulary: Vocabulary, a: Concept, b: Concept): readonly RelationRule[] {
  return vocabulary.relation_rules.filter((rule) => appliesTo(vocabulary, rule, a, b));
}

function appliesTo(vocabulary: Vocabulary, rule: RelationRule, a: Concept, b: Concept): boolean {
  if (rule.peoples === "differ" && !peoplesDiffer(a, b)) return false;
  const [one, other] = rule.between;
  const is = (end: RelationRule["between"][0], concept: Concept): boolean =>
    (end.families === undefined || end.families.includes(concept.family)) &&
    (end.lineages === undefined || end.lineages.includes(lineageOf(vocabulary, concept)));
  return (is(one, a) && is(other, b)) || (is(one, b) && is(other, a));
}

/** Both name peoples, and no people stands in both. */
export function peoplesDiffer(a: Concept, b: Concept): boolean {
  return a.peoples.length > 0 && b.peoples.length > 0 && !a.peoples.some((it) => b.peoples.includes(it));
}

export function lineageOf(vocabulary: Vocabulary, concept: Concept): string {
  return vocabulary.families.find((it) => it.id === concept.family)?.lineage ?? "";
}

/** The name under which a relation type is declared: `grounded-in` is `grounds` read from the other end. */
export function storedType(vocabulary: Vocabulary, type: string): string {
  return vocabulary.relation_types.find((it) => it.id === type || it.inverse === type)?.id ?? type;
}
