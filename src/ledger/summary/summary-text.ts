import { visibleLine } from "../../base/visible-text.ts";
import type { Summary } from "./summary.ts";

export const measures =
  "Use of these files, as far as it was recorded here. It says nothing of people, of what they know, or of the worth of a concept.";

/** The summary in words, for a terminal. */
export function summaryText(summary: Summary): string {
  const { totals, session_days: days } = summary;
  const range = summary.since === null ? "no event yet" : `${summary.since} to ${summary.until}`;
  return [
    measures,
    "",
    `Range: ${range}`,
    `Events: ${totals.events} on ${totals.concepts} concepts, by ${totals.agents} agents in ${totals.sessions} sessions over ${totals.days} days`,
    `Session days: ${days.total}, of them with 100 events or more: ${days.with_100_events}`,
    ...(totals.forgotten > 0 ? [`Forgotten on request: ${totals.forgotten} events, which no count includes`] : []),
    ...section("By concept", summary.by_concept, summary.by_concept_total, (each) => [each.concept, each.events]),
    ...section("By kind of use", summary.by_type, summary.by_type.length, (each) => [each.type, each.events]),
    ...section("By agent", summary.by_agent, summary.by_agent_total, (each) => [each.agent, each.events]),
    ...section("By session", summary.by_session, summary.by_session_total, (each) => [each.session, each.events]),
    ...section("By day (UTC)", summary.by_day, summary.by_day_total, (each) => [each.day, each.events]),
    ...section("By direction", summary.by_direction, summary.by_direction.length, (each) => [
      each.direction ?? "no longer in the vocabulary",
      each.events,
    ]),
    ...section("By category", summary.by_category, summary.by_category.length, (each) => [
      each.category ?? "no longer in the vocabulary",
      each.events,
    ]),
    ...section("Used more lately", summary.rising, summary.rising.length, (each) => [
      each.concept,
      `${each.before} → ${each.now}`,
    ]),
    ...section("Used less lately", summary.falling, summary.falling.length, (each) => [
      each.concept,
      `${each.before} → ${each.now}`,
    ]),
    ...section("Used in the same session", summary.pairs, summary.pairs_total, (each) => [
      each.concepts.join(" + "),
      each.sessions,
    ]),
    ...section("Relations walked", summary.relations_walked, summary.relations_walked_total, (each) => [
      `${each.from} → ${each.to}`,
      each.events,
    ]),
    ...section("Directions: concepts used of all", summary.coverage, summary.coverage.length, (each) => [
      each.direction,
      `${each.used} of ${each.concepts}`,
    ]),
    ...section("Never used", summary.never_used, summary.never_used_total, (each) => [each, ""]),
    ...section("Definitions that moved", summary.versions, summary.versions.length, (each) => [
      `${each.concept}, version ${each.version}`,
      `${each.at.slice(0, 10)} ${each.changed.join(", ")}`,
    ]),
    ...loggingLines(summary),
  ].join("\n");
}

function section<T>(
  title: string,
  items: readonly T[],
  total: number,
  line: (item: T) => readonly [string, string | number],
): readonly string[] {
  if (items.length === 0) return [];
  const more = total > items.length ? [`  … ${total - items.length} more`] : [];
  const lines = items.map(line).map(([name, value]) => `  ${visibleLine(name)}${value === "" ? "" : `  ${value}`}`);
  return ["", title, ...lines, ...more];
}

function loggingLines({ query_logging: periods }: Summary): readonly string[] {
  if (periods.length === 0)
    return ["", "Query logging was never on: only uses that agents logged themselves are counted."];
  const lines = periods.map(
    ({ from, to, dropped }) => `  ${from} to ${to}${dropped > 0 ? `, ${dropped} events dropped under load` : ""}`,
  );
  return ["", "Query logging was on", ...lines];
}
