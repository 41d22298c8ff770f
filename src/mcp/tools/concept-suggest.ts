import { suggest } from "../../core/queries/suggest.ts";
import { nothingFits, suggestionsMarkdown } from "../../core/render/lists-markdown.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok } from "./tool.ts";

export const conceptSuggest = defineTool({
  name: "iaip_concept_suggest",
  toolset: "concepts",
  title: "Suggest concepts for a task",
  description:
    "Given a task or situation in plain words, suggests concepts that should inform the work, each with why; nothing " +
    "when nothing fits. Use it at the start of a task, before you plan or write. Next: iaip_concept_lookup on what fits, " +
    "then iaip_validate_terminology on what you wrote.",
  input: {
    properties: {
      context: { type: "string", description: "Description of the task or context" },
      max_suggestions: {
        type: "integer",
        default: 5,
        minimum: 1,
        maximum: 20,
        description: "How many concepts to suggest at most",
      },
    },
    required: ["context"],
  },
  output: {
    suggestions: shape.listOf(
      shape.object(
        {
          id: shape.text,
          name: shape.text,
          score: shape.number,
          why: shape.text,
          matched: shape.listOf(shape.text),
          via: shape.conceptRef,
        },
        ["via"],
      ),
    ),
    note: shape.text,
  },
  optional: ["note"],
  answer({ view, args }) {
    const suggestions = suggest(view, args.context, args.max_suggestions);
    const note = suggestions.length === 0 ? { note: nothingFits } : {};
    const use = { type: "suggestion", concepts: suggestions } as const;
    return ok(suggestionsMarkdown(view, suggestions), { suggestions, ...note }, use);
  },
});
