import type { LedgerStore } from "../store.ts";

/**
 * SQL for the pairs of concepts in each session of a month, `month, a, b`, from `met`: SQL for distinct
 * `month, session, concept`. SQLite guesses a filtered `met` to be tiny and would compare all of it with all of it, so
 * there each session's concepts are gathered first and paired among themselves.
 */
export function pairsIn(kind: LedgerStore["kind"], met: string): string {
  if (kind === "postgres") {
    return `with met as (${met}) select x.month, x.concept as a, y.concept as b from met x
      join met y on x.month = y.month and x.session = y.session and x.concept < y.concept`;
  }
  return `select s.month, x.value as a, y.value as b
    from (select month, json_group_array(concept) as concepts from (${met}) group by month, session) s
    cross join json_each(s.concepts) x cross join json_each(s.concepts) y where x.value < y.value`;
}
