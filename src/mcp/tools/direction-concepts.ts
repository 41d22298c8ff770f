import { inDirection } from "../../core/queries/in-direction.ts";
import { ref } from "../../core/queries/resolve.ts";
import { conceptLine } from "../../core/render/card.ts";
import { directionMarkdown } from "../../core/render/lists-markdown.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import { fitting } from "../fitting.ts";
import { oneOf } from "./arguments.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok, refused } from "./tool.ts";

/** Bytes of JSON that the two lists may fill; together they stay under 4 MiB. */
const maxConceptBytes = 3 * 1024 * 1024;
const maxCenterBytes = 1000 * 1024;

export const directionConcepts = defineTool({
  name: "iaip_direction_concepts",
  toolset: "concepts",
  title: "List a direction's concepts",
  description:
    "Lists the concepts that stand in one direction of the work cycle, with the scheme's meaning and its limits: it " +
    "orders work and renders no Nation's teaching. Use it to plan or review a phase of work. Concepts of the center " +
    "apply to every direction. Next: iaip_concept_lookup on one of them.",
  input: ({ vocabulary }) => ({
    properties: {
      direction: {
        type: "string",
        ...oneOf(vocabulary.directions.values.filter((it) => !it.center).map((it) => it.id)),
        description: "Direction to query",
      },
    },
    required: ["direction"],
  }),
  output: {
    direction: shape.text,
    scheme: shape.text,
    meaning: shape.text,
    disclaimer: shape.text,
    concepts: shape.listOf(shape.conceptLine),
    concepts_total: shape.whole,
    center: shape.listOf(shape.conceptRef),
    center_total: shape.whole,
    truncated: shape.flag,
  },
  optional: ["concepts_total", "center_total", "truncated"],
  answer({ view, args: { direction } }) {
    const answer = inDirection(view, direction);
    const structure = directionStructure(view, direction);
    if (!answer || !structure) return refused("No direction scheme is loaded. See iaip-dsl concepts check.");
    const use = { type: "direction", concepts: structure.concepts, direction } as const;
    return ok(directionMarkdown(view, direction, answer.concepts, answer.center), structure, use);
  },
});

/** What the direction tool and the direction resource both answer; `undefined` for an unknown direction. */
export function directionStructure(view: CallerView, direction: string) {
  const answer = inDirection(view, direction);
  if (!answer) return undefined;
  const concepts = fitting(
    answer.concepts.map((it) => conceptLine(view, it)),
    maxConceptBytes,
  );
  const center = fitting(answer.center.map(ref), maxCenterBytes);
  return {
    direction,
    scheme: view.vocabulary.directions.scheme,
    meaning: answer.meaning,
    disclaimer: view.vocabulary.directions.disclaimer,
    concepts,
    concepts_total: answer.concepts.length,
    center,
    center_total: answer.center.length,
    truncated: concepts.length < answer.concepts.length || center.length < answer.center.length,
  };
}
