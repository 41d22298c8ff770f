import { basename } from "node:path";
import { eventColumns } from "../events/event-row.ts";
import type { SqlRow, SqlValue, Statement } from "../sql.ts";
import { countedColumns } from "../summary/counts-schema.ts";
import type { KeptTable } from "./sqlite-recovery.ts";

/** Room for the pages of a large summary. */
export const readerPragmas = "pragma cache_size = -32768";

export const picked = ["seq", ...countedColumns].join(", ");

export const insertEvent = `insert into event (${eventColumns.join(", ")}) values (${eventColumns.map(() => "?").join(", ")})
  on conflict (id) do nothing`;

/** Counted events and those since, which their index gives by place. */
export const totalOf = (["concept", "agent", "session"] as const).map(
  (kind) => `select coalesce((select n from key_total where kind = '${kind}' and key = ?), 0)
    + (select count(*) from event where ${kind} = ? and seq > (select upto from counted) and forgotten is null) as n`,
);

/** Rows of a damaged file into the new one; what is there already stays. */
export function carryOver(table: KeptTable, rows: readonly SqlRow[]): Statement {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== "place" && name !== "seq");
  const each = rows.map((row) => columns.map((name): SqlValue => row[name] ?? null));
  const sql = `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")}) on conflict do nothing`;
  return { sql, each };
}

interface Damage {
  readonly kind: "damage" | "restored";
  readonly aside: string;
  readonly now: Date;
  /** Acknowledged events that were lost, or that another process brought back. */
  readonly events: number;
  /** Whether more may be lost than can be counted. */
  readonly isMore?: boolean;
}

/** What a damaged file has cost is kept among the acts, so that every later check can say it. */
export function damageAct({ kind, aside, now, events, isMore = false }: Damage): Statement {
  const sql = `insert into act (id, at, kind, subject, asked_by, reason, events, versions, first_at, last_at, is_open)
    values (?, ?, ?, ?, 'iaip-dsl', 'The file of the ledger was damaged.', ?, ?, null, null, 0)`;
  const at = now.toISOString();
  return { sql, values: [`${kind}-${at}-${process.pid}`, at, kind, basename(aside), events, isMore ? 1 : 0] };
}

export const losses: Statement = {
  sql: `select subject, min(at) as at, sum(case kind when 'damage' then events else -events end) as n,
      max(versions) as more from act where kind in ('damage', 'restored') group by subject order by 2`,
};
