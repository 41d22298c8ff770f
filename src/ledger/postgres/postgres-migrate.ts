import type { Pool, PoolClient } from "pg";
import type { Log } from "../../base/log.ts";
import { LedgerUnavailable } from "../port.ts";
import { faultOf, isUnsupported } from "./postgres-errors.ts";
import { postgresSteps, type SchemaStatement, schemaName } from "./postgres-schema.ts";

export const schemaVersion = postgresSteps.length;

/** Brings the database to the present version; servers that start together wait for one of them to do it. */
export async function migrate(pool: Pool, where: string, log: Log): Promise<void> {
  await prepare(pool);
  const client = await pool.connect();
  try {
    await client.query(`begin; set local search_path to ${schemaName}`);
    const { rows } = await client.query("select version from ledger_schema where only_row = 1 for update");
    const version = Number(rows[0]?.version ?? 0);
    if (version > schemaVersion) throw newer(where, version);
    for (const step of postgresSteps.slice(version)) for (const statement of step) await take(client, statement, log);
    if (version < schemaVersion) await client.query("update ledger_schema set version = $1", [schemaVersion]);
    await client.query("commit");
    client.release();
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    client.release(true);
    throw error;
  }
}

/** The one row that all of them lock. Two that make it at once may collide in the catalog: then it is there. */
async function prepare(pool: Pool): Promise<void> {
  const statements = [
    `create schema if not exists ${schemaName}`,
    `create table if not exists ${schemaName}.ledger_schema (only_row bigint not null, version bigint not null, primary key (only_row))`,
    `insert into ${schemaName}.ledger_schema (only_row, version) values (1, 0) on conflict do nothing`,
  ];
  const { rows } = await pool.query("select to_regclass($1) as found", [`${schemaName}.ledger_schema`]);
  for (const sql of rows[0]?.found ? statements.slice(2) : statements) {
    await pool.query(sql).catch((error: unknown) => {
      if (!/^(23505|42710|42P06|42P07)$/.test(faultOf(error).code)) throw error;
    });
  }
}

async function take(client: PoolClient, { sql, without }: SchemaStatement, log: Log): Promise<void> {
  if (without === undefined) {
    await client.query(sql);
    return;
  }
  await client.query("savepoint try_it");
  try {
    await client.query(sql);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    await client.query("rollback to savepoint try_it");
    if (without.sql !== undefined) await client.query(without.sql);
    log("warn", without.loss, { why: faultOf(error).message });
  }
  await client.query("release savepoint try_it");
}

function newer(where: string, version: number): LedgerUnavailable {
  return new LedgerUnavailable(
    `The ledger ${where} was written by a newer iaip-dsl (version ${version} of the tables, this one knows ${schemaVersion}). ` +
      "Update iaip-dsl, or name another ledger with --ledger. Nothing was recorded.",
  );
}
