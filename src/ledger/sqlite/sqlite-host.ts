import type BetterSqlite3 from "better-sqlite3";
import type { SqlRow, SqlValue, Statement } from "../sql.ts";

/** One request to the thread that owns the database file. The whole protocol between `SqliteThread` and the host. */
export type HostRequest =
  /** `damaged` reads what a shortened or broken file still gives, instead of refusing it whole. */
  | { readonly op: "open"; readonly path: string; readonly readonly: boolean; readonly damaged?: boolean }
  | { readonly op: "run"; readonly statements: readonly Statement[]; readonly write: boolean }
  | { readonly op: "exec"; readonly sql: string }
  | { readonly op: "backup"; readonly file: string }
  | { readonly op: "close" };

export type HostReply =
  | { readonly rows: readonly (readonly SqlRow[])[] }
  | { readonly error: { readonly code: string; readonly message: string } };

/**
 * The body of that thread. It must stand alone: its source is what the thread is started with (`sqlite-thread.ts` says
 * why), so it may use nothing of this module but types.
 */
export function sqliteHost(load: (id: string) => unknown, driver: string): void {
  const { parentPort } = load("node:worker_threads") as typeof import("node:worker_threads");
  const { statSync } = load("node:fs") as typeof import("node:fs");
  const Database = load(driver) as typeof BetterSqlite3;
  const prepared = new Map<string, BetterSqlite3.Statement<SqlValue[]>>();
  let db: BetterSqlite3.Database | undefined;
  let file = { path: "", inode: 0n };

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
    if (request.op === "backup") await db.backup(request.file);
    return request.op === "run" ? run(db, request.statements, request.write) : [];
  }

  function open(path: string, readonly: boolean, damaged?: boolean): SqlRow[][] {
    close();
    // A short wait: whoever asked waits longer by asking again, and can stop doing so.
    db = new Database(path, { readonly, timeout: 200 });
    file = { path, inode: inodeOf(path) };
    if (damaged) {
      db.unsafeMode(true);
      db.pragma("writable_schema = on");
    }
    return [];
  }

  function close(): SqlRow[][] {
    prepared.clear();
    db?.close();
    db = undefined;
    return [];
  }

  function run(on: BetterSqlite3.Database, statements: readonly Statement[], write: boolean): SqlRow[][] {
    // Somebody may have moved or deleted the file: what is written to it then would be lost to everyone else.
    if (write && inodeOf(file.path) !== file.inode) {
      throw Object.assign(new Error("the file was moved or replaced"), { code: "MOVED" });
    }
    on.exec(write ? "begin immediate" : "begin");
    try {
      const rows = statements.map((statement) => rowsOf(on, statement));
      on.exec("commit");
      return rows;
    } catch (error) {
      if (on.inTransaction) on.exec("rollback");
      throw error;
    }
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
