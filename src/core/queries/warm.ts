import type { CallerView } from "../snapshot/view.ts";
import { readInView, rulesOf } from "./read-in-view.ts";
import { suggest } from "./suggest.ts";

/**
 * What a view builds at the first request that needs it, as separate pieces of work, so that an idle server can have
 * it ready beforehand and answer others between two pieces.
 */
export const warmingWork: readonly ((view: CallerView) => void)[] = [
  (view) => void view.names,
  (view) => void view.graph,
  (view) => void rulesOf(view),
  (view) => void view.search,
  (view) => void view.revision,
  (view) => void readInView(view, { text: "Plan the work with the community.", strictness: "standard" }),
  (view) => void suggest(view, "Plan the work with the community", 1),
];
