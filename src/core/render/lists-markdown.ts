import type { Disclosed } from "../concept/disclosure.ts";
import type { SearchAnswer, SearchQuestion } from "../queries/search.ts";
import type { Suggestion } from "../queries/suggest.ts";
import type { CallerView } from "../snapshot/view.ts";
import { escapeMarkdown, joinSections } from "./markdown.ts";
import { more } from "./relating-markdown.ts";

export function searchMarkdown(answer: SearchAnswer, question: SearchQuestion): string {
  const asked = askedFor(question);
  if (answer.results.length === 0) {
    const near = answer.nearest.map((it) => `${escapeMarkdown(it.name)} (\`${it.id}\`)`).join("; ");
    return `No concept fits ${asked}.${near ? ` Nearest names: ${near}.` : ""}`;
  }
  const respelled = answer.respelled ? ` (spelling corrected to “${escapeMarkdown(answer.respelled)}”)` : "";
  return joinSections(
    [
      `**${answer.total} concept${answer.total === 1 ? "" : "s"}** for ${asked}${respelled}${more(answer.results.length, answer.total)}`,
      ...answer.results.map(({ told: { concept }, snippet }) =>
        item(concept.name, concept.id, concept.by_line, snippet),
      ),
    ],
    "*There is more: narrow the search, or look a concept up by its id.*",
  );
}

/** All concepts by category, for a search that asks nothing. */
export function registryMarkdown(view: CallerView): string {
  const categories = view.vocabulary.categories.map(({ id }) => {
    const concepts = [...view.concepts.values()].filter((it) => it.concept.category === id);
    return `**${escapeMarkdown(id)}** (${concepts.length})\n\n${concepts.map((it) => `- ${escapeMarkdown(it.concept.name)} (\`${it.concept.id}\`)`).join("\n")}`;
  });
  return joinSections(
    [`${view.concepts.size} concepts of ${escapeMarkdown(view.vocabulary.title)}.`, ...categories],
    "*There is more: name a category, a direction or a query.*",
  );
}

export function directionMarkdown(
  view: CallerView,
  direction: string,
  concepts: readonly Disclosed[],
  center: readonly Disclosed[],
): string {
  const value = view.vocabulary.directions.values.find((it) => it.id === direction)!;
  return joinSections(
    [
      `### ${escapeMarkdown(value.name)}: ${escapeMarkdown(value.meaning)}`,
      escapeMarkdown(view.vocabulary.directions.disclaimer),
      concepts.length === 0
        ? "No concept stands here."
        : concepts
            .map(
              ({ concept }) =>
                `- **${escapeMarkdown(concept.name)}** (\`${concept.id}\`): ${escapeMarkdown(firstSentence(concept.definition) ?? concept.by_line)}`,
            )
            .join("\n"),
      center.length === 0
        ? ""
        : `**Center: applies to every direction, or is placed in none.** ${center.map((it) => escapeMarkdown(it.concept.name)).join("; ")}`,
    ],
    "*There is more: search with this direction, or look a concept up by its id.*",
  );
}

export const nothingFits =
  "Nothing in this vocabulary fits this context. That is an answer too: no concept needs to be brought in.";

export function suggestionsMarkdown(view: CallerView, suggestions: readonly Suggestion[]): string {
  if (suggestions.length === 0) return nothingFits;
  return joinSections(
    suggestions.map(({ id, name, why }) => {
      const { concept, notice } = view.concepts.get(id)!;
      const definition = firstSentence(concept.definition) ?? notice ?? "";
      return `- **${escapeMarkdown(name)}** (\`${id}\`; ${escapeMarkdown(concept.by_line)}). ${escapeMarkdown(why)} ${escapeMarkdown(definition)}`;
    }),
    "*There is more: ask for fewer suggestions.*",
  );
}

function item(name: string, id: string, byLine: string, snippet: string): string {
  return `- **${escapeMarkdown(name)}** (\`${id}\`; ${escapeMarkdown(byLine)}): ${escapeMarkdown(snippet)}`;
}

function askedFor({ query, category, direction, usageContext }: SearchQuestion): string {
  const parts = [
    query === undefined ? "" : `“${escapeMarkdown(clipped(query))}”`,
    category === undefined ? "" : `category ${escapeMarkdown(category)}`,
    direction === undefined ? "" : `direction ${escapeMarkdown(direction)}`,
    usageContext === undefined ? "" : `usage context “${escapeMarkdown(clipped(usageContext))}”`,
  ];
  return parts.filter((it) => it !== "").join(", ") || "everything";
}

/** What was asked, short enough to be said back. */
function clipped(text: string): string {
  return text.length <= 200 ? text : `${[...text.slice(0, 400)].slice(0, 199).join("")}…`;
}

function firstSentence(text: string | null): string | undefined {
  return text?.match(/^.+?[.!?](?=\s|$)/su)?.[0] ?? text ?? undefined;
}
