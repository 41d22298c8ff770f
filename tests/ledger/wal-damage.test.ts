import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenLedgerOptions, openLedger } from "../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { bundled, startWriter } from "./support/child.ts";
import { counts, keptLog, tempFolder } from "./support/ledgers.ts";

let folder: ReturnType<typeof tempFolder>;
let path: string;
let opened: Ledger[];

beforeEach(() => {
  folder = tempFolder();
  path = join(folder.path, "wisdom.db");
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((ledger) => ledger.close()));
  folder.remove();
});

function open(where = path, options: Partial<OpenLedgerOptions> = {}): Ledger {
  const ledger = openLedger(where, { log: () => {}, now: () => new Date(), ...options });
  opened.push(ledger);
  return ledger;
}

function use(n: number) {
  return { concept: "kinship", agent: "mia", context: `use ${n}`, session: "s" };
}

function idsIn(file: string): ReadonlySet<string> {
  const db = new Database(file, { readonly: true });
  const rows = db.prepare("select id from event").all() as readonly { readonly id: string }[];
  db.close();
  return new Set(rows.map(({ id }) => id));
}

function asides(): readonly string[] {
  return readdirSync(dirname(path)).filter((name) => /damaged-[^-]+.*\d$/.test(name));
}

const damages: Readonly<Record<string, (wal: string) => void>> = {
  "is cut": (wal) => truncateSync(wal, Math.floor(statSync(wal).size / 2)),
  "is cut to nothing": (wal) => truncateSync(wal, 0),
  "is scrambled in its middle": (wal) => overwrite(wal, Math.floor(statSync(wal).size / 2), 9_000, 0xa5),
  "is replaced by zeros": (wal) => overwrite(wal, 0, statSync(wal).size, 0),
};

/** In place, as a failing disk or a careless program does: the inode stays. */
function overwrite(file: string, from: number, length: number, byte: number): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(length, byte), 0, length, from);
  closeSync(handle);
}

describe("a write-ahead file that", () => {
  it.each(Object.entries(damages))(
    "%s while the ledger is written is noticed: every acknowledged event is in the new file",
    async (_, damage) => {
      const { log, lines } = keptLog();
      const ledger = open(path, { log });
      const acknowledged: string[] = [];
      const record = async (n: number) => acknowledged.push((await ledger.record(use(n))).eventId);
      for (let n = 0; n < 60; n++) await record(n);
      damage(`${path}-wal`);
      for (let n = 60; n < 120; n++) await record(n);
      const present = idsIn(path);
      expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
      expect(asides()).toHaveLength(1);
      expect(lines).toEqual([expect.stringMatching(/^error: The ledger .* was damaged.*"carried":60,"lost":0/)]);
      expect(await ledger.check()).toMatchObject({ ok: true, problems: [], events: 120 });
    },
  );

  it.each(Object.entries(damages))(
    "%s under four processes that go on loses nothing they acknowledged",
    async (_, damage) => {
      const script = await bundled("tests/ledger/support/writer.ts", "wal-writer");
      const writers = Array.from({ length: 4 }, (_, i) =>
        startWriter(script, { where: path, agent: `p${i}`, count: counts(2_000, 250), callers: 4, patience: 45_000 }),
      );
      await Promise.all(writers.map(({ firstAcknowledged }) => firstAcknowledged));
      await new Promise((resolve) => setTimeout(resolve, 100));
      damage(`${path}-wal`);
      await Promise.all(writers.map(({ ended }) => ended));
      const acknowledged = writers.flatMap((writer) => writer.acknowledged);
      const report = await open().check();
      const present = idsIn(path);
      const lost = acknowledged.filter((id) => !present.has(id)).length;
      process.stdout.write(
        `write-ahead file ${_} under 4 processes: ${acknowledged.length} acknowledged, ${acknowledged.length - lost} present, ` +
          `${asides().length} set aside, check ${report.ok ? "ok" : report.problems.join(" ")}\n`,
      );
      expect(writers.flatMap((writer) => writer.refused)).toEqual([]);
      expect(lost).toBe(0);
    },
    120_000,
  );

  it.each([
    ["has a broken frame", (wal: string) => overwrite(wal, Math.floor(statSync(wal).size / 2), 40, 0xa5)],
    ["has lost its header", (wal: string) => overwrite(wal, 0, 32, 0)],
  ] as const)("%s when the ledger is opened is kept and said, and what it cost is counted", async (_, damage) => {
    const before = open();
    const acknowledged: string[] = [];
    for (let n = 0; n < 60; n++) acknowledged.push((await before.record(use(n))).eventId);
    const left = join(folder.path, "left.db");
    copyFileSync(path, left);
    copyFileSync(`${path}-wal`, `${left}-wal`);
    damage(`${left}-wal`);
    const { log, lines } = keptLog();
    const ledger = open(left, { log });
    const { eventId } = await ledger.record(use(99));
    const report = await ledger.check();
    const present = idsIn(left);
    const lost = acknowledged.filter((id) => !present.has(id)).length;
    expect(present.has(eventId)).toBe(true);
    expect(lines).toEqual([expect.stringMatching(/was damaged/)]);
    expect(report.ok).toBe(lost === 0);
    if (lost > 0) expect(report.problems.join()).toContain(`${lost} acknowledged events could not be carried over`);
    process.stdout.write(`write-ahead file ${_} at opening: ${acknowledged.length - lost} of 60 carried over\n`);
    expect(lost).toBeLessThan(10);
  });

  it("was cut while nobody wrote is noticed by a check, which says what was lost", async () => {
    const script = await bundled("tests/ledger/support/writer.ts", "wal-writer");
    const writer = startWriter(script, { where: path, agent: "p", callers: 1, patience: 45_000 });
    await writer.firstAcknowledged;
    const reader = new Database(path, { readonly: true });
    reader.prepare("select count(*) from event").get();
    const ledger = open();
    await ledger.record(use(1));
    writer.process.kill("SIGKILL");
    await writer.ended;
    await ledger.record(use(2));
    const known = idsIn(path).size;
    truncateSync(`${path}-wal`, 32 + 4_120 * 3);
    const report = await ledger.check();
    const kept = idsIn(path).size;
    reader.close();
    expect(report).toMatchObject({ ok: false });
    expect(report.problems.join()).toMatch(`${known - kept} acknowledged events could not be carried over`);
  });

  it("is as SQLite left it is never taken for damaged, whoever else writes and empties it", async () => {
    const { log, lines } = keptLog();
    const ledger = open(path, { log });
    await ledger.record(use(0));
    const other = new Database(path);
    for (let n = 1; n <= 200; n++) {
      await ledger.record(use(n));
      if (n % 7 === 0) other.pragma(`wal_checkpoint(${["passive", "full", "restart", "truncate"][n % 4]})`);
      if (n % 11 === 0) other.exec("begin immediate; rollback");
    }
    other.close();
    expect(lines).toEqual([]);
    expect(asides()).toEqual([]);
    expect(readFileSync(path).length).toBeGreaterThan(0);
    expect(idsIn(path).size).toBe(201);
  });
});
