import type { Disclosed } from "../core/concept/disclosure.ts";
import { changedConcepts } from "../core/queries/changed-concepts.ts";
import { conceptCard } from "../core/render/card.ts";
import { conceptMarkdown } from "../core/render/concept-markdown.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import { LedgerUnavailable } from "../ledger/port.ts";
import { fitting } from "./fitting.ts";
import type { RequestContext } from "./request-context.ts";
import type { ListedResource, ResourceDefinition, ResourceTemplateDefinition, ResourceText } from "./surface.ts";
import { directionStructure } from "./tools/direction-concepts.ts";

/** No resource is longer than 4 MiB; a longer list stops at so many bytes, which leaves room for what is beside it. */
const maxListBytes = 4 * 1024 * 1024 - 4_096;
const json = "application/json";

export const resources: readonly ResourceDefinition[] = [
  {
    uri: "iaip://concepts/registry",
    name: "IAIP Concept Registry",
    title: "Concept registry",
    description: "Full concept registry as structured data",
    mimeType: json,
    read: (context) => jsonText("iaip://concepts/registry", registry(context.view)),
  },
  {
    uri: "iaip://concepts/graph",
    name: "IAIP Relational Graph",
    title: "Relational graph",
    description: "Concept relationship graph as adjacency list",
    mimeType: json,
    read: (context) => jsonText("iaip://concepts/graph", graph(context.view)),
  },
  {
    uri: "iaip://wisdom/ledger",
    name: "Wisdom Ledger Summary",
    title: "Wisdom Ledger summary",
    description: "Aggregate concept usage patterns and evolution",
    mimeType: json,
    async read(context) {
      return jsonText("iaip://wisdom/ledger", await ledgerSummary(context));
    },
  },
];

export const templates: readonly ResourceTemplateDefinition[] = [
  {
    uriTemplate: "iaip://concepts/directions/{direction}",
    variable: "direction",
    name: "Concepts by Direction",
    title: "Concepts by direction",
    description: "Concepts filtered by Four Directions alignment",
    mimeType: json,
    list: ({ vocabulary: { directions } }) =>
      directions.values.map(({ id, meaning }) => ({ value: id, name: id, description: meaning })),
    // Each says the revision.
    changed: (previous, next) => [
      ...new Set([previous, next].flatMap((it) => it.vocabulary.directions.values.map(({ id }) => id))),
    ],
    read(context, direction) {
      const { view } = context;
      const answer = directionStructure(view, direction);
      return answer && jsonText(`iaip://concepts/directions/${direction}`, { ...answer, vocabulary: named(view) });
    },
  },
  {
    uriTemplate: "iaip://concepts/{id}",
    variable: "id",
    name: "IAIP Concept",
    title: "One concept",
    description: "One concept in words: the full text of a lookup",
    mimeType: "text/markdown",
    list: ({ concepts }) => [...concepts.values()].map(listed),
    changed: changedConcepts,
    read(context, id) {
      const { view } = context;
      const disclosed = view.concepts.get(id);
      return (
        disclosed && { uri: `iaip://concepts/${id}`, mimeType: "text/markdown", text: conceptMarkdown(view, disclosed) }
      );
    },
  },
];

/** As people choose from a list: what it is called, what kind it is, and whose. */
function listed({ concept: { id, name, category, peoples, by_line } }: Disclosed): ListedResource {
  const description = [category, ...(peoples.length === 0 ? [] : [peoples.join(", ")]), by_line].join(" · ");
  return { value: id, name, description };
}

function named(view: CallerView) {
  return { name: view.vocabulary.name, revision: view.revision };
}

function registry(view: CallerView) {
  const { directions, categories } = view.vocabulary;
  const all = [...view.concepts.values()].map((it) => conceptCard(view, it));
  const concepts = fitting(all, maxListBytes);
  return {
    vocabulary: named(view),
    categories: categories.map((it) => it.id),
    directions: { scheme: directions.scheme, disclaimer: directions.disclaimer, values: directions.values },
    total: all.length,
    truncated: concepts.length < all.length,
    concepts,
  };
}

function graph(view: CallerView) {
  const all = [...view.concepts.values()].map(({ concept: { id, name } }) => ({
    node: { id, name },
    edges: view.graph.edgesOf(id).map(({ type, to, byAnalogy }) => ({ type, to, by_analogy: byAnalogy })),
  }));
  const kept = fitting(all, maxListBytes);
  return {
    vocabulary: named(view),
    nodes: kept.map((it) => it.node),
    adjacency: Object.fromEntries(kept.map((it) => [it.node.id, it.edges])),
    total: all.length,
    truncated: kept.length < all.length,
  };
}

async function ledgerSummary(context: RequestContext) {
  const { view } = context;
  const concepts = [...view.concepts.values()].map(({ concept: { id, direction, category } }) => ({
    id,
    direction,
    category,
  }));
  try {
    return { vocabulary: named(view), ...(await context.ledger.summary({ concepts, hidden: view.unknown })) };
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    return { vocabulary: named(view), available: false, reason: error.message };
  }
}

function jsonText(uri: string, value: unknown): ResourceText {
  return { uri, mimeType: json, text: JSON.stringify(value) };
}
