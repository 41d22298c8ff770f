import { ref } from "../../core/queries/resolve.ts";
import { matchedBy, type SearchQuestion, search } from "../../core/queries/search.ts";
import { conceptLine } from "../../core/render/card.ts";
import { registryMarkdown, searchMarkdown } from "../../core/render/lists-markdown.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import { oneOf } from "./arguments.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok } from "./tool.ts";

const maxListed = 500;

export const conceptSearch = defineTool({
  name: "iaip_concept_search",
  toolset: "concepts",
  title: "Search concepts",
  description:
    "Finds concepts by keyword, category, direction or usage context, or any of these together; with no arguments it " +
    "lists them all by category. Use it when you do not know what a concept is called, or want all of a kind. Words are " +
    "looked for in names, definitions, contexts of use, people and sources. Next: iaip_concept_lookup on a result.",
  input: ({ vocabulary }) => ({
    properties: {
      query: { type: "string", description: "Search query (keyword or phrase)" },
      category: {
        type: "string",
        ...oneOf(vocabulary.categories.map((it) => it.id)),
        description: "Only concepts of this category",
      },
      direction: {
        type: "string",
        ...oneOf(vocabulary.directions.values.map((it) => it.id)),
        description: "Only concepts that stand in this direction",
      },
      usage_context: { type: "string", description: "Filter by usage context (e.g., 'AI development', 'ceremony')" },
    },
  }),
  output: {
    query: shape.text,
    filters: shape.object({ category: shape.text, direction: shape.text, usage_context: shape.text }, [
      "category",
      "direction",
      "usage_context",
    ]),
    results: shape.listOf(
      shape.conceptLineWith({
        score: shape.number,
        matched_by: shape.choice(matchedBy),
        matched: shape.listOf(shape.object({ field: shape.text, terms: shape.listOf(shape.text) })),
        snippet: shape.text,
      }),
    ),
    results_total: shape.whole,
    truncated: shape.flag,
    categories: shape.listOf(
      shape.object({ category: shape.text, total: shape.whole, concepts: shape.listOf(shape.conceptRef) }),
    ),
    nearest: shape.listOf(shape.conceptRef),
  },
  optional: ["query", "categories", "nearest"],
  answer({ view, args }) {
    const question = questionOf(args);
    if (Object.keys(question).length === 0) return registry(view);
    const answer = search(view, question);
    const results = answer.results.map(({ concept, score, matchedBy: matched_by, matched, snippet }) => ({
      ...conceptLine(view, concept),
      score,
      matched_by,
      matched,
      snippet,
    }));
    const structured: Found = {
      ...(question.query === undefined ? {} : { query: question.query }),
      filters: filtersOf(question),
      results,
      results_total: answer.total,
      truncated: answer.results.length < answer.total,
      ...(answer.results.length === 0 ? { nearest: answer.nearest } : {}),
    };
    return ok(searchMarkdown(answer, question), structured, { type: "search", concepts: results });
  },
});

/** One shape for what was found and for the list of everything. */
interface Found {
  readonly query?: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly results: readonly object[];
  readonly results_total: number;
  readonly truncated: boolean;
  readonly categories?: readonly object[];
  readonly nearest?: readonly object[];
}

type Filters = Readonly<Record<"query" | "category" | "direction" | "usage_context", string | undefined>>;

function questionOf({ query, category, direction, usage_context }: Filters): SearchQuestion {
  return {
    ...(query === undefined ? {} : { query }),
    ...(category === undefined ? {} : { category }),
    ...(direction === undefined ? {} : { direction }),
    ...(usage_context === undefined ? {} : { usageContext: usage_context }),
  };
}

function filtersOf({ category, direction, usageContext }: SearchQuestion) {
  return {
    ...(category === undefined ? {} : { category }),
    ...(direction === undefined ? {} : { direction }),
    ...(usageContext === undefined ? {} : { usage_context: usageContext }),
  };
}

function registry(view: CallerView) {
  let left = maxListed;
  const categories = view.vocabulary.categories.map(({ id }) => {
    const all = [...view.listed.values()].filter((it) => it.concept.category === id);
    const concepts = all.slice(0, left).map(ref);
    left -= concepts.length;
    return { category: id, total: all.length, concepts };
  });
  const structured: Found = {
    filters: {},
    results: [],
    results_total: 0,
    truncated: maxListed < view.listed.size,
    categories,
  };
  return ok(registryMarkdown(view), structured, { type: "search", concepts: [] });
}
