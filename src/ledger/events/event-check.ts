import { eventTypes, type LedgerEvent } from "./event.ts";

/** Bytes of UTF-8 that the context of one event may have. */
export const contextLimit = 16_384;
/** Characters (UTF-16 units) that an agent, session, concept or other name may have. */
export const nameLimit = 256;

/** Why the ledger would refuse the event, in a sentence; `undefined` when it would not. */
export function eventProblem(event: LedgerEvent): string | undefined {
  if (event.forgotten !== undefined) return nameProblem(event) ?? timeProblem(event.at);
  const bytes = Buffer.byteLength(event.context, "utf8");
  if (bytes > contextLimit) {
    return `The context has ${bytes} bytes and the limit is ${contextLimit}; it is not cut. Say it shorter.`;
  }
  return namesProblem(event) ?? timeProblem(event.at);
}

/** The part of it that looks at the names alone. */
export function namesProblem(event: LedgerEvent): string | undefined {
  if (event.agent.trim() === "") return "The agent has no name: give agent_id, the name this use should stand under.";
  return nameProblem(event);
}

/** Besides: a use that is told now says how or where. An imported one may have lost that on its way. */
export function useProblem(event: LedgerEvent): string | undefined {
  const isUse = event.type === undefined || event.type === "use";
  if (!isUse || event.context.trim() !== "") return eventProblem(event);
  return "The context is empty: say in a few words how or where the concept was used.";
}

function nameProblem(event: LedgerEvent): string | undefined {
  if (event.type !== undefined && !eventTypes.includes(event.type)) {
    return `"${event.type}" is no event type; the types are ${eventTypes.join(", ")}.`;
  }
  for (const field of ["agent", "session", "concept", "other", "direction", "revision", "id", "forgotten"] as const) {
    const length = event[field]?.length ?? 0;
    if (length > nameLimit) return `The ${field} has ${length} characters and the limit is ${nameLimit}.`;
  }
  if (event.id === "") return "The event id is empty; leave it out to have one made.";
  return undefined;
}

function timeProblem(at: string | undefined): string | undefined {
  if (at === undefined || (utcTime.test(at) && !Number.isNaN(Date.parse(at)))) return undefined;
  return `"${at}" is no time; write it as 2026-09-30T12:00:00.000Z.`;
}

/** Years 0001 to 9999, so that text order is time order in both stores. */
const utcTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
