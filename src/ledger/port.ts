/** First sketch: the ledger's issue widens it; `record`'s promise stays. */
export interface LedgerEvent {
  readonly concept: string;
  readonly agent: string;
  readonly context: string;
  readonly session?: string;
}

export interface Recorded {
  readonly eventId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly storedIn: "sqlite" | "postgres";
  readonly totals: { readonly concept: number; readonly agent: number; readonly session?: number };
}

/** The ledger could not write: nothing was recorded. `message` is a sentence for the reader. */
export class LedgerUnavailable extends Error {
  override readonly name = "LedgerUnavailable";
}

export interface Ledger {
  /** Settles when the event is durable; rejects with `LedgerUnavailable`, and then nothing was recorded. */
  record(event: LedgerEvent): Promise<Recorded>;
  close(): Promise<void>;
}
