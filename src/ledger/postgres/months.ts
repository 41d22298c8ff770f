import type { Pool } from "pg";
import { faultOf, isUnsupported } from "./postgres-errors.ts";
import { schemaName } from "./postgres-schema.ts";

/** Months back from now that get a partition; what is older, or dated in the future, shares `event_other`. */
const monthsBack = 36;

/** Makes the partition of a month before its first event is written, once for each server and month. */
export class Months {
  readonly #ready = new Set<string>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  async prepare(pool: Pool, rows: readonly { readonly at: string }[]): Promise<void> {
    for (const month of new Set(rows.map(({ at }) => at.slice(0, 7)))) {
      if (this.#ready.has(month)) continue;
      if (this.#isNear(month)) await makePartition(pool, month);
      this.#ready.add(month);
    }
  }

  #isNear(month: string): boolean {
    const now = this.#now().toISOString().slice(0, 7);
    return month <= now && month > shifted(now, -monthsBack);
  }
}

async function makePartition(pool: Pool, month: string): Promise<void> {
  const name = `${schemaName}.event_${month.replace("-", "_")}`;
  const range = `from ('${month}') to ('${shifted(month, 1)}')`;
  const { rows } = await pool.query("select to_regclass($1) as found", [name]);
  if (rows[0]?.found) return;
  try {
    await pool.query(`create table ${name} partition of ${schemaName}.event for values ${range}`);
  } catch (error) {
    // Another server made it just now, the server has no partitions, or `event_other` holds events of the month already.
    if (!isUnsupported(error) && !/^(42710|42P07|23505|23514|42809)$/.test(faultOf(error).code)) throw error;
  }
}

/** `2026-12` shifted by 1 is `2027-01`. */
function shifted(month: string, by: number): string {
  const [year = 0, of = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, of - 1 + by)).toISOString().slice(0, 7);
}
