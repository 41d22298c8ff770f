import { createHash } from "node:crypto";
import { ref, resolve } from "../../core/queries/resolve.ts";
import { escapeMarkdown } from "../../core/render/markdown.ts";
import { LedgerRefused, LedgerUnavailable } from "../../ledger/port.ts";
import type { RequestContext } from "../request-context.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok, refused, unresolved } from "./tool.ts";

const nothingRecorded = "Nothing was recorded. ";

export const wisdomLedgerLog = defineTool({
  name: "iaip_wisdom_ledger_log",
  toolset: "ledger",
  title: "Record a use of a concept",
  description:
    "Records in the Wisdom Ledger that a concept was used: by which agent, where, in which session. Use it after a " +
    "concept shaped your work. It is answered only once the event is on disk. Do not put community knowledge or " +
    "personal data into the context: it is a usage log, nothing more.",
  input: {
    properties: {
      concept: { type: "string", description: "The concept that was used, by id or by any name" },
      agent_id: { type: "string", description: "ID of the agent using the concept" },
      context: { type: "string", description: "Brief description of how/where the concept was used" },
      session_id: { type: "string", description: "Session identifier for continuity tracking" },
    },
    required: ["concept", "agent_id", "context"],
  },
  output: {
    recorded: shape.always(true),
    event_id: shape.text,
    at: shape.text,
    concept: shape.conceptRef,
    stored_in: shape.choice(["sqlite", "postgres"]),
    totals: shape.object({ concept: shape.whole, agent: shape.whole, session: shape.whole }, ["session"]),
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  scope: "log",
  refusal: nothingRecorded,
  async answer({ context, view, args }) {
    const resolved = resolve(view, args.concept);
    if (resolved.kind !== "found") {
      const answer = unresolved("concept", resolved);
      return { ...answer, text: `${nothingRecorded}${answer.text}` };
    }
    const concept = ref(resolved.concept);
    try {
      const recorded = await context.ledger.record({
        ...eventIdOf(context, concept.id, args),
        concept: concept.id,
        agent: args.agent_id,
        context: args.context,
        ...(args.session_id === undefined ? {} : { session: args.session_id }),
        disclosure: resolved.concept.disclosure,
        revision: `${view.vocabulary.name}@${view.revision}`,
      });
      const { concept: byConcept, agent } = recorded.totals;
      return ok(
        `Recorded: **${escapeMarkdown(concept.name)}** (\`${concept.id}\`), event ${recorded.eventId}, ${recorded.at}. ` +
          `The ledger now holds ${byConcept} ${byConcept === 1 ? "use" : "uses"} of this concept and ${agent} by this agent.`,
        {
          recorded: true,
          event_id: recorded.eventId,
          at: recorded.at,
          concept,
          stored_in: recorded.storedIn,
          totals: recorded.totals,
        },
      );
    } catch (error) {
      if (!(error instanceof LedgerUnavailable || error instanceof LedgerRefused)) throw error;
      return refused(`${nothingRecorded}${error.message}`);
    }
  },
});

/**
 * With a key of the client's the event's id follows from the key and all that is recorded, so that a call sent again
 * after a lost answer writes nothing new, and another use is never taken for the same one.
 */
function eventIdOf(
  { idempotencyKey, caller }: RequestContext,
  concept: string,
  { agent_id, context, session_id }: Readonly<Record<"agent_id" | "context" | "session_id", string | undefined>>,
): { readonly id?: string } {
  if (idempotencyKey === undefined) return {};
  const facts = JSON.stringify([idempotencyKey, caller.kind, caller.name, concept, agent_id, context, session_id]);
  return { id: `key-${createHash("sha256").update(facts).digest("hex")}` };
}
