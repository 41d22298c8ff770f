import type { Vocabulary } from "../../core/concept/vocabulary.ts";
import { inDirection } from "../../core/queries/in-direction.ts";
import { ref } from "../../core/queries/resolve.ts";
import { conceptCard } from "../../core/render/card.ts";
import { directionMarkdown } from "../../core/render/lists-markdown.ts";
import type { View } from "../../core/snapshot/view.ts";
import type { ToolDefinition } from "../surface.ts";
import * as shape from "./shapes.ts";
import { defineTool, told } from "./tool.ts";

export function directionConcepts(vocabulary: Vocabulary): ToolDefinition {
  return defineTool({
    name: "iaip_direction_concepts",
    title: "List a direction's concepts",
    description:
      "Lists the concepts that stand in one direction of the work cycle, with the scheme's meaning and its limits: it " +
      "orders work and renders no Nation's teaching. Use it to plan or review a phase of work. Concepts of the center " +
      "apply to every direction. Next: iaip_concept_lookup on one of them.",
    input: {
      properties: {
        direction: {
          type: "string",
          enum: vocabulary.directions.values.filter((it) => !it.center).map((it) => it.id),
          description: "Direction to query",
        },
      },
      required: ["direction"],
    },
    output: {
      direction: shape.text,
      scheme: shape.text,
      meaning: shape.text,
      disclaimer: shape.text,
      concepts: shape.listOf(shape.conceptCard),
      center: shape.listOf(shape.conceptRef),
    },
    required: ["direction", "scheme", "meaning", "disclaimer", "concepts", "center"],
    answer({ view, values }) {
      const direction = String(values.direction);
      const answer = inDirection(view, direction);
      return told(
        directionMarkdown(view, direction, answer?.concepts ?? [], answer?.center ?? []),
        directionStructure(view, direction) ?? {},
      );
    },
  });
}

/** What the direction tool and the direction resource both answer; `undefined` for an unknown direction. */
export function directionStructure(view: View, direction: string) {
  const answer = inDirection(view, direction);
  return (
    answer && {
      direction,
      scheme: view.vocabulary.directions.scheme,
      meaning: answer.meaning,
      disclaimer: view.vocabulary.directions.disclaimer,
      concepts: answer.concepts.map((it) => conceptCard(view, it)),
      center: answer.center.map(ref),
    }
  );
}
