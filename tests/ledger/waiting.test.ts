import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import { type Ledger, LedgerMisconfigured } from "../../src/ledger/port.ts";
import { asLedgerError } from "../../src/ledger/sqlite/sqlite-errors.ts";
import { SqliteFault } from "../../src/ledger/sqlite/sqlite-thread.ts";
import { tempFolder } from "./support/ledgers.ts";
import { postgresOrNotRun } from "./support/postgres.ts";

let folder: ReturnType<typeof tempFolder>;
let opened: Ledger[];

beforeEach(() => {
  folder = tempFolder();
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((ledger) => ledger.close()));
  folder.remove();
});

function open(where: string, patience: number): Ledger {
  const ledger = openLedger(where, { log: () => {}, now: () => new Date(), patience });
  opened.push(ledger);
  return ledger;
}

const use = { concept: "kinship", agent: "mia", context: "a use" };

/** How long each call took until it was refused, in milliseconds. */
async function refusals(ledger: Ledger, calls: number): Promise<readonly number[]> {
  const begun = performance.now();
  return Promise.all(
    Array.from({ length: calls }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 100));
      await expect(ledger.record(use)).rejects.toThrow(/Nothing was recorded/);
      return performance.now() - begun;
    }),
  );
}

describe("while the ledger cannot be written", () => {
  it("calls behind each other are refused after one wait, not after one each", async () => {
    const path = join(folder.path, "wisdom.db");
    const patience = 2_000;
    const ledger = open(path, patience);
    await ledger.record(use);
    const other = new Database(path);
    other.exec("begin immediate");
    const took = await refusals(ledger, 6);
    other.exec("commit");
    other.close();
    expect(Math.max(...took)).toBeLessThan(2 * patience);
    expect((await ledger.record(use)).totals.concept).toBe(2);
  });

  it("because no PostgreSQL answers there, all calls are refused after one wait", async () => {
    const patience = 1_500;
    const ledger = open("postgres://nobody@127.0.0.1:9/none", patience);
    const took = await refusals(ledger, 6);
    expect(Math.max(...took)).toBeLessThan(2 * patience);
    await expect(ledger.summary({ concepts: [] })).rejects.toThrow(/cannot be reached now/);
  });
});

describe("a ledger that may only be read", () => {
  it("by a role with SELECT alone still gives its summary, and says what it may not do", async () => {
    const server = await postgresOrNotRun("a ledger read by a role with SELECT alone");
    if (!server) return;
    try {
      const url = await server.database();
      const first = open(url, 5_000);
      await first.record(use);
      const admin = new pg.Client({ connectionString: url });
      await admin.connect();
      const { rows } = await admin.query(
        "select table_schema as name from information_schema.tables where table_name = 'event'",
      );
      const schema = rows[0].name as string;
      await admin.query(
        `create role onlooker login password 'x'; grant usage on schema ${schema} to onlooker; grant select on all tables in schema ${schema} to onlooker`,
      );
      await admin.end();
      const as = new URL(url);
      as.username = "onlooker";
      as.password = "x";
      const onlooker = open(as.href, 1_000);
      expect((await onlooker.summary({ concepts: [] })).totals.events).toBe(1);
      await expect(onlooker.record(use)).rejects.toThrow(/lacks a right/);
      const tls = new URL(url);
      tls.searchParams.set("sslmode", "require");
      await expect(open(tls.href, 1_000).record(use)).rejects.toBeInstanceOf(LedgerMisconfigured);
      await Promise.all(opened.map((ledger) => ledger.close()));
    } finally {
      await server.dispose();
    }
  }, 60_000);
});

it("a native module of another Node line is said with the command that mends it", () => {
  const fault = new SqliteFault("ERR_DLOPEN_FAILED", "was compiled against a different Node.js version");
  expect((asLedgerError(fault, "wisdom.db", "write") as Error).message).toMatch(
    /another version of Node.*npm rebuild better-sqlite3/,
  );
});
