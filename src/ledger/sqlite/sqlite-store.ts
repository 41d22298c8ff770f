import { readdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Log } from "../../base/log.ts";
import { type EventRow, eventColumns } from "../events/event-row.ts";
import { LedgerUnavailable } from "../port.ts";
import { SharedDeadline } from "../shared-deadline.ts";
import { count, type SqlRow, type Statement, text } from "../sql.ts";
import type { Inserted, LedgerStore, Place, Where } from "../store.ts";
import { RecentRows } from "./recent-rows.ts";
import { asLedgerError, isBusy, isCorrupt, isMoved, isReadOnly } from "./sqlite-errors.ts";
import { durabilityOf, fileStamp, openSqliteFile, saysItIsLedger, schemaVersion } from "./sqlite-file.ts";
import type { HostRequest } from "./sqlite-host.ts";
import { hasBrokenWal, inodeOf, moveAside, moveOrphanAside, readDamaged, setAside } from "./sqlite-recovery.ts";
import { carryOver, damageAct, insertEvent, losses, picked, readerPragmas, totalOf } from "./sqlite-sql.ts";
import { SqliteThread } from "./sqlite-thread.ts";

export interface SqliteOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** How long a write waits for another program's lock before it is refused, in milliseconds. */
  readonly patience: number;
}

/** The ledger in one file. Two threads: one writes, one reads, so that a long count never holds up a use. */
export class SqliteStore implements LedgerStore {
  readonly kind = "sqlite";
  readonly where: string;
  readonly #options: SqliteOptions;
  readonly #writer = new SqliteThread();
  readonly #reader = new SqliteThread();
  #opened: Promise<void> | undefined;
  /** The file that the writer has open, and the one that the reader has. */
  #inode = 0n;
  #readerOf = 0n;
  #recovering: Promise<void> | undefined;
  /** What this process has acknowledged lately, and the highest row number that it saw in the file. */
  readonly #recent = new RecentRows();
  #lastSeq = 0;
  readonly #deadlines: Readonly<Record<"read" | "write", SharedDeadline>>;
  #closing = false;

  constructor(path: string, options: SqliteOptions) {
    this.where = path;
    this.#options = options;
    this.#deadlines = { read: new SharedDeadline(options.patience), write: new SharedDeadline(options.patience) };
  }

  async insert(rows: readonly EventRow[], answer: "with-totals" | "no-totals"): Promise<Inserted> {
    const counted = answer === "with-totals" ? rows : [];
    const keys = (["concept", "agent", "session"] as const).map((kind) => [...distinct(counted, kind)] as const);
    const [last, changes, ...totals] = await this.write([
      { sql: "select max(seq) as n from event" },
      { sql: insertEvent, each: rows.map((row) => eventColumns.map((column) => row[column])) },
      ...keys.map((each, i) => ({ sql: totalOf[i] ?? "", each: each.map((key) => [key, key]) })),
    ]);
    const written = (changes ?? []).reduce((sum, row) => sum + count(row, "changes"), 0);
    this.#lastSeq = Math.max(this.#lastSeq, Number(last?.[0]?.n ?? 0) + written);
    this.#recent.add(rows);
    const [concept, agent, session] = keys.map(
      (each, i) => new Map(each.map((key, j) => [key, count(totals[i]?.[j])] as const)),
    );
    const known = rows.map((_, i) => count(changes?.[i], "changes") === 0);
    const none = new Map<string, number>();
    return {
      known,
      totals: { concept: concept ?? none, agent: agent ?? none, session: session ?? none },
    };
  }

  async write(statements: readonly Statement[], patience?: number) {
    return this.#trying("write", () => this.#writer.call({ op: "run", statements, write: true }), patience);
  }

  async read(statements: readonly Statement[]) {
    const read = () => this.#read({ op: "run", statements, write: false });
    try {
      return await this.#trying("read", read);
    } catch (error) {
      if (!(error instanceof LedgerUnavailable && isReadOnly(error.cause))) throw error;
      // What may only be read can still be read: it cannot be made or brought to a newer version.
      return await read()
        .catch((fault: unknown) => Promise.reject(asLedgerError(fault, this.where, "read")))
        .finally(() => {
          this.#readerOf = 0n;
        });
    }
  }

  readonly anyUncounted = { sql: "select 1 from event where seq > (select upto from counted) limit 1" };

  readonly pickUncounted = [
    {
      sql: `insert into picked select ${picked} from event
        where seq > (select upto from counted) and forgotten is null order by seq limit 20000`,
    },
  ];

  readonly unpick = [
    { sql: "update counted set upto = max(upto, coalesce((select max(seq) from picked), 0))" },
    { sql: "delete from picked" },
  ];

  readonly isCounted = "seq <= (select upto from counted)";

  pick({ sql, values }: Where): Statement {
    return { sql: `insert into picked select ${picked} from event where forgotten is null and ${sql}`, values };
  }

  page({ sql, values }: Where, place: Place | undefined, limit: number): Statement {
    return {
      sql: `select * from event where seq > ? and ${sql} order by seq limit ${limit}`,
      values: [place?.[0] ?? 0, ...values],
    };
  }

  placeOf(row: SqlRow): Place {
    return [count(row, "seq")];
  }

  async wipe(): Promise<readonly string[]> {
    this.#recent.clear();
    const checkpoint: Statement = { sql: "pragma wal_checkpoint(truncate)" };
    await this.#reader.stop();
    this.#readerOf = 0n;
    await this.#trying("write", () => this.#writer.call({ op: "exec", sql: checkpoint.sql }));
    const wal = await stat(`${this.where}-wal`).catch(() => undefined);
    const busy = wal !== undefined && wal.size > 0;
    const folder = dirname(this.where);
    const copies = (await readdir(folder)).filter((name) => copyOf(basename(this.where), name));
    return [
      ...(busy ? ["Another program has the ledger open; old pages stay in its write-ahead file until it closes."] : []),
      ...copies.map((name) => `${join(folder, name)} is an older copy and was not touched; delete it if it should go.`),
    ];
  }

  /** A file in which SQLite's own check finds damage is not written to any further. */
  async check() {
    await this.#trying("read", () => this.#writer.call({ op: "verify" })).catch((error) => {
      if (!(error instanceof LedgerUnavailable)) throw error;
    });
    const [rows] = await this.read([{ sql: "pragma integrity_check(20)" }]);
    const found = (rows ?? []).map((row) => text(row, "integrity_check")).filter((line) => line !== "ok");
    const problems = found.map((line) => `SQLite's own check of ${this.where} says: ${line}.`);
    if (problems.length > 0) {
      await this.#recover(this.#inode);
      problems.push("The file was moved aside and a new one begun with what it still gave; the log names both.");
    }
    problems.push(...(await this.#losses()));
    return { problems, schemaVersion, durability: await this.#trying("read", () => durabilityOf(this.#writer)) };
  }

  /** A loss is said as long as the file that was set aside lies beside the ledger. */
  async #losses(): Promise<readonly string[]> {
    const [rows] = await this.read([losses]);
    const said: string[] = [];
    for (const row of rows ?? []) {
      const aside = join(dirname(this.where), text(row, "subject"));
      if (!(await exists(aside)) && !(await exists(`${aside}-wal`))) continue;
      const more = count(row, "more") > 0;
      if (count(row) <= 0 && !more) continue;
      const lost =
        count(row) <= 0 ? "acknowledged events" : `${more ? "at least " : ""}${count(row)} acknowledged events`;
      said.push(
        `The ledger was damaged (found ${text(row, "at")}): ${lost} could not be carried over. The damaged file is kept as ${aside}; when nothing more is wanted of it, delete it, and this line ends.`,
      );
    }
    return said;
  }

  async backup(file: string) {
    if ((await inodeOf(file)) !== 0n) throw new LedgerUnavailable(`${file} is there already; name a new file.`);
    const part = `${file}.part`;
    await this.#trying("read", () => this.#read({ op: "backup", file: part }));
    await rename(part, file);
    return { file, bytes: (await stat(file)).size };
  }

  giveUp(): void {
    this.#closing = true;
  }

  async close(): Promise<void> {
    this.giveUp();
    const open = await this.#opened?.then(
      () => true,
      () => false,
    );
    if (open) await this.#verifyLast();
    await this.#stop();
  }

  /** What was damaged after the last write would go into the ledger with the last connection. */
  async #verifyLast(): Promise<void> {
    try {
      if ((await inodeOf(this.where)) !== this.#inode && (await setAside(this.where, this.#inode))) await this.#open();
      await this.#writer.call({ op: "verify" });
    } catch (error) {
      if (isCorrupt(error)) await this.#recover(this.#inode).catch(() => undefined);
    }
  }

  /** Waits for locks, follows a moved file, sets a damaged one aside; every other fault is said in words. */
  async #trying<T>(wanted: "read" | "write", act: () => Promise<T>, patience = this.#options.patience): Promise<T> {
    const deadline = this.#deadlines[wanted];
    const end = deadline.end(patience);
    let recoveries = 0;
    for (;;) {
      const inode = this.#inode;
      try {
        this.#opened ??= this.#open();
        await this.#opened;
        const done = await act();
        deadline.succeeded();
        return done;
      } catch (error) {
        if (isBusy(error)) deadline.failed();
        const patient = !this.#closing && performance.now() < end;
        if (isMoved(error) && patient) this.#opened = undefined;
        else if (isBusy(error) && patient) await pause();
        else if (isCorrupt(error) && patient && recoveries++ < 2) await this.#recover(inode);
        else throw asLedgerError(error, this.where, wanted);
      }
    }
  }

  async #open(): Promise<void> {
    try {
      const before = this.#inode;
      const orphan = await this.#keepOrphan();
      this.#inode = await inodeOf(this.where);
      const broken = await this.#keepBroken();
      await openSqliteFile(this.#writer, this.where, this.#options);
      this.#inode = await inodeOf(this.where);
      if (orphan !== undefined) await this.#carryOver(orphan.aside, orphan.why);
      if (broken !== undefined) await this.#carryOver(broken, "damaged");
      if (before !== 0n && before !== this.#inode && broken === undefined) await this.#follow(before);
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  /** SQLite would drop the write-ahead file of an emptied or missing ledger without a word. */
  async #keepOrphan(): Promise<{ readonly aside: string; readonly why: "emptied" | "removed" } | undefined> {
    const why = (await exists(this.where)) ? "emptied" : "removed";
    const aside = await moveOrphanAside(this.where, fileStamp(this.#options.now()));
    return aside === undefined ? undefined : { aside, why };
  }

  /** SQLite would drop what stands behind a break in the write-ahead file without a word. */
  async #keepBroken(): Promise<string | undefined> {
    if (!(await exists(this.where)) || !(await hasBrokenWal(this.where))) return undefined;
    if (!(await saysItIsLedger(this.where))) return undefined;
    return moveAside(this.where, this.#inode, fileStamp(this.#options.now()));
  }

  /** Another process may have set a damaged file aside: what this one had acknowledged there goes into the new one. */
  async #follow(before: bigint): Promise<void> {
    const aside = await setAside(this.where, before);
    const restored = aside === undefined ? 0 : await this.#restoreRecent();
    if (aside === undefined) this.#recent.clear();
    this.#lastSeq = 0;
    if (aside !== undefined && restored > 0)
      await this.#writeNow([damageAct({ kind: "restored", aside, now: this.#options.now(), events: restored })]);
  }

  async #read(request: HostRequest) {
    const inode = await inodeOf(this.where);
    if (this.#readerOf !== inode) {
      await this.#reader.call({ op: "open", path: this.where, readonly: true });
      await this.#reader.call({ op: "exec", sql: readerPragmas });
      this.#readerOf = inode;
    }
    return this.#reader.call(request);
  }

  /** The writer last: the last connection to close puts the write-ahead file back into the ledger, and may write. */
  async #stop(): Promise<void> {
    await this.#reader.stop();
    await this.#writer.stop();
  }

  /** Once for all calls that met the same damaged file. */
  async #recover(met: bigint): Promise<void> {
    if (met !== 0n && met !== this.#inode) return;
    this.#recovering ??= this.#startAnew().finally(() => {
      this.#recovering = undefined;
    });
    await this.#recovering;
  }

  /** A damaged file is moved aside and said; a new one is begun with all that the old one still gives. */
  async #startAnew(): Promise<void> {
    const damaged = this.#inode;
    if (!(await saysItIsLedger(this.where))) {
      throw new LedgerUnavailable(
        `${this.where} is damaged and does not say that it is a ledger, so it was left as it is. Name another file with --ledger. Nothing was recorded.`,
      );
    }
    const aside = await moveAside(this.where, damaged, fileStamp(this.#options.now()));
    // After the move: whoever closes a file last puts its write-ahead file into it, unless it was moved.
    await this.#stop();
    this.#readerOf = 0n;
    this.#opened = undefined;
    if (aside === undefined) return;
    this.#inode = 0n;
    this.#opened = this.#open();
    await this.#opened;
    await this.#carryOver(aside, "damaged");
  }

  /** Into the new file: all that the old one gives, and what this process knows of by itself. */
  async #carryOver(aside: string, why: keyof typeof happened): Promise<void> {
    const knew = this.#lastSeq;
    let carried = 0;
    const { events, isWhole } = await readDamaged(aside, async (table, rows) => {
      await this.#writeNow([carryOver(table, rows)]);
      if (table === "event") carried += rows.length;
    });
    const restored = await this.#restoreRecent();
    const lost = why === "removed" ? 0 : Math.max(0, Math.max(knew, events) - carried - restored);
    const isMore = why !== "removed" && !isWhole && lost === 0 && knew === 0;
    this.#lastSeq = 0;
    const now = this.#options.now();
    if (lost > 0 || isMore) await this.#writeNow([damageAct({ kind: "damage", aside, now, events: lost, isMore })]);
    const message = `The ledger ${this.where} was ${happened[why]}`;
    this.#options.log("error", message, { aside, carried: carried + restored, lost: isMore ? "unknown" : lost });
  }

  /** What was forgotten since is not brought back. Gives how many rows were not there. */
  async #restoreRecent(): Promise<number> {
    const rows = this.#recent.all;
    if (rows.length === 0) return 0;
    const [acts] = await this.#writeNow([
      { sql: "select coalesce(max(at), '') as at from act where kind not in ('damage', 'restored')" },
    ]);
    const after = text(acts?.[0] ?? {}, "at");
    const each = rows.filter(({ at }) => at > after).map((row) => eventColumns.map((column) => row[column]));
    const [changes] = await this.#writeNow([{ sql: insertEvent, each }]);
    return (changes ?? []).reduce((sum, row) => sum + count(row, "changes"), 0);
  }

  /** While a file is opened or mended: waits for the lock, since another process may do the same. */
  async #writeNow(statements: readonly Statement[]): Promise<readonly (readonly SqlRow[])[]> {
    const end = performance.now() + this.#options.patience;
    for (;;) {
      try {
        return await this.#writer.call({ op: "run", statements, write: true });
      } catch (error) {
        if (!isBusy(error) || performance.now() >= end) throw error;
        await pause();
      }
    }
  }
}

const happened = {
  damaged: "damaged. It was moved aside and a new one begun with the events it still gave.",
  emptied: "emptied while events waited beside it. They were moved aside and a new one begun with them.",
  removed: "moved or removed while events waited beside it. They were moved aside and a new one begun with them.",
};

function exists(path: string): Promise<boolean> {
  return inodeOf(path).then((inode) => inode !== 0n);
}

function copyOf(ledger: string, name: string): boolean {
  return name.startsWith(`${ledger}.`) && /\.(version|damaged)-/.test(name) && !/-(wal|shm)$/.test(name);
}

function distinct(rows: readonly EventRow[], kind: "concept" | "agent" | "session"): ReadonlySet<string> {
  return new Set(rows.map((row) => row[kind]).filter((key) => key !== null));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
