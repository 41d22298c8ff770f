import { neighborhood } from "../../core/queries/neighborhood.ts";
import { resolve } from "../../core/queries/resolve.ts";
import { conceptCard, relation } from "../../core/render/card.ts";
import {
  ceremonialConcepts,
  ceremonialGuidance,
  neighborhoodMarkdown,
} from "../../core/render/neighborhood-markdown.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok, unresolved } from "./tool.ts";

const refs = shape.listOf(shape.conceptRef);

export const conceptContext = defineTool({
  name: "iaip_concept_context",
  toolset: "concepts",
  title: "See what surrounds a concept",
  description:
    "Tells what surrounds a concept: what it enables, what enables it, what grounds it and what it grounds, analogies " +
    "kept apart, whether ceremony is touched and whom to ask, and where the neighbors stand in the work cycle. Use it " +
    "when a task turns on a concept and you must see its consequences. Next: iaip_concept_lookup on a neighbor.",
  input: {
    properties: {
      concept: { type: "string", description: "The concept in the middle, by id or by any name" },
      hops: {
        type: "integer",
        default: 2,
        minimum: 0,
        maximum: 6,
        description: "How many relationship hops to traverse",
      },
    },
    required: ["concept"],
  },
  output: {
    concept: shape.conceptCard,
    hops: shape.whole,
    nodes: shape.listOf(
      shape.object({
        id: shape.text,
        name: shape.text,
        distance: shape.whole,
        direction: shape.text,
        category: shape.text,
        by_analogy: shape.flag,
      }),
    ),
    nodes_total: shape.whole,
    edges: shape.listOf(shape.relation),
    edges_total: shape.whole,
    truncated: shape.flag,
    by_relation: shape.listOf(shape.object({ type: shape.text, concepts: refs })),
    enables: refs,
    enabled_by: refs,
    grounds: refs,
    grounded_in: refs,
    analogous: refs,
    ceremonial: shape.object({ level: shape.text, guidance: shape.text, concepts: refs }),
    directional_flow: shape.listOf(
      shape.object({
        direction: shape.text,
        concepts: shape.listOf(shape.object({ id: shape.text, name: shape.text, by_analogy: shape.flag })),
      }),
    ),
  },
  answer({ view, args }) {
    const resolved = resolve(view, args.concept);
    if (resolved.kind !== "found") return unresolved("concept", resolved);
    const answer = neighborhood(view, resolved.concept, args.hops);
    const related = (type: string) => answer.byRelation.find((it) => it.type === type)?.concepts ?? [];
    const structured = {
      concept: conceptCard(view, answer.center),
      hops: answer.hops,
      nodes: answer.nodes.map(({ byAnalogy: by_analogy, ...it }) => ({ ...it, by_analogy })),
      nodes_total: answer.nodesTotal,
      edges: answer.edges.map((it) => relation(view, it)),
      edges_total: answer.edgesTotal,
      truncated: answer.nodes.length < answer.nodesTotal || answer.edges.length < answer.edgesTotal,
      by_relation: answer.byRelation,
      enables: related("enables"),
      enabled_by: related("enabled-by"),
      grounds: related("grounds"),
      grounded_in: related("grounded-in"),
      analogous: answer.analogous,
      ceremonial: {
        level: answer.center.concept.indigenous_connections.ceremonial.level,
        guidance: ceremonialGuidance(answer) || "This file notes no ceremony. That is not permission.",
        concepts: ceremonialConcepts(view, answer),
      },
      directional_flow: answer.directionalFlow.map(({ direction, concepts }) => ({
        direction,
        concepts: concepts.map(({ id, name, byAnalogy: by_analogy }) => ({ id, name, by_analogy })),
      })),
    };
    return ok(neighborhoodMarkdown(view, answer), structured, { type: "context", concepts: [structured.concept] });
  },
});
