import type { Client, Pool, PoolClient } from "pg";
import type { Log } from "../../base/log.ts";
import { type EventRow, eventColumns } from "../events/event-row.ts";
import { LedgerUnavailable } from "../port.ts";
import { SharedDeadline } from "../shared-deadline.ts";
import { count, type SqlRow, type Statement, text } from "../sql.ts";
import type { Inserted, LedgerStore, Place, Where } from "../store.ts";
import { Months } from "./months.ts";
import { asLedgerError, faultOf, isDuplicate, mayPass } from "./postgres-errors.ts";
import { migrate, schemaVersion } from "./postgres-migrate.ts";
import { schemaName } from "./postgres-schema.ts";
import { counted, insertEvents, runAll, totalsOf } from "./postgres-sql.ts";

export interface PostgresOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** How long a use waits for a server that is away, in milliseconds. */
  readonly patience: number;
}

/** Settings travel with each transaction, so that a pooler between us and the server may share its connections. */
const begin = `begin; set local search_path to ${schemaName}; set local synchronous_commit to on`;
const beginRead = `begin isolation level repeatable read read only; set local search_path to ${schemaName}`;

/** The ledger in a PostgreSQL server, for more than one machine. */
export class PostgresStore implements LedgerStore {
  readonly kind = "postgres";
  readonly where: string;
  readonly #url: string;
  readonly #options: PostgresOptions;
  readonly #months: Months;
  readonly #deadline: SharedDeadline;
  #opened: Promise<Pool> | undefined;
  #readable: Promise<Pool> | undefined;
  #closing = false;

  constructor(url: string, options: PostgresOptions) {
    this.#url = url;
    this.where = withoutPassword(url);
    this.#options = options;
    this.#deadline = new SharedDeadline(options.patience);
    this.#months = new Months(options.now);
  }

  async insert(rows: readonly EventRow[], answer: "with-totals" | "no-totals"): Promise<Inserted> {
    await this.#trying("write", (pool) => this.#months.prepare(pool, rows));
    const first = [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
    const columns = eventColumns.map((column) => first.map((row) => row[column]));
    const keys = (["concept", "agent", "session"] as const).map((kind) => [...new Set(rows.map((row) => row[kind]))]);
    const [ids, totals] = await this.#transaction("write", begin, async (client) => [
      (await client.query(insertEvents, columns)).rows as SqlRow[],
      answer === "with-totals" ? ((await client.query(totalsOf, keys)).rows as SqlRow[]) : [],
    ]);
    const written = new Set((ids ?? []).map((row) => text(row, "id")));
    const of = (kind: string) =>
      new Map((totals ?? []).filter((row) => row.kind === kind).map((row) => [text(row, "key"), count(row)] as const));
    return {
      known: rows.map(({ id }) => !written.delete(id)),
      totals: { concept: of("concept"), agent: of("agent"), session: of("session") },
    };
  }

  write(statements: readonly Statement[], patience?: number) {
    return this.#transaction("write", begin, (client) => runAll(client, statements), patience);
  }

  read(statements: readonly Statement[]) {
    return this.#transaction("read", beginRead, (client) => runAll(client, statements));
  }

  readonly anyUncounted = { sql: "select 1 as one from uncounted limit 1" };

  /** One fold at a time over all servers; events that come meanwhile are left for the next. */
  readonly pickUncounted = [
    { sql: "select only_row from fold_lock for update" },
    {
      sql: `with taken as (delete from uncounted where id in (select id from uncounted order by id limit 20000)
          returning ${counted}) insert into picked (${counted}) select ${counted} from taken`,
    },
  ];

  readonly unpick = [{ sql: "delete from picked" }];

  readonly isCounted = "not exists (select 1 from uncounted u where u.id = event.id)";

  pick({ sql, values }: Where): Statement {
    const where = `forgotten is null and ${this.isCounted} and ${sql}`;
    return { sql: `insert into picked (${counted}) select ${counted} from event where ${where}`, values };
  }

  page({ sql, values }: Where, place: Place | undefined, limit: number): Statement {
    const after = place === undefined ? "" : "(at > ? or (at = ? and id > ?)) and ";
    const [at = "", id = ""] = place ?? [];
    return {
      sql: `select * from event where ${after}${sql} order by at, id limit ${limit}`,
      values: place === undefined ? values : [at, at, id, ...values],
    };
  }

  placeOf(row: SqlRow): Place {
    return [text(row, "at"), text(row, "id")];
  }

  async wipe(): Promise<readonly string[]> {
    const parts = await this.#trying("read", (pool) =>
      pool.query(
        "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1 order by 1",
        [schemaName],
      ),
    );
    const kept: string[] = [];
    for (const { name } of parts.rows as readonly { readonly name: string }[]) {
      const rewritten = await this.#trying("write", (pool) => pool.query(`vacuum (full) ${name}`)).then(
        () => true,
        () => false,
      );
      if (!rewritten) kept.push(name);
    }
    return [
      ...(kept.length === 0
        ? []
        : [
            `Dead rows with the text stay in the files of ${kept.join(", ")}: rewriting was refused. Their owner ends it with: ${kept.map((name) => `vacuum full ${name};`).join(" ")}`,
          ]),
      "Backups, replicas and archived write-ahead logs of the server keep what they have until they are rotated.",
    ];
  }

  async check() {
    const [rows] = await this.read([
      { sql: "select current_setting('fsync') as fsync, current_setting('server_version') as version" },
    ]);
    const row = rows?.[0] ?? {};
    const unsafe = row.fsync === "off";
    const problems = unsafe
      ? [`The server of ${this.where} runs with fsync off: a power cut may lose what it kept.`]
      : [];
    const durability = `PostgreSQL ${text(row, "version")}, fsync ${text(row, "fsync")}, synchronous_commit on for each write`;
    return { problems, schemaVersion, durability };
  }

  async backup(): Promise<never> {
    const way = `pg_dump --schema=${schemaName}`;
    throw new LedgerUnavailable(`The ledger ${this.where} is backed up with the server's own tools: ${way}.`);
  }

  giveUp(): void {
    this.#closing = true;
  }

  async close(): Promise<void> {
    this.giveUp();
    for (const opened of [this.#opened, this.#readable]) {
      const pool = await opened?.catch(() => undefined);
      if (pool && !pool.ending) await pool.end();
    }
  }

  /**
   * The same transaction again while the trouble may pass. All of them are safe to repeat: events are known by their
   * ids, a fold takes what is left, and an act that is there already was done.
   */
  #transaction(
    wanted: "read" | "write",
    opening: string,
    act: (client: PoolClient) => Promise<readonly (readonly SqlRow[])[]>,
    patience?: number,
  ): Promise<readonly (readonly SqlRow[])[]> {
    let committing = false;
    const once = async (pool: Pool) => {
      const client = await pool.connect();
      try {
        await client.query(opening);
        const rows = await act(client);
        committing = true;
        await client.query("commit");
        client.release();
        return rows;
      } catch (error) {
        const clean = await client.query("rollback").then(
          () => true,
          () => false,
        );
        client.release(!clean);
        if (committing && isDuplicate(error)) return [];
        throw error;
      }
    };
    return this.#trying(wanted, once, patience);
  }

  async #trying<T>(
    wanted: "read" | "write",
    act: (pool: Pool) => Promise<T>,
    patience = this.#options.patience,
  ): Promise<T> {
    const end = this.#deadline.end(patience);
    for (let pause = 20; ; pause = Math.min(1_000, pause * 2)) {
      try {
        this.#opened ??= this.#open();
        const done = await act(await this.#opened.catch((error: unknown) => this.#orReadable(wanted, error)));
        this.#deadline.succeeded();
        return done;
      } catch (error) {
        if (mayPass(error)) this.#deadline.failed();
        const patient = !this.#closing && performance.now() + pause < end;
        if (!mayPass(error) || !patient) throw asLedgerError(error, this.where, wanted);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** A role that may only read cannot bring the tables to a newer version, and need not. */
  async #orReadable(wanted: "read" | "write", error: unknown): Promise<Pool> {
    if (wanted === "write" || !/^(42501|25006)$/.test(faultOf(error).code)) throw error;
    this.#readable ??= this.#pool();
    return this.#readable;
  }

  async #pool(): Promise<Pool> {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({
      connectionString: this.#url,
      application_name: "iaip-dsl",
      max: 4,
      connectionTimeoutMillis: Math.max(1_000, Math.min(5_000, this.#options.patience)),
      keepAlive: true,
      allowExitOnIdle: true,
    });
    pool.on("error", (error) =>
      this.#options.log("debug", "A connection to the ledger ended.", { why: error.message }),
    );
    pool.on("connect", (client) => quiet(client, this.#options.log));
    return pool;
  }

  async #open(): Promise<Pool> {
    try {
      const pool = await this.#pool();
      return await migrate(pool, this.where, this.#options.log).then(
        () => pool,
        (error) => pool.end().then(() => Promise.reject(error)),
      );
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }
}

/** A connection that breaks while it is in use fails its query; the event of it must not end the process. */
function quiet(client: Client, log: Log): void {
  client.on("error", (error) => log("debug", "A connection to the ledger broke.", { why: error.message }));
}

function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.password = "";
    parsed.search = "";
    return parsed.href;
  } catch {
    return "postgres:// (an address that cannot be read)";
  }
}
