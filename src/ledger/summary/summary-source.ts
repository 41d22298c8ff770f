import { allOf, dayAfter, eventWhere, marks, outside } from "../events/event-where.ts";
import { storedText } from "../events/stored-text.ts";
import type { LedgerStore, Where } from "../store.ts";
import type { SummaryQuestion } from "./summary.ts";

/** A question brought to what SQL needs. */
export interface SummaryScope {
  readonly question: SummaryQuestion;
  /** Only these concepts; `undefined` for all, those no longer in the vocabulary included. */
  readonly only: readonly string[] | undefined;
  readonly hidden: ReadonlySet<string>;
  readonly ranged: boolean;
  /** `recount` reads events alone, for when the kept counts are not up to date and to prove that they are right. */
  readonly way: "kept" | "recount";
  readonly kind: LedgerStore["kind"];
}

export function summaryScope(
  question: SummaryQuestion,
  way: "kept" | "recount",
  kind: LedgerStore["kind"],
): SummaryScope {
  return {
    kind,
    question,
    only: onlyOf(question),
    hidden: question.hidden ?? new Set(),
    ranged: question.since !== undefined || question.until !== undefined,
    way,
  };
}

function onlyOf({ concept, direction, category, concepts }: SummaryQuestion): readonly string[] | undefined {
  if (concept === undefined && direction === undefined && category === undefined) return undefined;
  const facts = concepts.filter((each) => direction === undefined || each.direction === direction);
  const ids = facts.filter((each) => category === undefined || each.category === category).map(({ id }) => id);
  if (concept === undefined) return ids;
  return direction === undefined && category === undefined ? [concept] : ids.filter((id) => id === concept);
}

/** No filter but a range of days. */
export function plain({ question, only, hidden, way }: SummaryScope): boolean {
  return way === "kept" && !narrowed(question) && only === undefined && hidden.size === 0;
}

/** No filter but on concepts. */
export function byConceptOnly({ question, ranged, way }: SummaryScope): boolean {
  return way === "kept" && !ranged && !narrowed(question);
}

/** No filter but on concepts, and a range of whole months. */
export function byWholeMonths({ question, way }: SummaryScope): boolean {
  const { since, until } = question;
  const isWhole = (since?.endsWith("-01") ?? true) && (until === undefined || dayAfter(until).endsWith("-01"));
  return way === "kept" && isWhole && !narrowed(question);
}

/** No filter but one agent and a range of days. */
export function byAgentOnly({ question: { agent, session, types }, only, hidden, way }: SummaryScope): boolean {
  const isAlone = session === undefined && types === undefined && only === undefined && hidden.size === 0;
  return way === "kept" && agent !== undefined && isAlone;
}

function narrowed({ agent, session, types }: SummaryQuestion): boolean {
  return agent !== undefined || session !== undefined || types !== undefined;
}

/** The smallest table that has all columns the question and the answer need, as a source of `n` by `columns`. */
export function useSource(ask: SummaryScope, columns: readonly ("day" | "agent")[]): Where {
  const { question, ranged, way } = ask;
  if (way === "recount" || question.session !== undefined) return eventSource(ask);
  const agent = question.agent !== undefined || columns.includes("agent");
  const day = ranged || columns.includes("day");
  const table = day ? (agent ? "count_day" : "day_concept") : "count_all";
  const { sql, values } = allOf([keptWhere(ask, day, agent), { sql: "n > 0", values: [] }]);
  return { sql: `(select * from ${table} where ${sql}) as used`, values };
}

/** The same columns from the events themselves. */
export function eventSource(ask: SummaryScope): Where {
  const { sql, values } = eventCondition(ask);
  return {
    sql: `(select coalesce(concept, '') as concept, other, type, agent, session, substr(at, 1, 10) as day,
      substr(at, 1, 7) as month, 1 as n
      from event where ${sql}) as used`,
    values,
  };
}

function eventCondition({ question, only, hidden }: SummaryScope): Where {
  const { concept: _, ...filter } = question;
  return allOf([
    { sql: "forgotten is null", values: [] },
    eventWhere(filter, hidden),
    ...(only === undefined ? [] : [inside("concept", only)]),
  ]);
}

function keptWhere({ question, only, hidden }: SummaryScope, day: boolean, agent: boolean): Where {
  const { since, until, types } = question;
  return allOf([
    ...(day && since !== undefined ? [{ sql: "day >= ?", values: [since] }] : []),
    ...(day && until !== undefined ? [{ sql: "day <= ?", values: [until] }] : []),
    ...(agent && question.agent !== undefined ? [{ sql: "agent = ?", values: [storedText(question.agent)] }] : []),
    ...(types === undefined ? [] : [{ sql: `type in (${marks(types.length)})`, values: types }]),
    ...conceptWhere("concept", only, hidden),
  ]);
}

export function monthWhere({ question: { since, until } }: SummaryScope): Where {
  return allOf([
    ...(since === undefined ? [] : [{ sql: "month >= ?", values: [since.slice(0, 7)] }]),
    ...(until === undefined ? [] : [{ sql: "month <= ?", values: [until.slice(0, 7)] }]),
  ]);
}

export function dayWhere({ question: { since, until } }: SummaryScope): Where {
  return allOf([
    ...(since === undefined ? [] : [{ sql: "day >= ?", values: [since] }]),
    ...(until === undefined ? [] : [{ sql: "day <= ?", values: [until] }]),
  ]);
}

export function conceptWhere(
  column: string,
  only: readonly string[] | undefined,
  hidden: ReadonlySet<string>,
): readonly Where[] {
  return [
    ...(only === undefined ? [] : [inside(column, only)]),
    ...(hidden.size === 0 ? [] : [outside(column, hidden)]),
  ];
}

function inside(column: string, ids: readonly string[]): Where {
  return { sql: `${column} in (${marks(ids.length)})`, values: ids.map(storedText) };
}

/** Both ends visible, at least one of them asked for. */
export function pairWhere({ only, hidden }: SummaryScope): Where {
  const visible = hidden.size === 0 ? [] : [outside("a", hidden), outside("b", hidden)];
  if (only === undefined) return allOf(visible);
  const [a, b] = [inside("a", only), inside("b", only)];
  return allOf([...visible, { sql: `${a.sql} or ${b.sql}`, values: [...a.values, ...b.values] }]);
}
