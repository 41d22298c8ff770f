import type { EventType } from "../events/event.ts";
import { dayAfter } from "../events/event-where.ts";
import { originalText } from "../events/stored-text.ts";
import { count, type SqlRow, type Statement, text } from "../sql.ts";
import type { LedgerStore } from "../store.ts";
import type { Summary, SummaryQuestion, Trend } from "./summary.ts";
import { type SummaryScope, summaryScope } from "./summary-source.ts";
import * as ask from "./summary-statements.ts";
import { measures } from "./summary-text.ts";

const listLimit = 50;
/** Days that a summary lists; the seed's readers look at a season. */
const dayLimit = 92;
/** Days of the window in which use rises or falls. */
const trendDays = 28;
const versionLimit = 20;

/** Answers by SQL: from the kept counts, or from every event when asked to recount. */
export async function summarize(
  store: LedgerStore,
  question: SummaryQuestion,
  way: "kept" | "recount",
): Promise<Summary> {
  const what = summaryScope(question, way, store.kind);
  const limit = Math.max(1, Math.min(question.limit ?? listLimit, 1_000));
  const statements = {
    concepts: ask.concepts(what),
    types: ask.types(what),
    agents: ask.agents(what, limit),
    agentTotal: ask.agentTotal(what),
    days: ask.days(what, dayLimit),
    dayTotal: ask.dayTotal(what),
    sessions: ask.sessions(what, limit),
    sessionTotal: ask.sessionTotal(what),
    sessionDays: ask.sessionDays(what),
    pairs: ask.pairs(what, limit),
    walks: ask.walks(what, limit),
    versions: ask.versions(what, versionLimit),
    periods: ask.periods(versionLimit),
    forgotten: ask.forgotten(),
  };
  const all = await store.read(Object.values(statements));
  const rows = Object.fromEntries(Object.keys(statements).map((name, i) => [name, all[i] ?? []])) as Readonly<
    Record<keyof typeof statements, readonly SqlRow[]>
  >;
  const trends = await trendsOf(store, what, rows.dayTotal[0]);
  return answer(what, rows, trends, limit);
}

type Rows = Readonly<
  Record<"concepts" | "types" | "agents" | "days" | "sessions" | "pairs" | "walks", readonly SqlRow[]>
> &
  Readonly<Record<"versions" | "periods" | "forgotten" | "agentTotal" | "dayTotal", readonly SqlRow[]>> &
  Readonly<Record<"sessionTotal" | "sessionDays", readonly SqlRow[]>>;

function answer({ question, only }: SummaryScope, rows: Rows, trends: readonly Trend[], limit: number): Summary {
  const used = rows.concepts.map((row) => ({ concept: name(row, "concept"), events: count(row) }));
  const named = used.filter(({ concept }) => concept !== "");
  const byUse = new Map(named.map(({ concept, events }) => [concept, events]));
  const facts = only === undefined ? question.concepts : question.concepts.filter(({ id }) => only.includes(id));
  const neverUsed = facts
    .filter(({ id }) => !byUse.has(id))
    .map(({ id }) => id)
    .sort();
  const totals = { pairs: count(rows.pairs[0], "total"), walks: count(rows.walks[0], "total") };
  const counted = {
    agents: count(rows.agentTotal[0]),
    sessions: count(rows.sessionTotal[0]),
    days: count(rows.dayTotal[0]),
  };
  const rising = trends.filter(({ before, now }) => now > before).sort((a, b) => b.now - b.before - (a.now - a.before));
  const falling = trends
    .filter(({ before, now }) => now < before)
    .sort((a, b) => b.before - b.now - (a.before - a.now));
  const summary = {
    measures,
    since: question.since ?? (text(rows.dayTotal[0] ?? {}, "first_day") || null),
    until: question.until ?? (text(rows.dayTotal[0] ?? {}, "last_day") || null),
    totals: {
      events: used.reduce((sum, { events }) => sum + events, 0),
      concepts: named.length,
      ...counted,
      forgotten: count(rows.forgotten[0]),
    },
    session_days: { total: count(rows.sessionDays[0]), with_100_events: count(rows.sessionDays[0], "full_days") },
    by_concept: named.slice(0, limit),
    by_concept_total: named.length,
    by_type: rows.types.map((row) => ({ type: text(row, "type") as EventType, events: count(row) })),
    by_agent: rows.agents.map((row) => ({ agent: name(row, "agent"), events: count(row) })),
    by_agent_total: counted.agents,
    by_session: rows.sessions.map((row) => ({ session: name(row, "session"), events: count(row) })),
    by_session_total: counted.sessions,
    by_day: rows.days.map((row) => ({ day: text(row, "day"), events: count(row) })).reverse(),
    by_day_total: counted.days,
    by_direction: ask.grouped(named, new Map(question.concepts.map((each) => [each.id, each.direction])), "direction"),
    by_category: ask.grouped(named, new Map(question.concepts.map((each) => [each.id, each.category])), "category"),
    rising: rising.slice(0, limit),
    falling: falling.slice(0, limit),
    pairs: rows.pairs.map((row) => ({ concepts: [name(row, "a"), name(row, "b")] as const, sessions: count(row) })),
    pairs_total: totals.pairs,
    relations_walked: rows.walks.map((row) => ({ from: name(row, "a"), to: name(row, "b"), events: count(row) })),
    relations_walked_total: totals.walks,
    never_used: neverUsed.slice(0, limit),
    never_used_total: neverUsed.length,
    coverage: ask.coverage(facts, byUse),
    versions: rows.versions.map((row) => ({
      concept: name(row, "concept"),
      version: count(row, "version"),
      at: text(row, "at"),
      changed: JSON.parse(name(row, "changed")) as string[],
    })),
    query_logging: rows.periods.map((row) => ({
      from: text(row, "from_at"),
      to: text(row, "to_at"),
      dropped: count(row, "dropped"),
    })),
  };
  return { ...summary, truncated: isTruncated(summary, rising.length + falling.length, limit) };
}

function isTruncated(summary: Omit<Summary, "truncated">, trends: number, limit: number): boolean {
  return (
    summary.by_concept_total > limit ||
    summary.by_agent_total > limit ||
    summary.by_session_total > limit ||
    summary.by_day_total > summary.by_day.length ||
    summary.pairs_total > limit ||
    summary.relations_walked_total > limit ||
    summary.never_used_total > limit ||
    trends > summary.rising.length + summary.falling.length
  );
}

/** Compares the last days of the range with as many before them; a range of few days is halved. */
async function trendsOf(store: LedgerStore, what: SummaryScope, days: SqlRow | undefined): Promise<readonly Trend[]> {
  const last = what.question.until ?? text(days ?? {}, "last_day");
  if (last === "") return [];
  const first = what.question.since ?? dayAfter(last, 1 - 2 * trendDays);
  const span = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
  const window = Math.min(trendDays, Math.floor(span / 2));
  if (window < 1) return [];
  const statement: Statement = ask.trends(what, dayAfter(last, 1 - 2 * window), dayAfter(last, 1 - window), last);
  const [rows] = await store.read([statement]);
  return (rows ?? []).map((row) => ({
    concept: name(row, "concept"),
    before: count(row, "before"),
    now: count(row, "now"),
  }));
}

function name(row: SqlRow, column: string): string {
  return originalText(text(row, column));
}
