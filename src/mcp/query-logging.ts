import type { LedgerEvent } from "../ledger/events/event.ts";
import type { QueryLog } from "../ledger/query-log.ts";
import type { RequestContext } from "./request-context.ts";
import type { Surface, ToolAnswer, ToolDefinition } from "./surface.ts";

/** Concepts of one answer that are noted; the rest of a long list is not read either. */
const maxNoted = 50;

/** The same surface; its query tools note which concepts they used, after the answer is made. */
export function withQueryLog(surface: Surface, queries: QueryLog, session?: string): Surface {
  return { ...surface, tools: surface.tools.map((tool) => noting(tool, queries, session)) };
}

function noting(tool: ToolDefinition, queries: QueryLog, session: string | undefined): ToolDefinition {
  return {
    ...tool,
    async call(context, args) {
      const answer = await tool.call(context, args);
      if (answer.kind !== "ok" || answer.use === undefined) return answer;
      const { type, concepts, direction, depth } = answer.use;
      const common: LedgerEvent = {
        type,
        agent: agentIn(context),
        context: queries.keepsText ? textOf(args) : "",
        revision: revisionOf(answer),
        ...(session === undefined ? {} : { session }),
        ...(direction === undefined ? {} : { direction }),
        ...(depth === undefined ? {} : { depth }),
      };
      if (concepts.length === 0) queries.note(common);
      for (const { id, other, disclosure } of concepts.slice(0, maxNoted)) {
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

/** A token says who its holder is; without one there is what the program calls itself. */
function agentIn({ caller, clientName }: RequestContext): string {
  return caller.kind === "token" ? caller.name : (clientName ?? caller.name);
}

/** The arguments as they came; the query log keeps them only where the settings say so. */
function textOf(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}

function revisionOf(answer: Extract<ToolAnswer, { kind: "ok" }>): string {
  const { vocabulary } = answer.structured as {
    readonly vocabulary?: { readonly name: string; readonly revision: string };
  };
  return vocabulary ? `${vocabulary.name}@${vocabulary.revision}` : "";
}
