import { resolve } from "node:path";
import type { Log } from "../base/log.ts";
import { eventId } from "./events/event-id.ts";
import { defaultLedgerPath } from "./ledger-path.ts";
import type { Ledger } from "./port.ts";
import { PostgresStore } from "./postgres/postgres-store.ts";
import { SqlLedger } from "./sql-ledger.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";

export interface OpenLedgerOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** Makes event ids; time-ordered ones keep a large ledger fast. */
  readonly newId?: (now: Date) => string;
  /** How long a write waits for a lock or a server that is away before it is refused, in milliseconds. */
  readonly patience?: number;
  readonly foldAfter?: number;
}

/** A few seconds: an agent that waits longer has given up; what is refused can be sent again. */
const defaultPatience = 5_000;

/**
 * The ledger at a file path or a `postgres://` URL; in the person's data folder when `where` is left out. Opens nothing
 * yet: drivers are loaded and files made on first use, and what fails then fails that use alone.
 */
export function openLedger(where: string | undefined, options: OpenLedgerOptions): Ledger {
  const { log, now, newId = eventId, patience = defaultPatience, foldAfter = 2_000 } = options;
  const store = isPostgres(where)
    ? new PostgresStore(where, { log, now, patience })
    : new SqliteStore(resolve(where ?? defaultLedgerPath()), { log, now, patience });
  return new SqlLedger(store, { log, now, newId, foldAfter });
}

function isPostgres(where: string | undefined): where is string {
  return where !== undefined && /^postgres(?:ql)?:\/\//.test(where);
}
