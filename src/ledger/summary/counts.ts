import type { Statement } from "../sql.ts";

/** Adds (1) or takes away (-1) what `picked_event` shows in every kept count. Run inside one transaction. */
export function countPicked(sign: 1 | -1): readonly Statement[] {
  return [
    add("count_all", ["concept", "type", "agent"], `select concept, type, agent, ${sign} * count(*) from picked_event`),
    add(
      "count_day",
      ["day", "concept", "type", "agent"],
      `select day, concept, type, agent, ${sign} * count(*) from picked_event`,
    ),
    add("day_concept", ["day", "concept", "type"], `select day, concept, type, ${sign} * count(*) from picked_event`),
    add("day_agent", ["day", "agent"], `select day, agent, ${sign} * count(*) from picked_event`),
    ...(["concept", "agent", "session"] as const).map((kind) => addTotal(kind, sign)),
    add(
      "session_use",
      ["month", "session", "concept"],
      `select month, session, concept, ${sign} * count(*) from picked_event where session is not null and concept <> ''`,
    ),
    changePairs(sign),
    ...(sign === 1 ? [] : dropZeros),
    add(
      "session_day",
      ["day", "session"],
      `select day, session, ${sign} * count(*) from picked_event where session is not null`,
    ),
    add(
      "walk",
      ["month", "a", "b"],
      `select month, concept, other, ${sign} * count(*) from picked_event where type = 'relationship_query' and other is not null`,
      ["month", "concept", "other"],
    ),
    ...retotalDays,
  ].map((sql) => ({ sql }));
}

function add(table: string, keys: readonly string[], select: string, groupBy = keys): string {
  const where = select.includes(" where ") ? "" : " where true";
  return `insert into ${table} (${keys.join(", ")}, n) ${select}${where} group by ${groupBy.join(", ")}
    on conflict (${keys.join(", ")}) do update set n = ${table}.n + excluded.n`;
}

function addTotal(kind: "concept" | "agent" | "session", sign: 1 | -1): string {
  return `insert into key_total (kind, key, n)
    select '${kind}', ${kind}, ${sign} * count(*) from picked_event where ${kind} is not null group by ${kind}
    on conflict (kind, key) do update set n = key_total.n + excluded.n`;
}

/**
 * Run after `session_use` has changed. Only a concept that came to a session just now (all its uses there are picked), or
 * left it (none is left), changes pairs: one for each other concept of the session, and one alone when both changed.
 * Cross joins, because SQLite keeps their order and so never walks all sessions for the few that were touched.
 */
function changePairs(sign: 1 | -1): string {
  const turned = sign === 1 ? "u.n = f.n" : "u.n = 0";
  return `with turned as materialized (
      select f.month, f.session, f.concept
      from (select month, session, concept, count(*) as n from picked_event where session is not null and concept <> ''
            group by month, session, concept) f
      cross join session_use u
      where u.month = f.month and u.session = f.session and u.concept = f.concept and ${turned})
    insert into pair (month, a, b, n)
    select t.month, case when t.concept < y.concept then t.concept else y.concept end,
      case when t.concept < y.concept then y.concept else t.concept end, ${sign} * count(*)
    from turned t cross join session_use y
    where y.month = t.month and y.session = t.session and y.concept <> t.concept
      and (t.concept < y.concept or (y.month, y.session, y.concept) not in (select month, session, concept from turned))
    group by 1, 2, 3
    on conflict (month, a, b) do update set n = pair.n + excluded.n`;
}

const dropZeros = ["delete from session_use where n = 0"];

/** A session on one day counts as full from the seed's measure on. */
export const fullSessionDay = 100;

const touchedDays = "(select distinct day from picked_event)";
const retotalDays = [
  `delete from day_total where day in ${touchedDays}`,
  `insert into day_total (day, n, session_days, full_days)
     select d.day, d.n, coalesce(s.session_days, 0), coalesce(s.full_days, 0)
     from (select day, sum(n) as n from day_concept where day in ${touchedDays} group by day) d
     left join (select day, sum(case when n > 0 then 1 else 0 end) as session_days,
                  sum(case when n >= ${fullSessionDay} then 1 else 0 end) as full_days
                from session_day where day in ${touchedDays} group by day) s on s.day = d.day
     where d.n > 0`,
];

/** Takes keys that nobody counts any more out of the tables; a forgotten session's name must not stay in a key. */
export const dropEmptyCounts: readonly Statement[] = [
  "count_all",
  "count_day",
  "day_concept",
  "day_agent",
  "key_total",
  "session_use",
  "session_day",
  "pair",
  "walk",
].map((table) => ({ sql: `delete from ${table} where n = 0` }));
