import { LedgerUnavailable } from "../port.ts";
import { SqliteFault } from "./sqlite-thread.ts";

/** The sentence for what SQLite said; anything else is a bug and goes on as it is. */
export function asLedgerError(error: unknown, path: string, wanted: "read" | "write"): unknown {
  if (!(error instanceof SqliteFault)) return error;
  const outcome = wanted === "write" ? " Nothing was recorded." : "";
  return new LedgerUnavailable(sentence(error, path) + outcome, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return error instanceof SqliteFault && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

export function isCorrupt(error: unknown): boolean {
  return error instanceof SqliteFault && /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(error.code);
}

export function isMoved(error: unknown): boolean {
  return error instanceof SqliteFault && error.code === "MOVED";
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof SqliteFault && /^SQLITE_(READONLY|CANTOPEN)/.test(error.code);
}

function sentence(error: SqliteFault, path: string): string {
  if (isBusy(error)) return `Another program has held the lock of the ledger ${path} for too long; try again.`;
  if (/^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)/.test(error.code)) {
    return `The disk that holds the ledger ${path} is full; free some space and try again.`;
  }
  if (/^SQLITE_READONLY/.test(error.code)) return `The ledger ${path} may only be read here; give write permission.`;
  if (/^SQLITE_CANTOPEN/.test(error.code)) return `The ledger ${path} cannot be opened or made; look at its folder.`;
  if (/^ERR_DLOPEN_FAILED$|^MODULE_NOT_FOUND$/.test(error.code) || /NODE_MODULE_VERSION/.test(error.message)) {
    return `The ledger ${path} cannot be opened: better-sqlite3 was built for another version of Node.js than ${process.version}; mend it with "npm rebuild better-sqlite3" where iaip-dsl is installed.`;
  }
  if (isCorrupt(error)) return `The ledger ${path} is damaged; "iaip-dsl ledger check" says more.`;
  return `The ledger ${path} cannot be used (${error.code}: ${error.message}).`;
}
