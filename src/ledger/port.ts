import type { EventFilter, EventQuestion, LedgerEvent, LoggingPeriod, StoredEvent } from "./events/event.ts";
import type { CheckReport, ConceptContent, ConceptVersion, ForgetRequest, Forgotten, Received } from "./records.ts";
import type { Summary, SummaryQuestion } from "./summary/summary.ts";

export type { LedgerEvent } from "./events/event.ts";

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
  override readonly name: string = "LedgerUnavailable";
}

/** The address of the ledger asks for what its server does not have: trying again does not help, another setting does. */
export class LedgerMisconfigured extends LedgerUnavailable {
  override readonly name = "LedgerMisconfigured";
}

/** The event itself cannot be kept as it is (an empty agent, a context over the limit): nothing was recorded. */
export class LedgerRefused extends Error {
  override readonly name = "LedgerRefused";
}

export interface Ledger {
  /** Where events go, in words: a file or a server, never with a password. */
  readonly where: string;
  /**
   * Settles when the event is durable. Rejects with `LedgerUnavailable` or `LedgerRefused`, and then nothing was
   * recorded.
   */
  record(event: LedgerEvent): Promise<Recorded>;
  /** Many events in one transaction: all are durable, or none. Same rejections. None at all asks whether it could. */
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
  recordVersions(concepts: readonly ConceptContent[]): Promise<readonly ConceptVersion[]>;
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
