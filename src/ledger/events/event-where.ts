import type { Where } from "../store.ts";
import type { EventFilter } from "./event.ts";
import { storedText } from "./stored-text.ts";

/** The condition on `event` that a filter means; `true` for none. Days are whole UTC days, both ends included. */
export function eventWhere(filter: EventFilter, hidden: ReadonlySet<string> = new Set()): Where {
  const parts: Where[] = [];
  if (filter.since) parts.push({ sql: "at >= ?", values: [filter.since] });
  if (filter.until) parts.push({ sql: "at < ?", values: [dayAfter(filter.until)] });
  for (const column of ["concept", "agent", "session"] as const) {
    const value = filter[column];
    if (value !== undefined) parts.push({ sql: `${column} = ?`, values: [storedText(value)] });
  }
  if (filter.types) parts.push({ sql: `type in (${marks(filter.types.length)})`, values: filter.types });
  if (hidden.size > 0) parts.push(outside("concept", hidden));
  return allOf(parts);
}

export function marks(n: number): string {
  return n === 0 ? "null" : Array.from({ length: n }, () => "?").join(", ");
}

/** The UTC day after a day, both `YYYY-MM-DD`. */
export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The column names none of these concepts. */
export function outside(column: string, hidden: ReadonlySet<string>): Where {
  return { sql: `coalesce(${column}, '') not in (${marks(hidden.size)})`, values: [...hidden].map(storedText) };
}

/** All of the conditions; `true` for none. */
export function allOf(parts: readonly Where[]): Where {
  return {
    sql: parts.map((part) => `(${part.sql})`).join(" and ") || "true",
    values: parts.flatMap((part) => part.values),
  };
}
