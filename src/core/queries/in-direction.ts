import type { Disclosed } from "../concept/disclosure.ts";
import type { CallerView } from "../snapshot/view.ts";

export interface DirectionAnswer {
  readonly direction: string;
  readonly meaning: string;
  readonly concepts: readonly Disclosed[];
  /** Concepts of the center: they apply to every direction. */
  readonly center: readonly Disclosed[];
}

/** Concepts that stand in a direction of the work cycle; `undefined` when the scheme has no such direction. */
export function inDirection(view: CallerView, direction: string): DirectionAnswer | undefined {
  const values = view.vocabulary.directions.values;
  const value = values.find((it) => it.id === direction);
  if (!value) return undefined;
  const standing = (id: string) => [...view.listed.values()].filter((it) => it.concept.direction === id);
  const center = values.find((it) => it.center && it.id !== direction);
  return {
    direction,
    meaning: value.meaning,
    concepts: standing(direction),
    center: center ? standing(center.id) : [],
  };
}
