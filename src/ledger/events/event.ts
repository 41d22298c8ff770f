export const eventTypes = [
  "lookup",
  "relationship_query",
  "search",
  "validation",
  "context",
  "direction",
  "suggestion",
  "use",
  "withdrawal",
  "forget",
] as const;
export type EventType = (typeof eventTypes)[number];

/** How much of a concept was asked for; the origin's words. */
export const responseDepths = ["brief", "full", "relational"] as const;
export type ResponseDepth = (typeof responseDepths)[number];

/** What disclosure let through: everything, some parts, or the notice alone. */
export const disclosureResults = ["full", "partial", "withheld"] as const;
export type DisclosureResult = (typeof disclosureResults)[number];

/** What happened to one concept in one call. `record` takes it with `type` left out, as a `use`. */
export interface LedgerEvent {
  /** A concept id; left out where the call was about none (a search, a validation). */
  readonly concept?: string;
  readonly agent: string;
  /** What the agent says of the use. At most `contextLimit` bytes as UTF-8; longer is refused, never cut. */
  readonly context: string;
  readonly session?: string;
  readonly type?: EventType;
  /** The other end of a relation that was asked for. */
  readonly other?: string;
  /** The direction that was asked for. */
  readonly direction?: string;
  readonly depth?: ResponseDepth;
  readonly disclosure?: DisclosureResult;
  /** Name and revision of the vocabulary that answered. */
  readonly revision?: string;
  /** An event id makes writing the same event again harmless; a fresh one is made when it is left out. */
  readonly id?: string;
  /** ISO 8601, UTC; now when left out. Only imports and retries give it. */
  readonly at?: string;
  /** The act that emptied the event: an import carries tombstones over as tombstones. */
  readonly forgotten?: string;
}

/** An event as it stands in the ledger. A forgotten one is a tombstone: only `id`, `at`, `type` and `forgotten` remain. */
export interface StoredEvent {
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly type: EventType;
  readonly concept: string | null;
  readonly other: string | null;
  readonly direction: string | null;
  readonly agent: string;
  readonly session: string | null;
  /** `null` where the reader may not see the concept it speaks of. */
  readonly context: string | null;
  readonly depth: ResponseDepth | null;
  readonly disclosure: DisclosureResult | null;
  readonly revision: string | null;
  /** Id of the act that emptied this event; `null` for a living one. */
  readonly forgotten: string | null;
}

/** Which events a page, an export or a count takes. Days are whole UTC days, `YYYY-MM-DD`, both included. */
export interface EventFilter {
  readonly since?: string;
  readonly until?: string;
  readonly concept?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly types?: readonly EventType[];
}

export interface EventQuestion extends EventFilter {
  /** Whether this reader may see what was said of a concept; where not, `context` comes as `null`. */
  readonly mayRead: (concept: string) => boolean;
  /** Concepts this reader may not know of at all: their events are left out. */
  readonly hidden?: ReadonlySet<string>;
}

/** From when to when automatic logging of queries was on; `to` is the last moment it was seen on. */
export interface LoggingPeriod {
  readonly from: string;
  readonly to: string;
  /** Events that were dropped in it because the ledger could not keep up. */
  readonly dropped: number;
}
