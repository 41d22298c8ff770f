import type { DisclosureResult, EventType, LedgerEvent } from "../ledger/event.ts";
import type { QueryLog } from "../ledger/query-log.ts";
import type { Surface, ToolAnswer, ToolDefinition } from "./surface.ts";

/** Concepts of one answer that are noted; the rest of a long list is not read either. */
const mostNoted = 50;

/** The same surface; its query tools note which concepts they told, after the answer is made. */
export function withQueryLog(surface: Surface, queries: QueryLog, session?: string): Surface {
  return { ...surface, tools: surface.tools.map((tool) => noting(tool, queries, session)) };
}

function noting(tool: ToolDefinition, queries: QueryLog, session: string | undefined): ToolDefinition {
  const told = readers[tool.name];
  if (told === undefined) return tool;
  return {
    ...tool,
    async call(context, args) {
      const answer = await tool.call(context, args);
      if (answer.kind !== "ok") return answer;
      const { type, concepts, direction, depth } = told(answer.structured as unknown as Structured);
      const common: LedgerEvent = {
        type,
        agent: context.caller.name,
        context: queries.keepsText ? textOf(args) : "",
        revision: revisionOf(answer),
        ...(session === undefined ? {} : { session }),
        ...(direction === undefined ? {} : { direction }),
        ...(depth === undefined ? {} : { depth }),
      };
      if (concepts.length === 0) queries.note(common);
      for (const { id, other, disclosure } of concepts.slice(0, mostNoted)) {
        queries.note({
          ...common,
          concept: id,
          ...(other === undefined ? {} : { other }),
          ...(disclosure === undefined ? {} : { disclosure }),
        });
      }
      return answer;
    },
  };
}

interface Told {
  readonly type: EventType;
  readonly concepts: readonly {
    readonly id: string;
    readonly other?: string;
    readonly disclosure?: DisclosureResult;
  }[];
  readonly direction?: string;
  readonly depth?: "brief" | "full" | "relational";
}

interface Card {
  readonly id: string;
  readonly disclosure?: DisclosureResult;
}

/** The parts of the frozen answers that are read here. */
interface Structured {
  readonly concept: Card & { readonly ocap?: unknown };
  readonly related?: readonly Card[];
  readonly concept1: Card;
  readonly concept2: Card;
  readonly results: readonly Card[];
  readonly concepts: readonly Card[];
  readonly suggestions: readonly Card[];
  readonly direction: string;
}

const readers: Readonly<Record<string, (answer: Structured) => Told>> = {
  iaip_concept_lookup: ({ concept, related }) => ({
    type: "lookup",
    concepts: [concept],
    depth: related ? "relational" : concept.ocap ? "full" : "brief",
  }),
  iaip_concept_relationship: ({ concept1, concept2 }) => ({
    type: "relationship_query",
    concepts: [{ id: concept1.id, other: concept2.id }],
  }),
  iaip_concept_search: ({ results }) => ({ type: "search", concepts: results }),
  iaip_validate_terminology: ({ concepts }) => ({ type: "validation", concepts }),
  iaip_concept_context: ({ concept }) => ({ type: "context", concepts: [concept] }),
  iaip_direction_concepts: ({ concepts, direction }) => ({ type: "direction", concepts, direction }),
  iaip_concept_suggest: ({ suggestions }) => ({ type: "suggestion", concepts: suggestions }),
};

/** What was asked, as it came; the query log keeps it only when it was told to. */
function textOf(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}

function revisionOf(answer: Extract<ToolAnswer, { kind: "ok" }>): string {
  const { vocabulary } = answer.structured as {
    readonly vocabulary?: { readonly name: string; readonly revision: string };
  };
  return vocabulary ? `${vocabulary.name}@${vocabulary.revision}` : "";
}
