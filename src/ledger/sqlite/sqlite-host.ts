import type BetterSqlite3 from "better-sqlite3";
import type { SqlRow, SqlValue, Statement } from "../sql.ts";
import type { WalChain, WalFile } from "./wal-file.ts";

/** One request to the thread that owns the database file. The whole protocol between `SqliteThread` and the host. */
export type HostRequest =
  /** `damaged` reads what a shortened or broken file still gives, instead of refusing it whole. */
  | { readonly op: "open"; readonly path: string; readonly readonly: boolean; readonly damaged?: boolean }
  | { readonly op: "run"; readonly statements: readonly Statement[]; readonly write: boolean }
  | { readonly op: "exec"; readonly sql: string }
  /** Reads the whole write-ahead file and compares it with what SQLite believes to be in it. */
  | { readonly op: "verify" }
  | { readonly op: "backup"; readonly file: string }
  | { readonly op: "close" };

export type HostReply =
  | { readonly rows: readonly (readonly SqlRow[])[] }
  | { readonly error: { readonly code: string; readonly message: string } };

/**
 * The body of that thread. It must stand alone: its source is what the thread is started with (`sqlite-thread.ts` says
 * why), so it may use nothing of this module but types.
 */
export function sqliteHost(
  load: (id: string) => unknown,
  driver: string,
  walFile: (load: (id: string) => unknown, path: string) => WalFile,
): void {
  const { parentPort } = load("node:worker_threads") as typeof import("node:worker_threads");
  const { readFileSync, statSync } = load("node:fs") as typeof import("node:fs");
  const Database = load(driver) as typeof BetterSqlite3;
  const prepared = new Map<string, BetterSqlite3.Statement<SqlValue[]>>();
  let db: BetterSqlite3.Database | undefined;
  let file = { path: "", inode: 0n };
  let wal: WalFile | undefined;
  /** The write-ahead file as it was after our last commit: everything up to there was verified. */
  let verified: { readonly stamp: string; readonly chain: WalChain } | undefined;
  /** A file's time of change is too coarse to show every change between two commits: now and then all of it is read. */
  const readAllEvery = 250;
  let readAllAt = 0;

  parentPort?.on("message", ({ id, request }: { id: number; request: HostRequest }) => {
    void answer(request).then((reply) => parentPort.postMessage({ id, reply }));
  });

  async function answer(request: HostRequest): Promise<HostReply> {
    try {
      return { rows: await act(request) };
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return { error: { code: code ?? "ERROR", message } };
    }
  }

  async function act(request: HostRequest): Promise<SqlRow[][]> {
    if (request.op === "open") return open(request.path, request.readonly, request.damaged);
    if (request.op === "close") return close();
    if (!db) throw Object.assign(new Error("the database is not open"), { code: "CLOSED" });
    if (request.op === "exec") db.exec(request.sql);
    if (request.op === "verify") verifyAll();
    if (request.op === "backup") await db.backup(request.file);
    return request.op === "run" ? run(db, request.statements, request.write) : [];
  }

  function open(path: string, readonly: boolean, damaged?: boolean): SqlRow[][] {
    close();
    // A short wait: whoever asked waits longer by asking again, and can stop doing so.
    db = readonly ? openForReading(path) : new Database(path, { timeout: 200 });
    file = { path, inode: inodeOf(path) };
    wal = readonly ? undefined : walFile(load, `${path}-wal`);
    verified = undefined;
    if (damaged) {
      db.unsafeMode(true);
      db.pragma("writable_schema = on");
    }
    return [];
  }

  /** On a disk that may only be read SQLite cannot make the index of a write-ahead file: then the file is read as it is. */
  function openForReading(path: string): BetterSqlite3.Database {
    const opened = new Database(path, { readonly: true, timeout: 200 });
    try {
      opened.pragma("schema_version");
      return opened;
    } catch (error) {
      const { code } = error as { readonly code?: string };
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      opened.close();
      if (!/^SQLITE_(CANTOPEN|READONLY)/.test(code ?? "") || size < 100 || size > 512 * 1024 * 1024) throw error;
      const bytes = readFileSync(path);
      bytes.fill(1, 18, 20);
      return new Database(bytes, { readonly: true });
    }
  }

  function close(): SqlRow[][] {
    prepared.clear();
    db?.close();
    db = undefined;
    wal = undefined;
    return [];
  }

  function run(on: BetterSqlite3.Database, statements: readonly Statement[], write: boolean): SqlRow[][] {
    on.exec(write ? "begin immediate" : "begin");
    try {
      if (write) refuseWhatIsLost();
      const rows = statements.map((statement) => rowsOf(on, statement));
      on.exec("commit");
      if (write) verifyCommit();
      return rows;
    } catch (error) {
      if (on.inTransaction) on.exec("rollback");
      throw error;
    }
  }

  /** Under the lock: what is written to a moved file, or behind a break in the chain, would be lost. */
  function refuseWhatIsLost(): void {
    if (inodeOf(file.path) !== file.inode) {
      throw Object.assign(new Error("the file was moved or replaced"), { code: "MOVED" });
    }
    const stamp = wal?.stamp() ?? "";
    if (!wal || (stamp === verified?.stamp && performance.now() - readAllAt < readAllEvery)) return;
    const chain = wal.chain();
    readAllAt = performance.now();
    const isShorter = verified?.chain.salt === chain.salt && chain.frames < verified.chain.frames;
    const hasNoHeader = chain.salt === "" && chain.lostCommits > 0;
    if (isShorter || hasNoHeader) {
      db?.exec("rollback");
      confirm();
      db?.exec("begin immediate");
      verified = { stamp: wal.stamp(), chain: wal.chain() };
      return;
    }
    verified = { stamp, chain };
  }

  /** Before a commit is acknowledged: it must be found again in the file, in one chain from the beginning. */
  function verifyCommit(): void {
    const stamp = wal?.stamp() ?? "";
    if (!wal || !verified || stamp === verified.stamp) return;
    const chain = wal.chain(verified.chain);
    const isIn = chain.salt !== verified.chain.salt ? chain.frames > 0 : chain.frames > verified.chain.frames;
    if (isIn || wasEmptied(stamp)) {
      verified = { stamp, chain };
      return;
    }
    confirm();
    verified = { stamp: wal.stamp(), chain: wal.chain() };
  }

  /** A process that is killed before its commit is in the index leaves one that the next overwrites: no damage. */
  function confirm(): void {
    verified = undefined;
    verifyAll();
  }

  /** Whether another process has put everything into the database since, and the file begins anew. */
  function wasEmptied(stamp: string): boolean {
    if (!stamp.startsWith("0 ")) return false;
    return framesInUse() === 0;
  }

  function framesInUse(): number {
    const [state] = (db?.pragma("wal_checkpoint(noop)") ?? []) as readonly { readonly log: number }[];
    return state?.log ?? 0;
  }

  /** Another process may begin the file anew between the two looks: damage is what stays. */
  function verifyAll(): void {
    for (let looks = 0; looks < 3; looks++) {
      const inUse = framesInUse();
      const chain = wal?.chain();
      if (!chain || chain.frames >= inUse) return;
    }
    throw damage("does not hold what was committed");
  }

  function damage(what: string): Error {
    return Object.assign(new Error(`the write-ahead file ${what}`), { code: "SQLITE_CORRUPT_WAL" });
  }

  function rowsOf(on: BetterSqlite3.Database, { sql, values, each }: Statement): SqlRow[] {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = on.prepare<SqlValue[]>(sql);
      prepared.set(sql, statement);
    }
    const rows: SqlRow[] = [];
    for (const given of each ?? [values ?? []]) {
      if (statement.reader) rows.push(...(statement.all(...given) as SqlRow[]));
      else rows.push({ changes: statement.run(...given).changes });
    }
    return rows;
  }

  function inodeOf(path: string): bigint {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
  }
}
