import { allOf } from "../events/event-where.ts";
import { storedText } from "../events/stored-text.ts";
import type { Statement } from "../sql.ts";
import type { Where } from "../store.ts";
import { pairsIn } from "./concept-pairs.ts";
import { fullSessionDay } from "./counts.ts";
import type { ConceptFacts, Summary } from "./summary.ts";
import {
  byAgentOnly,
  byConceptOnly,
  byWholeMonths,
  conceptWhere,
  dayWhere,
  eventSource,
  monthWhere,
  pairWhere,
  plain,
  type SummaryScope,
  useSource,
} from "./summary-source.ts";

export function concepts(ask: SummaryScope): Statement {
  return most("concept", useSource(ask, []));
}

export function types(ask: SummaryScope): Statement {
  return most("type", useSource(ask, []));
}

export function agents(ask: SummaryScope, limit: number): Statement {
  if (plain(ask) && !ask.ranged) return keys("agent", limit);
  return most("agent", agentSource(ask), limit);
}

export function agentTotal(ask: SummaryScope): Statement {
  return howMany("agent", agentSource(ask));
}

function agentSource(ask: SummaryScope): Where {
  if (plain(ask) && ask.ranged) return from("day_agent", allOf([dayWhere(ask), { sql: "n > 0", values: [] }]));
  return useSource(ask, ["agent"]);
}

export function days(ask: SummaryScope, limit: number): Statement {
  const { sql, values } = daySource(ask);
  return { sql: `select day, sum(n) as n from ${sql} group by day order by day desc limit ${limit}`, values };
}

export function dayTotal(ask: SummaryScope): Statement {
  const { sql, values } = daySource(ask);
  return {
    sql: `select count(distinct day) as n, min(day) as first_day, max(day) as last_day from ${sql}`,
    values,
  };
}

function daySource(ask: SummaryScope): Where {
  if (plain(ask)) return from("day_total", dayWhere(ask));
  if (!byAgentOnly(ask)) return useSource(ask, ["day"]);
  const agent = { sql: "agent = ?", values: [storedText(ask.question.agent ?? "")] };
  return from("day_agent", allOf([dayWhere(ask), agent, { sql: "n > 0", values: [] }]));
}

export function sessions(ask: SummaryScope, limit: number): Statement {
  return plain(ask) && !ask.ranged ? keys("session", limit) : most("session", sessionSource(ask), limit);
}

export function sessionTotal(ask: SummaryScope): Statement {
  if (!plain(ask) || ask.ranged) return howMany("session", sessionSource(ask));
  return { sql: "select count(*) as n from key_total where kind = 'session'" };
}

function sessionSource(ask: SummaryScope): Where {
  if (plain(ask)) return from("session_day", allOf([dayWhere(ask), { sql: "n > 0", values: [] }]));
  if (byConceptOnly(ask) && ask.only !== undefined) {
    return from("session_use", allOf([...conceptWhere("concept", ask.only, ask.hidden), { sql: "n > 0", values: [] }]));
  }
  const { sql, values } = eventSource(ask);
  return { sql: `(select * from ${sql} where session is not null) as used`, values };
}

export function sessionDays(ask: SummaryScope): Statement {
  if (plain(ask)) {
    const { sql, values } = dayWhere(ask);
    const sums = "coalesce(sum(session_days), 0) as n, coalesce(sum(full_days), 0) as full_days";
    return { sql: `select ${sums} from day_total where ${sql}`, values };
  }
  const { sql, values } = eventSource(ask);
  const each = `select count(*) as n from ${sql} where session is not null group by session, day`;
  return {
    sql: `select count(*) as n, coalesce(sum(case when n >= ${fullSessionDay} then 1 else 0 end), 0) as full_days
      from (${each}) as each_day`,
    values,
  };
}

/** Each row with the number of all rows in `total`. */
export function pairs(ask: SummaryScope, limit: number): Statement {
  return ends(pairSource(ask), limit);
}

function pairSource(ask: SummaryScope): Where {
  const shown = pairWhere(ask);
  if (byWholeMonths(ask)) return months("pair", ask);
  // The filter on concepts is one on pairs here: it asks what went with them.
  const { sql, values } = eventSource({ ...ask, only: undefined });
  const met = `select distinct month, session, concept from ${sql} where session is not null and concept <> ''`;
  const counted = `select a, b, count(*) as n from (${pairsIn(ask.kind, met)}) as each_session group by a, b`;
  return {
    sql: `(select a, b, n from (${counted}) as pairs where ${shown.sql}) as seen`,
    values: [...values, ...shown.values],
  };
}

/** Each row with the number of all rows in `total`. */
export function walks(ask: SummaryScope, limit: number): Statement {
  return ends(walkSource(ask), limit);
}

function walkSource(ask: SummaryScope): Where {
  const shown = pairWhere(ask);
  if (byWholeMonths(ask)) return months("walk", ask);
  const { sql, values } = eventSource({ ...ask, only: undefined });
  const walked = `select concept as a, other as b, count(*) as n from ${sql}
    where type = 'relationship_query' and other is not null group by concept, other`;
  return {
    sql: `(select a, b, n from (${walked}) as walks where ${shown.sql}) as seen`,
    values: [...values, ...shown.values],
  };
}

/** `middle` is the first day of the later window. */
export function trends(ask: SummaryScope, first: string, middle: string, last: string): Statement {
  const ranged: SummaryScope = { ...ask, ranged: true, question: { ...ask.question, since: first, until: last } };
  const { sql, values } = useSource(ranged, ["day"]);
  return {
    sql: `select concept, sum(case when day < ? then n else 0 end) as before, sum(case when day < ? then 0 else n end) as now
      from ${sql} where concept <> '' group by concept order by concept`,
    values: [middle, middle, ...values],
  };
}

export function versions(ask: SummaryScope, limit: number): Statement {
  const { sql, values } = allOf([{ sql: "version > 1", values: [] }, ...conceptWhere("concept", ask.only, ask.hidden)]);
  return {
    sql: `select concept, version, at, changed from concept_version where ${sql} order by at desc, concept, version limit ${limit}`,
    values,
  };
}

export function periods(limit: number): Statement {
  return { sql: `select from_at, to_at, dropped from logging_period order by from_at desc, run limit ${limit}` };
}

export function forgotten(): Statement {
  return { sql: "select coalesce(sum(events), 0) as n from act where kind not in ('damage', 'restored')" };
}

function ends({ sql, values }: Where, limit: number): Statement {
  return { sql: `select a, b, n, count(*) over () as total from ${sql} order by n desc, a, b limit ${limit}`, values };
}

/** Months of one table of two ends added up. */
function months(table: "pair" | "walk", ask: SummaryScope): Where {
  const { sql, values } = allOf([monthWhere(ask), pairWhere(ask), { sql: "n > 0", values: [] }]);
  return { sql: `(select a, b, sum(n) as n from ${table} where ${sql} group by a, b) as kept`, values };
}

function from(table: string, { sql, values }: Where): Where {
  return { sql: `(select * from ${table} where ${sql}) as kept`, values };
}

function keys(kind: "agent" | "session", limit: number): Statement {
  return {
    sql: `select key as ${kind}, n from key_total where kind = '${kind}' and n > 0 order by n desc, key limit ${limit}`,
  };
}

function most(column: string, { sql, values }: Where, limit?: number): Statement {
  const cut = limit === undefined ? "" : ` limit ${limit}`;
  return {
    sql: `select ${column}, sum(n) as n from ${sql} group by ${column} order by sum(n) desc, ${column}${cut}`,
    values,
  };
}

function howMany(column: string, { sql, values }: Where): Statement {
  return { sql: `select count(distinct ${column}) as n from ${sql}`, values };
}

/** Uses by where their concepts stand now; `null` for those that are no longer in the vocabulary. */
export function grouped<K extends "direction" | "category">(
  used: readonly { readonly concept: string; readonly events: number }[],
  places: ReadonlyMap<string, string>,
  kind: K,
): readonly ({ readonly events: number } & { readonly [P in K]: string | null })[] {
  const sums = new Map<string | null, number>();
  for (const { concept, events } of used) {
    const place = places.get(concept) ?? null;
    sums.set(place, (sums.get(place) ?? 0) + events);
  }
  const sorted = [...sums].sort(([a, x], [b, y]) => y - x || ((a ?? "") < (b ?? "") ? -1 : 1));
  return sorted.map(([place, events]) => ({ [kind]: place, events })) as unknown as readonly ({
    readonly events: number;
  } & { readonly [P in K]: string | null })[];
}

export function coverage(facts: readonly ConceptFacts[], used: ReadonlyMap<string, number>): Summary["coverage"] {
  const directions = [...new Set(facts.map(({ direction }) => direction))].sort();
  return directions.map((direction) => {
    const there = facts.filter((each) => each.direction === direction);
    return { direction, concepts: there.length, used: there.filter(({ id }) => used.has(id)).length };
  });
}
