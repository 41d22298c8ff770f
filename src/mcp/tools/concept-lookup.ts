import { resolve } from "../../core/queries/resolve.ts";
import { conceptCard, conceptFull, conceptLine } from "../../core/render/card.ts";
import { conceptMarkdown } from "../../core/render/concept-markdown.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok, unresolved } from "./tool.ts";

export const conceptLookup = defineTool({
  name: "iaip_concept_lookup",
  toolset: "concepts",
  title: "Look up a concept",
  description:
    "Tells one concept of the vocabulary: definition, whose it is, its limits, context (Two-Eyed Seeing, polycentric, " +
    "relational, ceremonial), direction, OCAP® relevance, relations and sources. Use it before you write about, rely on " +
    "or explain a concept, by any name: id, English, another language, acronym. Next: iaip_concept_context for what " +
    "surrounds it, iaip_concept_relationship for two concepts, iaip_wisdom_ledger_log once you used it.",
  input: {
    properties: {
      concept: {
        type: "string",
        description:
          "Concept ID (e.g., 'creative-orientation') or natural language name (e.g., 'Creative Orientation')",
      },
      depth: {
        type: "string",
        enum: ["brief", "full", "relational"],
        default: "full",
        description:
          "brief: definition only. full: definition + Indigenous context. relational: full + all related concepts",
      },
    },
    required: ["concept"],
  },
  output: { concept: shape.conceptAtAnyDepth, related: shape.listOf(shape.conceptLine) },
  optional: ["related"],
  answer({ view, args }) {
    const resolved = resolve(view, args.concept);
    if (resolved.kind !== "found") return unresolved("concept", resolved);
    const depth = args.depth;
    const { concept } = resolved.concept;
    const text = conceptMarkdown(view, resolved.concept, depth);
    const use = {
      type: "lookup",
      concepts: [{ id: concept.id, disclosure: resolved.concept.disclosure }],
      depth,
    } as const;
    if (depth === "brief") return ok(text, { concept: conceptCard(view, resolved.concept) }, use);
    const full = conceptFull(view, resolved.concept);
    if (depth === "full") return ok(text, { concept: full }, use);
    const related = [...new Set(view.graph.edgesOf(concept.id).map((it) => it.to))];
    return ok(text, { concept: full, related: related.map((id) => conceptLine(view, view.concepts.get(id)!)) }, use);
  },
});
