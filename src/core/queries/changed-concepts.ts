import type { Disclosed } from "../concept/disclosure.ts";
import type { CallerView } from "../snapshot/view.ts";

/**
 * Ids of concepts that came, went or may read differently: those that are given differently now, and those related to
 * one, as each says the other's name. All of them where the vocabulary or its bibliography changed, which shows in each.
 */
export function changedConcepts(previous: CallerView, next: CallerView): readonly string[] {
  const ids = [...new Set([...previous.concepts.keys(), ...next.concepts.keys()])];
  const shared = (view: CallerView): string => JSON.stringify([view.vocabulary, view.sources]);
  if (previous.vocabulary !== next.vocabulary && shared(previous) !== shared(next)) return ids;
  const changed = ids.filter((id) => !isSame(previous.concepts.get(id), next.concepts.get(id)));
  const related = changed.flatMap((id) =>
    [previous, next].flatMap((view) => (view.concepts.has(id) ? view.graph.edgesOf(id).map(({ to }) => to) : [])),
  );
  return [...new Set([...changed, ...related])];
}

/** What is given in full is the same object while its file stays; the rest is made anew for each view. */
function isSame(one: Disclosed | undefined, other: Disclosed | undefined): boolean {
  return one?.concept === other?.concept || JSON.stringify(one) === JSON.stringify(other);
}
