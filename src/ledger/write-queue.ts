import type { EventRow } from "./events/event-row.ts";
import type { Inserted, LedgerStore } from "./store.ts";

export interface Written {
  readonly known: boolean;
  readonly totals: { readonly concept: number; readonly agent: number; readonly session?: number };
}

interface Waiting {
  readonly row: EventRow;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

/** Rows of one commit: a commit costs the same flush to disk for one as for many. */
const maxRowsInOneCommit = 500;

/** Callers that come while a commit is under way share the next one. */
export class WriteQueue {
  readonly #store: LedgerStore;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  add(row: EventRow): Promise<Written> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Settles when all that was added has been answered. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxRowsInOneCommit);
      try {
        answer(
          batch,
          await this.#store.insert(
            batch.map(({ row }) => row),
            "with-totals",
          ),
        );
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }
}

/** Everyone is told the totals as they were with their own event in and later ones of the commit not yet. */
function answer(batch: readonly Waiting[], { known, totals }: Inserted): void {
  const later = {
    concept: new Map<string, number>(),
    agent: new Map<string, number>(),
    session: new Map<string, number>(),
  };
  for (const [i, { row, resolve }] of [...batch.entries()].toReversed()) {
    const isKnown = known[i] === true;
    const total = (kind: "concept" | "agent" | "session") => {
      const key = row[kind] ?? "";
      const after = later[kind].get(key) ?? 0;
      if (!isKnown) later[kind].set(key, after + 1);
      return (totals[kind].get(key) ?? 0) - after;
    };
    const counted = { concept: total("concept"), agent: total("agent") };
    resolve({ known: isKnown, totals: row.session === null ? counted : { ...counted, session: total("session") } });
  }
}
