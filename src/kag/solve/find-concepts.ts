import type { Disclosed } from "../../core/concept/disclosure.ts";
import { nearest } from "../../core/concept/nearest.ts";
import { type ConceptRef, nearestNames } from "../../core/queries/resolve.ts";
import { search } from "../../core/queries/search.ts";
import { suggest } from "../../core/queries/suggest.ts";
import type { CallerView } from "../../core/snapshot/view.ts";

/** What a question is about. */
export type About =
  /** It names them. `shared` are names that several of them go by. */
  | {
      readonly kind: "named";
      readonly concepts: readonly Disclosed[];
      readonly total: number;
      readonly shared: readonly string[];
    }
  /** It names none; its words lead to them. */
  | { readonly kind: "likely"; readonly concepts: readonly Disclosed[]; readonly respelled?: string }
  | { readonly kind: "nothing"; readonly nearest: readonly ConceptRef[] };

/** Most concepts that one answer is about. */
export const maxNamed = 4;
const maxLikely = 3;
/** A suggestion with less than this share of the best one's score is not what the question is about. */
const minScore = 0.5;

export function findConcepts(view: CallerView, question: string): About {
  const named = namedIn(view, question);
  if (named.ids.length > 0) {
    const concepts = conceptsOf(view, named.ids.slice(0, maxNamed));
    return { kind: "named", concepts, total: named.ids.length, shared: named.shared };
  }
  const suggested = suggest(view, question, 8).filter((it) => !it.via && it.score >= minScore);
  if (suggested.length > 0) {
    return {
      kind: "likely",
      concepts: conceptsOf(
        view,
        suggested.slice(0, maxLikely).map((it) => it.id),
      ),
    };
  }
  return misspelled(view, subjectOf(question));
}

/** A name that is nearly the subject, else words that are. */
function misspelled(view: CallerView, subject: string): About {
  const near = nearestNames(view, subject, 3);
  const [first] = near.flatMap(({ id }) => view.concepts.get(id) ?? []);
  const name =
    first &&
    nearest(subject, [
      first.concept.id,
      first.concept.name,
      ...first.concept.names.map((it) => it.text),
      ...first.concept.aliases,
    ]);
  if (first && name !== undefined) return { kind: "likely", concepts: [first], respelled: name };
  const { results, corrected } = search(view, { query: subject });
  if (corrected === undefined) return { kind: "nothing", nearest: near };
  return { kind: "likely", concepts: results.slice(0, maxLikely).map((it) => it.concept), respelled: corrected };
}

/** Ids in the order in which the question names them. A name that several concepts go by stands for each of them. */
function namedIn(
  view: CallerView,
  question: string,
): { readonly ids: readonly string[]; readonly shared: readonly string[] } {
  const whole = view.names.lookup(subjectOf(question)).map((it) => it.id);
  const mentions = view.names.find(question);
  const ids = [...whole, ...mentions.flatMap((it) => it.candidates.map(({ id }) => id))];
  const shared = mentions
    .filter((it) => new Set(it.candidates.map(({ id }) => id)).size > 1)
    .map((it) => question.slice(it.start, it.end));
  return { ids: [...new Set(ids)], shared: [...new Set(shared)] };
}

function conceptsOf(view: CallerView, ids: readonly string[]): readonly Disclosed[] {
  return ids.flatMap((id) => view.concepts.get(id) ?? []);
}

/** What is left of "What is …?" and the like. */
function subjectOf(question: string): string {
  return question
    .trim()
    .replace(
      /^(?:please\s+)?(?:what(?:'s|’s| is| are| does)|who (?:is|are)|define|explain|describe|tell me about)\s+/i,
      "",
    )
    .replace(/\s+mean\s*\??$/i, "")
    .replace(/[?.!\s]+$/, "");
}
