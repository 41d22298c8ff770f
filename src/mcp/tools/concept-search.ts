import type { Vocabulary } from "../../core/concept/vocabulary.ts";
import { ref } from "../../core/queries/resolve.ts";
import { type SearchQuestion, search } from "../../core/queries/search.ts";
import { conceptCard } from "../../core/render/card.ts";
import { registryMarkdown, searchMarkdown } from "../../core/render/lists-markdown.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { ToolDefinition } from "../surface.ts";
import { type Arguments, oneOf } from "./arguments.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok } from "./tool.ts";

const mostListed = 500;

export function conceptSearch(vocabulary: Vocabulary): ToolDefinition {
  return defineTool({
    name: "iaip_concept_search",
    title: "Search concepts",
    description:
      "Finds concepts by keyword, category, direction or usage context, or any of these together; with no arguments it " +
      "lists them all by category. Use it when you do not know what a concept is called, or want all of a kind. Words are " +
      "looked for in names, definitions, contexts of use, people and sources. Next: iaip_concept_lookup on a result.",
    input: {
      properties: {
        query: { type: "string", description: "Search query (keyword or phrase)" },
        category: { type: "string", ...oneOf(vocabulary.categories.map((it) => it.id)) },
        direction: { type: "string", ...oneOf(vocabulary.directions.values.map((it) => it.id)) },
        usage_context: { type: "string", description: "Filter by usage context (e.g., 'AI development', 'ceremony')" },
      },
    },
    output: {
      query: shape.text,
      filters: shape.object({ category: shape.text, direction: shape.text, usage_context: shape.text }, [
        "category",
        "direction",
        "usage_context",
      ]),
      results: shape.listOf(
        shape.conceptCardWith({
          score: shape.number,
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
    required: ["filters", "results", "results_total", "truncated"],
    answer({ view, values }) {
      const question = questionOf(values);
      if (Object.keys(question).length === 0) return registry(view);
      const answer = search(view, question);
      return ok(searchMarkdown(answer, question), {
        ...(question.query === undefined ? {} : { query: question.query }),
        filters: filtersOf(question),
        results: answer.results.map(({ told: it, score, matched, snippet }) => ({
          ...conceptCard(view, it),
          score,
          matched,
          snippet,
        })),
        results_total: answer.total,
        truncated: answer.results.length < answer.total,
        ...(answer.results.length === 0 ? { nearest: answer.nearest } : {}),
      });
    },
  });
}

function questionOf({ query, category, direction, usage_context }: Arguments): SearchQuestion {
  return {
    ...(query === undefined ? {} : { query: String(query) }),
    ...(category === undefined ? {} : { category: String(category) }),
    ...(direction === undefined ? {} : { direction: String(direction) }),
    ...(usage_context === undefined ? {} : { usageContext: String(usage_context) }),
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
  let left = mostListed;
  const categories = view.vocabulary.categories.map(({ id }) => {
    const all = [...view.concepts.values()].filter((it) => it.concept.category === id);
    const concepts = all.slice(0, left).map(ref);
    left -= concepts.length;
    return { category: id, total: all.length, concepts };
  });
  return ok(registryMarkdown(view), {
    filters: {},
    results: [],
    results_total: 0,
    truncated: mostListed < view.concepts.size,
    categories,
  });
}
