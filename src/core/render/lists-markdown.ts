import { counted } from "../../base/english.ts";
import type { Disclosed } from "../concept/disclosure.ts";
import type { MatchedBy, SearchAnswer, SearchQuestion } from "../queries/search.ts";
import { firstSentence } from "../queries/sentences.ts";
import type { Suggestion } from "../queries/suggest.ts";
import type { CallerView } from "../snapshot/view.ts";
import { escapeMarkdown, joinSections } from "./markdown.ts";
import { more } from "./relating-markdown.ts";

export function searchMarkdown(answer: SearchAnswer, question: SearchQuestion): string {
  const wanted = questionText(question);
  if (answer.results.length === 0) {
    const near = answer.nearest.map((it) => `${escapeMarkdown(it.name)} (\`${it.id}\`)`).join("; ");
    return `No concept fits ${wanted}.${near ? ` Nearest names: ${near}.` : ""}`;
  }
  const weaker = answer.corrected
    ? ` (spelling corrected to “${escapeMarkdown(answer.corrected)}”)`
    : weakerWords[answer.results[0]!.matchedBy];
  return joinSections(
    [
      `**${counted(answer.total, "concept")}** for ${wanted}${weaker}${more(answer.results.length, answer.total)}`,
      ...answer.results.map(({ concept: { concept }, snippet }) =>
        item(concept.name, concept.id, concept.by_line, snippet),
      ),
    ],
    "*There is more: narrow the search, or look a concept up by its id.*",
  );
}

/** How the words were found, where that is less than all of them as written. */
const weakerWords: Readonly<Record<MatchedBy, string>> = {
  name: "",
  "all-words": "",
  corrected: "",
  prefix: " (by the beginnings of words)",
  "some-words": " (by the words that distinguish; no concept holds all of them)",
};

/** All concepts by category, for a search that asks nothing. */
export function registryMarkdown(view: CallerView): string {
  const categories = view.vocabulary.categories.map(({ id }) => {
    const concepts = [...view.listed.values()].filter((it) => it.concept.category === id);
    return `**${escapeMarkdown(id)}** (${concepts.length})\n\n${concepts.map((it) => `- ${escapeMarkdown(it.concept.name)} (\`${it.concept.id}\`)`).join("\n")}`;
  });
  return joinSections(
    [`${view.listed.size} concepts of ${escapeMarkdown(view.vocabulary.title)}.`, ...categories],
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
                `- **${escapeMarkdown(concept.name)}** (\`${concept.id}\`): ${escapeMarkdown(concept.definition === null ? concept.by_line : firstSentence(concept.definition))}`,
            )
            .join("\n"),
      center.length === 0
        ? ""
        : `**Center, which applies to every direction:** ${center.map((it) => escapeMarkdown(it.concept.name)).join("; ")}`,
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
      const definition = concept.definition === null ? (notice ?? "") : firstSentence(concept.definition);
      return `- **${escapeMarkdown(name)}** (\`${id}\`; ${escapeMarkdown(concept.by_line)}). ${escapeMarkdown(why)} ${escapeMarkdown(definition)}`;
    }),
    "*There is more: ask for fewer suggestions.*",
  );
}

function item(name: string, id: string, byLine: string, snippet: string): string {
  return `- **${escapeMarkdown(name)}** (\`${id}\`; ${escapeMarkdown(byLine)}): ${escapeMarkdown(snippet)}`;
}

function questionText({ query, category, direction, usageContext }: SearchQuestion): string {
  const parts = [
    query === undefined ? "" : `“${escapeMarkdown(clipped(query))}”`,
    category === undefined ? "" : `category ${escapeMarkdown(category)}`,
    direction === undefined ? "" : `direction ${escapeMarkdown(direction)}`,
    usageContext === undefined ? "" : `usage context “${escapeMarkdown(clipped(usageContext))}”`,
  ];
  return parts.filter((it) => it !== "").join(", ") || "everything";
}

/** The query, short enough to be said back. */
function clipped(text: string): string {
  return text.length <= 200 ? text : `${[...text.slice(0, 400)].slice(0, 199).join("")}…`;
}
