import { type SqlRow, text, textOrNull } from "../sql.ts";
import type { DisclosureResult, EventType, LedgerEvent, ResponseDepth, StoredEvent } from "./event.ts";
import { originalText, storedText } from "./stored-text.ts";

/** An event as its row in the table `event`; texts in stored form. */
export interface EventRow {
  readonly id: string;
  readonly at: string;
  readonly type: EventType;
  readonly concept: string | null;
  readonly other: string | null;
  readonly direction: string | null;
  readonly agent: string;
  readonly session: string | null;
  readonly context: string;
  readonly depth: ResponseDepth | null;
  readonly disclosure: DisclosureResult | null;
  readonly revision: string | null;
  /** The act that emptied it, for tombstones that are imported. */
  readonly forgotten: string | null;
}

export const eventColumns = [
  "id",
  "at",
  "type",
  "concept",
  "other",
  "direction",
  "agent",
  "session",
  "context",
  "depth",
  "disclosure",
  "revision",
  "forgotten",
] as const satisfies readonly (keyof EventRow)[];

export function eventRow(event: LedgerEvent, made: { readonly id: string; readonly at: string }): EventRow {
  return {
    id: storedText(event.id ?? made.id),
    at: event.at === undefined ? made.at : milliseconds(event.at),
    type: event.type ?? "use",
    concept: storedOrNull(event.concept),
    other: storedOrNull(event.other),
    direction: storedOrNull(event.direction),
    agent: storedText(event.agent),
    session: storedOrNull(event.session),
    context: storedText(event.context),
    depth: event.depth ?? null,
    disclosure: event.disclosure ?? null,
    revision: storedOrNull(event.revision),
    forgotten: storedOrNull(event.forgotten),
  };
}

export function storedEvent(row: SqlRow, mayRead: (concept: string) => boolean): StoredEvent {
  const original = (column: string) => nullable(textOrNull(row, column), originalText);
  const concept = original("concept");
  const other = original("other");
  const readable = [concept, other].every((id) => id === null || mayRead(id));
  return {
    id: originalText(text(row, "id")),
    at: text(row, "at"),
    type: text(row, "type") as EventType,
    concept,
    other,
    direction: original("direction"),
    agent: originalText(text(row, "agent")),
    session: original("session"),
    context: readable ? originalText(text(row, "context")) : null,
    depth: textOrNull(row, "depth") as ResponseDepth | null,
    disclosure: textOrNull(row, "disclosure") as DisclosureResult | null,
    revision: original("revision"),
    forgotten: textOrNull(row, "forgotten"),
  };
}

function milliseconds(at: string): string {
  return at.length === 24 ? at : new Date(at).toISOString();
}

function storedOrNull(value: string | undefined): string | null {
  return value === undefined || value === "" ? null : storedText(value);
}

function nullable<T>(value: string | null, map: (value: string) => T): T | null {
  return value === null ? null : map(value);
}
