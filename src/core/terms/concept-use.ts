import type { Concept } from "../concept/concept.ts";
import type { Span } from "../text/formats/passage.ts";
import type { NameKind } from "../text/names/name-matcher.ts";
import type { CompiledRule } from "./compile-rules.ts";
import type { ConceptsView } from "./concepts-view.ts";
import type { Judged } from "./judge.ts";
import type { PassageView } from "./passage-view.ts";

/** A concept named in a passage. `from` and `to` are tokens. */
export interface ConceptMention {
  readonly concept: Concept;
  readonly kind: NameKind;
  readonly from: number;
  readonly to: number;
  /** In the document. */
  readonly span: Span;
}

/** The concepts that a passage names, in reading order. Code and front matter name none. */
export function conceptMentions(view: PassageView, concepts: ConceptsView): readonly ConceptMention[] {
  const { passage } = view;
  if (passage.kind === "code") return [];
  return concepts.find(passage.text).flatMap((mention) => {
    const [first] = mention.candidates;
    const concept = first === undefined ? undefined : concepts.get(first.id);
    if (first === undefined || concept === undefined) return [];
    const { from, to } = view.tokensIn(mention.start, mention.end);
    return [{ concept, kind: first.kind, from, to, span: passage.source.range(mention.start, mention.end) }];
  });
}

/** What the rules of concept use say about a passage: each looks for a structure that phrases alone do not show. */
export function judgeConceptUse(
  view: PassageView,
  mentions: readonly ConceptMention[],
  document: ReadonlySet<number>,
): readonly Judged[] {
  if (mentions.length === 0) return [];
  return view.rules.structural.flatMap((rule) => {
    switch (rule.rule.structure) {
      case "concept.alias":
        return aliases(rule, mentions);
      case "concept.contested":
        return contested(rule, mentions, document);
      case "concept.elaborated":
        return elaborated(rule, view, mentions);
      case "teachings.merged":
        return merged(rule, view, mentions);
      default:
        return [];
    }
  });
}

function aliases(rule: CompiledRule, mentions: readonly ConceptMention[]): readonly Judged[] {
  return mentions
    .filter((mention) => mention.kind === "alias")
    .map((mention) => judged(rule, mention.from, mention.to, mention.concept, [mention.concept.name]));
}

/** The caveat may stand anywhere in the document: the rule's cues say what counts as one. */
function contested(
  rule: CompiledRule,
  mentions: readonly ConceptMention[],
  document: ReadonlySet<number>,
): readonly Judged[] {
  if (rule.cues.some((cue) => document.has(cue))) return [];
  const first = mentions.find((mention) => mention.concept.contested !== null);
  return first === undefined ? [] : [judged(rule, first.from, first.to, first.concept, [])];
}

/** A concept whose content is its holder's to tell, and behind it in the sentence words that tell it. */
function elaborated(rule: CompiledRule, view: PassageView, mentions: readonly ConceptMention[]): readonly Judged[] {
  return mentions
    .filter(({ concept }) => concept.tier === "pointer" || concept.ocap.access !== "open")
    .flatMap((mention) => {
      const { to } = view.sentence(mention.from);
      const cues = rule.cues.flatMap((cue) => view.within(cue, mention.to, Math.min(to, mention.to + 14)) ?? []);
      const last = Math.max(0, ...cues.map((cue) => cue.end));
      return last === 0 ? [] : [judged(rule, mention.from, last, mention.concept, [])];
    });
}

/** Two teachings of different peoples in one sentence, and a word that makes them one. */
function merged(rule: CompiledRule, view: PassageView, mentions: readonly ConceptMention[]): readonly Judged[] {
  const teachings = mentions.filter(({ concept }) => concept.family === "teaching" && concept.peoples.length > 0);
  return teachings.flatMap((second, index) => {
    const first = teachings[index - 1];
    if (first === undefined) return [];
    const sentence = view.sentence(first.from);
    if (second.from >= sentence.to || sharePeople(first.concept, second.concept)) return [];
    const cue = rule.cues.find((pattern) => view.within(pattern, sentence.from, sentence.to) !== undefined);
    return cue === undefined ? [] : [judged(rule, first.from, second.to, first.concept, [])];
  });
}

const sharePeople = (a: Concept, b: Concept): boolean => a.peoples.some((people) => b.peoples.includes(people));

function judged(rule: CompiledRule, from: number, to: number, concept: Concept, preferred: readonly string[]): Judged {
  const hit = { pattern: -1, start: from, end: to, from, to };
  return { rule, strict: rule.rule.strictness === "strict", hit, about: { concept: concept.id, preferred } };
}
