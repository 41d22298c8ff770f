import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../../src/base/log.ts";
import { type OpenLedgerOptions, openLedger } from "../../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../../src/ledger/port.ts";
import { PostgresStore } from "../../../src/ledger/postgres/postgres-store.ts";
import { SqliteStore } from "../../../src/ledger/sqlite/sqlite-store.ts";
import type { LedgerStore } from "../../../src/ledger/store.ts";
import { postgresOrNotRun } from "./postgres.ts";

/** Full counts of the drills when `IAIP_LONG=1`, small ones in everyday runs. */
export function counts(full: number, small: number): number {
  return process.env.IAIP_LONG === "1" ? full : small;
}

export function tempFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "ledger-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A log that keeps its lines. */
export function keptLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, log: (level, message, data) => lines.push(`${level}: ${message} ${JSON.stringify(data ?? {})}`) };
}

/** A clock that moves a millisecond with every look. */
export function tickingClock(start = "2026-11-30T10:00:00.000Z"): { now(): Date; set(at: string): void } {
  let at = Date.parse(start);
  return {
    now: () => new Date(at++),
    set: (next) => {
      at = Date.parse(next);
    },
  };
}

export interface Bench {
  /** A place that has no ledger yet: a file path or a URL. */
  place(): Promise<string>;
  open(where: string, options?: Partial<OpenLedgerOptions>): Ledger;
  /** The store below such a ledger, for a recount that passes by the kept counts. */
  store(where: string): LedgerStore;
  /** Closes everything that was opened and removes it. */
  dispose(): Promise<void>;
}

/** Both kinds for one test file; SQLite alone when this machine has no PostgreSQL and the run was told so. */
export async function ledgerBenches(): Promise<readonly (readonly ["sqlite" | "postgres", Bench])[]> {
  const [sqlite, postgres] = await Promise.all([ledgerBench("sqlite"), ledgerBench("postgres")]);
  return [...(sqlite ? [["sqlite", sqlite] as const] : []), ...(postgres ? [["postgres", postgres] as const] : [])];
}

async function ledgerBench(kind: "sqlite" | "postgres"): Promise<Bench | undefined> {
  const server = kind === "postgres" ? await postgresOrNotRun("the ledger over PostgreSQL") : undefined;
  if (kind === "postgres" && !server) return undefined;
  const folder = tempFolder();
  const opened: { close(): Promise<void> }[] = [];
  let places = 0;
  return {
    async place() {
      return server ? server.database() : join(folder.path, `${++places}`, "wisdom.db");
    },
    open(where, options = {}) {
      const ledger = openLedger(where, { log: () => {}, now: () => new Date(), ...options });
      opened.push(ledger);
      return ledger;
    },
    store(where) {
      const options = { log: () => {}, now: () => new Date(), patience: 10_000 };
      const store = kind === "postgres" ? new PostgresStore(where, options) : new SqliteStore(where, options);
      opened.push(store);
      return store;
    },
    async dispose() {
      await Promise.all(opened.map((ledger) => ledger.close()));
      await server?.dispose();
      folder.remove();
    },
  };
}
