import type { PoolClient } from "pg";
import { eventColumns } from "../events/event-row.ts";
import type { SqlRow, Statement } from "../sql.ts";
import { countedColumns } from "../summary/counts-schema.ts";

/** The statements one after the other; the rows of each. */
export async function runAll(
  client: PoolClient,
  statements: readonly Statement[],
): Promise<readonly (readonly SqlRow[])[]> {
  const results: SqlRow[][] = [];
  for (const { sql, values = [], each = [values] } of statements) {
    const numbered = withNumbers(sql);
    const rows: SqlRow[] = [];
    for (const given of each) rows.push(...((await client.query(numbered, [...given])).rows as SqlRow[]));
    results.push(rows);
  }
  return results;
}

/** `?` → `$1`, `$2`, …; no statement of ours has a question mark elsewhere. */
function withNumbers(sql: string): string {
  let n = 0;
  return sql.replace(/\?/g, () => `$${++n}`);
}

export const counted = countedColumns.join(", ");
const columnList = eventColumns.join(", ");
/** New ids only; gives those that were written. */
export const insertEvents = `with given as (
    select * from unnest(${eventColumns.map((_, i) => `$${i + 1}::text[]`).join(", ")}) as g (${columnList})),
  fresh as (insert into event_key (id) select id from given on conflict (id) do nothing returning id),
  written as (insert into event (${columnList})
    select ${eventColumns.map((column) => `g.${column}`).join(", ")} from given g join fresh f on f.id = g.id
    on conflict do nothing returning ${counted}, forgotten),
  waiting as (insert into uncounted (${counted}) select ${counted} from written where forgotten is null)
  select id from written`;

/** Counted events and those that wait to be counted, by kind and key. */
export const totalsOf = (["concept", "agent", "session"] as const)
  .map(
    (kind, i) => `select '${kind}' as kind, key, sum(n) as n from (
      select key, n from key_total where kind = '${kind}' and key = any($${i + 1}::text[])
      union all select ${kind}, count(*) from uncounted where ${kind} = any($${i + 1}::text[]) group by ${kind}) as t
    group by key`,
  )
  .join(" union all ");
