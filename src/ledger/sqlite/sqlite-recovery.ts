import { link, rename, stat, unlink } from "node:fs/promises";
import type { SqlRow } from "../sql.ts";
import { SqliteThread } from "./sqlite-thread.ts";

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
  return `${aside}-wal`;
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

/**
 * All rows that a damaged file still gives: each table is read from its beginning to the first fault, then from its end
 * back to there.
 */
export async function readDamaged(file: string, take: (table: KeptTable, rows: readonly SqlRow[]) => Promise<void>) {
  const thread = new SqliteThread();
  try {
    await thread.call({ op: "open", path: file, readonly: true, damaged: true });
    for (const table of keptTables) await readTable(thread, table, (rows) => take(table, rows));
  } catch {
    // Not a database any more, or not readable at all: what it gave is all it gives.
  } finally {
    await thread.stop();
  }
}

async function readTable(thread: SqliteThread, table: KeptTable, take: (rows: readonly SqlRow[]) => Promise<void>) {
  const forward = await readOneWay(thread, table, { after: ">", from: -1, order: "asc" }, take);
  if (!forward.whole) {
    await readOneWay(
      thread,
      table,
      { after: "<", from: Number.MAX_SAFE_INTEGER, order: "desc", stop: forward.last },
      take,
    );
  }
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
