import type { Span } from "../text/passage.ts";
import type { CompiledRules } from "./compile-rules.ts";
import type { ConceptsView } from "./concepts-view.ts";
import type { Judged } from "./judge.ts";
import type { PassageView } from "./passage-view.ts";

export interface ConceptUse {
  /** By first occurrence. */
  readonly concepts: readonly {
    readonly id: string;
    readonly name: string;
    readonly spans: readonly Span[];
  }[];
  /** The judgements given, with those about the use of concepts, in reading order. */
  readonly judged: readonly {
    readonly view: PassageView;
    readonly entry: Judged;
  }[];
}

/** Which concepts a text uses, and how. */
export function conceptUse(
  views: readonly PassageView[],
  concepts: ConceptsView,
  _rules: CompiledRules,
  judged: ConceptUse["judged"],
): ConceptUse {
  const spans = new Map<string, Span[]>();
  for (const view of views) {
    if (view.passage.exempt === "code" || view.passage.exempt === "front matter") continue;
    for (const mention of concepts.find(view.passage.text)) {
      const id = mention.candidates[0]?.id;
      if (id === undefined) continue;
      const span = view.passage.source.range(mention.start, mention.end);
      const list = spans.get(id);
      if (list === undefined) spans.set(id, [span]);
      else list.push(span);
    }
  }
  return {
    concepts: [...spans].map(([id, list]) => ({
      id,
      name: concepts.get(id)?.name ?? id,
      spans: list,
    })),
    judged,
  };
}
