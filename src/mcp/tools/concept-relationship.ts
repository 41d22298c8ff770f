import { maxPaths, maxShared, relate } from "../../core/queries/relate.ts";
import { ref, resolve } from "../../core/queries/resolve.ts";
import { relation } from "../../core/render/card.ts";
import { relatingContext, relatingMarkdown } from "../../core/render/relating-markdown.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok, unresolved } from "./tool.ts";

export const conceptRelationship = defineTool({
  name: "iaip_concept_relationship",
  toolset: "concepts",
  title: "Relate two concepts",
  description:
    "Shows how two concepts relate: direct relations with who published or proposed them, all shortest paths, and what " +
    "both relate to. Use it before you connect, compare or combine two concepts. A step by analogy is marked and never " +
    "becomes a stronger claim. Next: iaip_concept_lookup on a concept of the path.",
  input: {
    properties: {
      concept1: { type: "string", description: "The first concept, by id or by any name" },
      concept2: { type: "string", description: "The second concept, by id or by any name" },
      max_path_length: {
        type: "integer",
        default: 3,
        minimum: 1,
        maximum: 8,
        description: "How many relations a path may have at most",
      },
    },
    required: ["concept1", "concept2"],
  },
  output: {
    concept1: shape.conceptRef,
    concept2: shape.conceptRef,
    related: shape.flag,
    direct: shape.listOf(shape.relation),
    paths: shape.listOf(
      shape.object({ length: shape.whole, by_analogy: shape.flag, steps: shape.listOf(shape.relation) }),
    ),
    paths_total: shape.whole,
    shared: shape.listOf(shape.conceptRef),
    shared_total: shape.whole,
    context: shape.listOf(shape.text),
    truncated: shape.flag,
  },
  answer({ view, args }) {
    const first = resolve(view, args.concept1);
    if (first.kind !== "found") return unresolved("concept1", first);
    const second = resolve(view, args.concept2);
    if (second.kind !== "found") return unresolved("concept2", second);
    const maxLength = args.max_path_length;
    const answer = relate(view, first.concept, second.concept, maxLength);
    const structured = {
      concept1: ref(first.concept),
      concept2: ref(second.concept),
      related: answer.direct.length > 0 || answer.paths.length > 0,
      direct: answer.direct.map((it) => relation(view, it)),
      paths: answer.paths.map(({ length, byAnalogy, steps }) => ({
        length,
        by_analogy: byAnalogy,
        steps: steps.map((it) => relation(view, it)),
      })),
      paths_total: answer.pathsTotal,
      shared: answer.shared,
      shared_total: answer.sharedTotal,
      context: relatingContext(view, answer),
      truncated: maxPaths < answer.pathsTotal || maxShared < answer.sharedTotal,
    };
    const pair = { id: structured.concept1.id, other: structured.concept2.id };
    return ok(relatingMarkdown(view, answer, maxLength), structured, { type: "relationship_query", concepts: [pair] });
  },
});
