import type { CheckReport, ConceptVersion, ConceptWords, ForgetRequest, Forgotten, Received } from "./records.ts";
import type { Summary, SummaryQuestion } from "./summary.ts";

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

export interface Recorded {
  readonly eventId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly storedIn: "sqlite" | "postgres";
  /** Events in the ledger with this concept, agent and session, this one included. */
  readonly totals: { readonly concept: number; readonly agent: number; readonly session?: number };
}

/** Of a batch: how many are new, how many the ledger already had by their id. All of them are durable. */
export interface BatchRecorded {
  readonly written: number;
  readonly known: number;
}

/** The ledger could not write or read: nothing was recorded. `message` is a sentence for the reader. */
export class LedgerUnavailable extends Error {
  override readonly name = "LedgerUnavailable";
}

/** The event itself cannot be kept as it is (an empty agent, a context over the limit): nothing was recorded. */
export class LedgerRefused extends Error {
  override readonly name = "LedgerRefused";
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

export interface Ledger {
  /** Where events go, in words: a file or a server, never with a password. */
  readonly where: string;
  /**
   * Settles when the event is durable. Rejects with `LedgerUnavailable` or `LedgerRefused`, and then nothing was
   * recorded.
   */
  record(event: LedgerEvent): Promise<Recorded>;
  /** Many events in one transaction: all are durable, or none. Same rejections. */
  recordBatch(events: readonly LedgerEvent[]): Promise<BatchRecorded>;
  summary(question: SummaryQuestion): Promise<Summary>;
  /** Events in the order they were written, in pages; holds no lock between pages. */
  events(question: EventQuestion): AsyncIterable<readonly StoredEvent[]>;
  /** Events that `events` would give, for progress; tombstones count. */
  countEvents(filter: EventFilter): Promise<number>;
  /** Empties what the request names, leaves tombstones, and records the act. */
  forget(request: ForgetRequest): Promise<Forgotten>;
  /** Who was told of a concept, as far as the ledger can know. */
  received(concept: string): Promise<Received>;
  /** Keeps a version of each concept whose content differs from its last version. Returns the versions that are new. */
  recordVersions(concepts: readonly ConceptWords[]): Promise<readonly ConceptVersion[]>;
  /** All versions of one concept, oldest first. */
  history(concept: string): Promise<readonly ConceptVersion[]>;
  /** Says that query logging is on in this run since `from`, was still on at `to`, and how much it dropped so far. */
  markLogging(run: string, period: LoggingPeriod): Promise<void>;
  /** Reads everything and compares the kept counts with a recount. */
  check(): Promise<CheckReport>;
  /** A consistent copy as a file. Rejects where the store has its own way, naming it. */
  backup(file: string): Promise<{ readonly file: string; readonly bytes: number }>;
  /** Waits for what was acknowledged to be on disk, gives up what was not, and lets go of the store. */
  close(): Promise<void>;
}
