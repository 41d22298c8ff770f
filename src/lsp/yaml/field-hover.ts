import { conceptMarkdown } from "../../core/render/concept-markdown.ts";
import { escapeMarkdown } from "../../core/render/markdown.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import { fieldAt, isInValue, type YamlField } from "./yaml-fields.ts";
import { meaningOf } from "./yaml-meaning.ts";

/** What a value of a concept file stands for: a concept, a source, a kind of relation, a category, a direction. */
export function fieldHover(view: CallerView, text: string, offset: number) {
  const field = fieldAt(text, offset);
  if (field === undefined || !isInValue(field, offset)) return undefined;
  const markdown = describe(view, field);
  return markdown === undefined ? undefined : { start: field.valueStart, end: field.valueEnd, text: markdown };
}

function describe(view: CallerView, field: YamlField): string | undefined {
  const value = field.value;
  switch (meaningOf(field)) {
    case "concept": {
      const disclosed = view.concepts.get(value);
      return disclosed && conceptMarkdown(view, disclosed);
    }
    case "source": {
      const source = Object.hasOwn(view.sources, value) ? view.sources[value] : undefined;
      return source && `**${escapeMarkdown(value)}** ${escapeMarkdown(source.citation)} (seen: ${source.seen})`;
    }
    case "relation-type": {
      const type = view.vocabulary.relation_types.find((it) => it.id === value || it.inverse === value);
      const inverse = type?.inverse === undefined ? "" : ` From the other end: \`${type.inverse}\`.`;
      return (
        type && `**${escapeMarkdown(type.id)}** ${escapeMarkdown(type.description ?? "A kind of relation.")}${inverse}`
      );
    }
    case "category": {
      const category = view.vocabulary.categories.find((it) => it.id === value);
      return category && `**${escapeMarkdown(category.id)}** ${escapeMarkdown(category.description ?? "A category.")}`;
    }
    case "direction": {
      const direction = view.vocabulary.directions.values.find((it) => it.id === value);
      const { disclaimer, scheme } = view.vocabulary.directions;
      return (
        direction &&
        `**${escapeMarkdown(direction.name)}** (${escapeMarkdown(scheme)}) ${escapeMarkdown(direction.meaning)}\n\n${escapeMarkdown(disclaimer)}`
      );
    }
    case "family": {
      const family = view.vocabulary.families.find((it) => it.id === value);
      return family && `**${escapeMarkdown(family.name)}** ${escapeMarkdown(family.note ?? "")}`.trimEnd();
    }
    default:
      return undefined;
  }
}
