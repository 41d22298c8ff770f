import type { EventRow } from "./events/event-row.ts";
import type { SqlRow, Statement } from "./sql.ts";

/** Where a page of events ended; opaque to everyone but the store that made it. */
export type Place = readonly (string | number)[];

export interface Inserted {
  /** For each row, whether the store had its id already: then it was not written again. */
  readonly known: readonly boolean[];
  /** Events by `concept`, `agent` and `session` with all of these rows in, keyed by the row's own text. */
  readonly totals: Readonly<Record<"concept" | "agent" | "session", ReadonlyMap<string, number>>>;
}

/** What a condition on events is made of; see `event-where.ts`. */
export interface Where {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/**
 * One kind of database. Everything rejects with `LedgerUnavailable` in words when the database cannot do it. The tables
 * of counts have the same names in both (`counts-schema.ts`), so that all that reads them is written once.
 */
export interface LedgerStore {
  readonly kind: "sqlite" | "postgres";
  readonly where: string;
  /** All rows in one transaction; settles when they are durable. Totals are counted only `with-totals`. */
  insert(rows: readonly EventRow[], answer: "with-totals" | "no-totals"): Promise<Inserted>;
  /**
   * All statements in one transaction that writes. Gives the rows of each. `patience` is how long, in milliseconds, it
   * may wait for another program's lock.
   */
  write(statements: readonly Statement[], patience?: number): Promise<readonly (readonly SqlRow[])[]>;
  /** All statements on one state of the database. */
  read(statements: readonly Statement[]): Promise<readonly (readonly SqlRow[])[]>;
  /** Gives a row when there are events that are not counted yet. */
  readonly anyUncounted: Statement;
  /** Puts events that are not counted yet into `picked`: the first statements of a fold. */
  readonly pickUncounted: readonly Statement[];
  /** Says that what is in `picked` is counted, and empties it: the last statements of a fold or a forgetting. */
  readonly unpick: readonly Statement[];
  /** Condition on `event`: it is in the kept counts. */
  readonly isCounted: string;
  /** Puts events into `picked` by a condition. */
  pick(where: Where): Statement;
  /** The next events after `place`, at most `limit`, each row with its own place in it. */
  page(where: Where, place: Place | undefined, limit: number): Statement;
  placeOf(row: SqlRow): Place;
  /** After a forgetting: wipes what the database keeps of old rows, and says what it cannot reach. */
  wipe(): Promise<readonly string[]>;
  check(): Promise<{
    readonly problems: readonly string[];
    readonly schemaVersion: number;
    readonly durability: string;
  }>;
  backup(file: string): Promise<{ readonly file: string; readonly bytes: number }>;
  /** Ends all waiting for locks and servers: what is not done then is refused. */
  giveUp(): void;
  close(): Promise<void>;
}
