import { chmod, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Log } from "../../base/log.ts";
import { LedgerUnavailable } from "../port.ts";
import type { Statement } from "../sql.ts";
import { count, text } from "../sql.ts";
import { connectionSchema, sqliteSteps } from "./sqlite-schema.ts";
import { SqliteFault, type SqliteThread } from "./sqlite-thread.ts";

export const schemaVersion = sqliteSteps.length;

/** Says that a SQLite file is a ledger of this project: "IAIP" in ASCII. */
const applicationId = 0x49414950;

/**
 * WAL lets one writer and many readers share the file; FULL makes every commit reach the disk before it is
 * acknowledged; a checkpoint runs by itself each 1,000 pages; what is deleted is overwritten with zeros.
 */
const openingPragmas = `pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 1000;
  pragma journal_size_limit = 67108864; pragma secure_delete = on; pragma cache_size = -16384`;

export interface OpenFileOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** All steps of the schema; another list only in the test of the steps themselves. */
  readonly steps?: readonly (readonly string[])[];
}

/** Opens the file for writing, makes it when it is not there, and brings it to the present version. */
export async function openSqliteFile(
  thread: SqliteThread,
  path: string,
  { log, now, steps = sqliteSteps }: OpenFileOptions,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new LedgerUnavailable(`The folder of the ledger ${path} cannot be made (${error.message}).`, {
      cause: error,
    });
  });
  await refuseWhatIsNoFile(path);
  await refuseForeign(path);
  await thread.call({ op: "open", path, readonly: false });
  const found = await versionOf(thread);
  if (found.tables > 0 && found.application !== applicationId) throw foreign(path);
  await thread.call({ op: "exec", sql: openingPragmas });
  await thread.call({ op: "exec", sql: connectionSchema });
  if (found.version > steps.length) throw newer(path, found.version, steps.length);
  if (found.version === steps.length) return;
  if (found.version === 0) await chmod(path, 0o600).catch(() => undefined);
  else await keepCopy(thread, path, found.version, { log, now });
  for (const [step, statements] of [...steps.entries()].slice(found.version)) await take(thread, step, statements);
}

/** A device or a folder is never opened as a ledger, and its rights are never changed. */
async function refuseWhatIsNoFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile())
    throw new LedgerUnavailable(`${path} is not a file; name a file for the ledger, or use --ledger none.`);
}

/** Refuses a file that is no SQLite database, or that says it belongs to another program, before anything touches it. */
export async function refuseForeign(path: string): Promise<void> {
  const header = await headerOf(path);
  if (header === undefined || header.length === 0) return;
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new LedgerUnavailable(
      `${path} is not a ledger: it does not begin as an SQLite database does. It was left as it is. ` +
        "Name another file with --ledger; if it was a ledger, move it away and put a backup in its place. Nothing was recorded.",
    );
  }
  const application = header.length < 100 ? 0 : header.readUInt32BE(68);
  if (application !== 0 && application !== applicationId) throw foreign(path);
}

/** Whether the file says that it is a ledger, or is so new that all of it is still in its write-ahead file. */
export async function saysItIsLedger(path: string): Promise<boolean> {
  await refuseForeign(path);
  const header = await headerOf(path);
  if (header === undefined || header.length < 100) return true;
  // Another process may have moved it just now.
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  return header.readUInt32BE(68) === applicationId || size <= 4_096;
}

async function headerOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function versionOf(
  thread: SqliteThread,
): Promise<{ readonly version: number; readonly tables: number; readonly application: number }> {
  const statements: Statement[] = [
    { sql: "select user_version as n from pragma_user_version" },
    { sql: "select count(*) as n from sqlite_schema" },
    { sql: "select application_id as n from pragma_application_id" },
  ];
  const [version, tables, application] = await thread.call({ op: "run", statements, write: false });
  return { version: count(version?.[0]), tables: count(tables?.[0]), application: count(application?.[0]) };
}

/** One step in one transaction. When another process has taken it meanwhile, that is as good. */
async function take(thread: SqliteThread, step: number, sqls: readonly string[]): Promise<void> {
  const statements = [...sqls, `pragma user_version = ${step + 1}`].map((sql) => ({ sql }));
  if (step === 0) statements.push({ sql: `pragma application_id = ${applicationId}` });
  try {
    await thread.call({ op: "run", statements, write: true });
  } catch (error) {
    const taken = error instanceof SqliteFault && error.code === "SQLITE_ERROR";
    if (!taken || (await versionOf(thread)).version <= step) throw error;
  }
}

async function keepCopy(thread: SqliteThread, path: string, version: number, { log, now }: OpenFileOptions) {
  const file = `${path}.version-${version}-${fileStamp(now())}`;
  await thread.call({ op: "backup", file });
  await chmod(file, 0o600).catch(() => undefined);
  const message = "The ledger is brought to a newer version of its file; a copy of the old one is kept.";
  log("info", message, { path, copy: file });
}

/** A moment as part of a file name. */
export function fileStamp(at: Date): string {
  return at.toISOString().replace(/[:.]/g, "-");
}

function newer(path: string, version: number, known: number): LedgerUnavailable {
  return new LedgerUnavailable(
    `The ledger ${path} was written by a newer iaip-dsl (version ${version} of the file, this one knows ${known}). ` +
      "Update iaip-dsl, or name another file with --ledger. Nothing was recorded.",
  );
}

function foreign(path: string): LedgerUnavailable {
  return new LedgerUnavailable(
    `${path} is a database of another program, not a ledger; name another file with --ledger. Nothing was recorded.`,
  );
}

export async function durabilityOf(thread: SqliteThread): Promise<string> {
  const pragmas = ["journal_mode", "synchronous", "wal_autocheckpoint"];
  const statements = pragmas.map((name) => ({ sql: `pragma ${name}` }));
  const rows = await thread.call({ op: "run", statements, write: false });
  const [mode, synchronous, pages] = pragmas.map((name, i) => text(rows[i]?.[0] ?? {}, name));
  return `journal ${mode}, synchronous ${synchronous === "2" ? "full" : synchronous}, checkpoint each ${pages} pages`;
}
