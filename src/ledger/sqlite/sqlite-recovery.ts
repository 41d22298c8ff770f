import { copyFile, link, readdir, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { SqlRow } from "../sql.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import { type WalFile, walFile } from "./wal-file.ts";

/**
 * Moves a damaged file and what belongs to it aside, never over anything. `undefined` when another process has done so
 * already: the file at `path` is then a new one.
 */
export async function moveAside(path: string, damaged: bigint, stamp: string): Promise<string | undefined> {
  const aside = `${path}.damaged-${stamp}-${process.pid}`;
  if ((await inodeOf(path)) !== damaged) return undefined;
  if (!(await renamed(path, aside))) return undefined;
  if ((await inodeOf(aside)) !== damaged) {
    await link(aside, path).then(
      () => unlink(aside),
      () => undefined,
    );
    return undefined;
  }
  for (const suffix of ["-wal", "-shm"]) await rename(path + suffix, aside + suffix).catch(() => undefined);
  return aside;
}

/** `false` where the file is gone: another process moved it first. */
async function renamed(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}

/** Moves a write-ahead file aside whose ledger is empty or gone, once it is clear that nobody is just moving both. */
export async function moveOrphanAside(path: string, stamp: string): Promise<string | undefined> {
  if (!(await isOrphaned(path))) return undefined;
  await new Promise((resolve) => setTimeout(resolve, 200));
  if (!(await isOrphaned(path))) return undefined;
  const aside = `${path}.damaged-${stamp}-${process.pid}`;
  if (!(await renamed(`${path}-wal`, `${aside}-wal`))) return undefined;
  await rename(`${path}-shm`, `${aside}-shm`).catch(() => undefined);
  return aside;
}

/** The damaged file that a process set aside while this one had it open, by its inode. */
export async function setAside(path: string, inode: bigint): Promise<string | undefined> {
  const names = (await readdir(dirname(path)).catch(() => [])).filter(
    (name) => name.startsWith(`${basename(path)}.damaged-`) && !/-(wal|shm)$/.test(name),
  );
  for (const name of names) if ((await inodeOf(join(dirname(path), name))) === inode) return join(dirname(path), name);
  return undefined;
}

/** Whether SQLite would drop commits of the write-ahead file without a word; a second look excludes one that is just written. */
export async function hasBrokenWal(path: string): Promise<boolean> {
  const wal = walFile(createRequire(import.meta.url), `${path}-wal`);
  if (!isBroken(wal)) return false;
  await new Promise((resolve) => setTimeout(resolve, 200));
  return isBroken(wal);
}

/** Behind a break there may also be what a killed process never acknowledged: the index knows how far the promise goes. */
function isBroken(wal: WalFile): boolean {
  const { salt, frames, lostCommits } = wal.chain();
  if (lostCommits === 0) return false;
  const promised = wal.promised(salt);
  return promised === undefined || frames < promised;
}

async function isOrphaned(path: string): Promise<boolean> {
  const [ledger, wal] = await Promise.all([sizeOf(path), sizeOf(`${path}-wal`)]);
  return ledger === 0 && wal > 0;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}

export async function inodeOf(path: string): Promise<bigint> {
  return stat(path, { bigint: true }).then(
    (found) => found.ino,
    () => 0n,
  );
}

/** Tables that are worth carrying over, in the order they are read. */
export const keptTables = ["event", "concept_version", "act", "logging_period"] as const;
export type KeptTable = (typeof keptTables)[number];

/** What a damaged file gave. */
export interface ReadDamaged {
  /** Events that were in it at least: its highest row number. */
  readonly events: number;
  /** Whether every event could be read from the first to the last. */
  readonly isWhole: boolean;
}

/**
 * All rows that a damaged file and its write-ahead file still give: each table is read from its beginning to the first
 * fault, then from its end back to there. Read from a copy, so that both stay as they were found.
 */
export async function readDamaged(
  file: string,
  take: (table: KeptTable, rows: readonly SqlRow[]) => Promise<void>,
): Promise<ReadDamaged> {
  const thread = new SqliteThread();
  const copy = `${file}.reading`;
  let events = 0;
  let isWhole = false;
  try {
    await copyFile(file, copy).catch(() => writeFile(copy, "", { mode: 0o600 }));
    walFile(createRequire(import.meta.url), `${file}-wal`).applyTo(copy);
    await thread.call({ op: "open", path: copy, readonly: true, damaged: true });
    for (const table of keptTables) {
      const read = await readTable(thread, table, async (rows) => {
        if (table === "event") events = Math.max(events, ...rows.map(({ place }) => Number(place)));
        await take(table, rows);
      });
      if (table === "event") isWhole = read;
    }
  } catch {
    // Not a database any more, or not readable at all: what it gave is all it gives.
  } finally {
    await thread.stop();
    for (const suffix of ["", "-wal", "-shm"]) await rm(copy + suffix, { force: true });
  }
  return { events, isWhole };
}

/** Whether the table could be read without a fault. */
async function readTable(
  thread: SqliteThread,
  table: KeptTable,
  take: (rows: readonly SqlRow[]) => Promise<void>,
): Promise<boolean> {
  const forward = await readOneWay(thread, table, { after: ">", from: -1, order: "asc" }, take);
  if (!forward.whole) {
    await readOneWay(
      thread,
      table,
      { after: "<", from: Number.MAX_SAFE_INTEGER, order: "desc", stop: forward.last },
      take,
    );
  }
  return forward.whole;
}

interface Way {
  readonly after: ">" | "<";
  readonly from: number;
  readonly order: "asc" | "desc";
  readonly stop?: number;
}

async function readOneWay(
  thread: SqliteThread,
  table: KeptTable,
  way: Way,
  take: (rows: readonly SqlRow[]) => Promise<void>,
): Promise<{ readonly whole: boolean; readonly last: number }> {
  let last = way.from;
  for (let size = 500; ; ) {
    const sql = `select rowid as place, * from ${table} not indexed where rowid ${way.after} ? and rowid > ?
      order by rowid ${way.order} limit ${size}`;
    const statements = [{ sql, values: [last, way.stop ?? -1] }];
    const rows = await thread.call({ op: "run", statements, write: false }).then(
      (all) => all[0] ?? [],
      () => undefined,
    );
    if (rows === undefined && size === 1) return { whole: false, last };
    if (rows === undefined) {
      size = Math.max(1, Math.floor(size / 8));
      continue;
    }
    if (rows.length === 0) return { whole: true, last };
    await take(rows);
    last = Number(rows.at(-1)?.place);
  }
}
