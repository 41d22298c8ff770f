import { count } from "../sql.ts";
import type { LedgerStore } from "../store.ts";
import { pairsIn } from "./concept-pairs.ts";

/** Kept table → what the counted events say it should hold. */
function recounts({ kind, isCounted: counted }: LedgerStore): Readonly<Record<string, string>> {
  const events = `(select coalesce(concept, '') as concept, other, type, agent, session, substr(at, 1, 10) as day, substr(at, 1, 7) as month
    from event where forgotten is null and ${counted}) as e`;
  const met = `select distinct month, session, concept from ${events} where session is not null and concept <> ''`;
  return {
    "count_all (concept, type, agent, n)": `select concept, type, agent, count(*) from ${events} group by concept, type, agent`,
    "day_concept (day, concept, type, n)": `select day, concept, type, count(*) from ${events} group by day, concept, type`,
    "count_day (day, concept, type, agent, n)": `select day, concept, type, agent, count(*) from ${events} group by day, concept, type, agent`,
    "session_day (day, session, n)": `select day, session, count(*) from ${events} where session is not null group by day, session`,
    "day_agent (day, agent, n)": `select day, agent, count(*) from ${events} group by day, agent`,
    "pair (month, a, b, n)": `select month, a, b, count(*) from (${pairsIn(kind, met)}) as each_session group by month, a, b`,
    "walk (month, a, b, n)": `select month, concept, other, count(*) from ${events}
      where type = 'relationship_query' and other is not null group by month, concept, other`,
  };
}

/** A sentence for each table of counts that a recount contradicts. */
export async function compareCounts(store: LedgerStore): Promise<readonly string[]> {
  const pairs = Object.entries(recounts(store)).map(([table, recount]) => {
    const [name = "", columns = ""] = table.replace(")", "").split(" (");
    const kept = `select ${columns} from ${name} where n <> 0`;
    const wrong = `select count(*) as n from (select * from (${kept}) as k except select * from (${recount}) as r) as d`;
    const missing = `select count(*) as n from (select * from (${recount}) as r except select * from (${kept}) as k) as d`;
    return { name, statements: [{ sql: wrong }, { sql: missing }] };
  });
  const rows = await store.read(pairs.flatMap(({ statements }) => statements));
  return pairs.flatMap(({ name }, i) => {
    const lines = count(rows[2 * i]?.[0]) + count(rows[2 * i + 1]?.[0]);
    return lines === 0 ? [] : [`The kept counts "${name}" differ from a recount of the events in ${lines} lines.`];
  });
}
