import type { EventFilter, LedgerEvent } from "../../../src/ledger/events/event.ts";
import type { ForgetRequest } from "../../../src/ledger/records.ts";
import type { Summary } from "../../../src/ledger/summary/summary.ts";

type Kept = LedgerEvent & { readonly id: string; readonly at: string; readonly dead?: boolean };

/** The ledger as one would write it on a napkin: a list. Both stores must agree with it. */
export class PlainLedger {
  events: Kept[] = [];

  add(event: LedgerEvent & { readonly id: string; readonly at: string }): boolean {
    if (this.events.some(({ id }) => id === event.id)) return false;
    this.events.push(event);
    return true;
  }

  get living(): readonly Kept[] {
    return this.events.filter(({ dead }) => !dead);
  }

  forget(request: ForgetRequest): number {
    const matches = (event: Kept) =>
      !event.dead &&
      ((request.agent !== undefined && event.agent === request.agent) ||
        (request.session !== undefined && event.session === request.session) ||
        (request.concept !== undefined && [event.concept, event.other].includes(request.concept)) ||
        (request.before !== undefined && event.at < request.before));
    const going = this.events.filter(matches);
    this.events = this.events.map((event) =>
      matches(event)
        ? { id: event.id, at: event.at, type: event.type ?? "use", agent: "", context: "", dead: true }
        : event,
    );
    return going.length;
  }

  total(kind: "concept" | "agent" | "session", key: string | undefined): number {
    return this.living.filter((event) => event[kind] === key).length;
  }

  matching({ since, until, concept, agent, session, types }: EventFilter): readonly Kept[] {
    return this.living.filter(
      (event) =>
        (since === undefined || day(event) >= since) &&
        (until === undefined || day(event) <= until) &&
        (concept === undefined || event.concept === concept) &&
        (agent === undefined || event.agent === agent) &&
        (session === undefined || event.session === session) &&
        (types === undefined || types.includes(event.type ?? "use")),
    );
  }

  /** The parts of a summary that a list answers in a line each. */
  summary(filter: EventFilter, hidden: ReadonlySet<string>) {
    const visible = (event: Kept) => !hidden.has(event.concept ?? "");
    const events = this.matching(filter).filter(visible);
    const named = events.filter(({ concept }) => concept !== undefined);
    const inSession = events.filter(({ session }) => session !== undefined);
    const { concept, ...rest } = filter;
    const around = this.matching(rest).filter(visible);
    const touches = (a: string, b: string) =>
      !hidden.has(a) && !hidden.has(b) && (concept === undefined || a === concept || b === concept);
    const walked = around.filter(
      ({ type, concept: from, other }) =>
        type === "relationship_query" && other !== undefined && touches(from ?? "", other),
    );
    return {
      events: events.length,
      by_concept: tally(named.map((event) => event.concept ?? "")),
      by_type: tally(events.map(({ type }) => type ?? "use")),
      by_agent: tally(events.map(({ agent }) => agent)),
      by_session: tally(inSession.map(({ session }) => session ?? "")),
      by_day: tally(events.map(day)),
      session_days: tally(inSession.map((event) => `${day(event)} ${event.session}`)).length,
      pairs: tally(
        pairsOf(around)
          .filter(({ a, b }) => touches(a, b))
          .map(({ a, b }) => `${a}+${b}`),
      ),
      walks: tally(walked.map(({ concept: from, other }) => `${from ?? ""}>${other}`)),
    };
  }
}

/** The same parts of a real summary. */
export function plainly(summary: Summary) {
  const of = <T>(items: readonly T[], key: (item: T) => string, n: (item: T) => number) =>
    items.map((item) => [key(item), n(item)] as const).sort(byKey);
  const events = ({ events: n }: { readonly events: number }) => n;
  return {
    events: summary.totals.events,
    by_concept: of(summary.by_concept, ({ concept }) => concept, events),
    by_type: of(summary.by_type, ({ type }) => type, events),
    by_agent: of(summary.by_agent, ({ agent }) => agent, events),
    by_session: of(summary.by_session, ({ session }) => session, events),
    by_day: of(summary.by_day, ({ day: of }) => of, events),
    session_days: summary.session_days.total,
    pairs: of(
      summary.pairs,
      ({ concepts: [a, b] }) => `${a}+${b}`,
      ({ sessions }) => sessions,
    ),
    walks: of(summary.relations_walked, ({ from, to }) => `${from}>${to}`, events),
  };
}

function day({ at }: { readonly at: string }): string {
  return at.slice(0, 10);
}

function tally(keys: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(byKey);
}

function byKey([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Each pair once a session and month. */
function pairsOf(events: readonly Kept[]): readonly { readonly a: string; readonly b: string }[] {
  const sessions = new Map<string, Set<string>>();
  for (const { session: name, concept, at } of events) {
    const session = name === undefined ? undefined : `${at.slice(0, 7)} ${name}`;
    if (session === undefined || concept === undefined) continue;
    sessions.set(session, (sessions.get(session) ?? new Set()).add(concept));
  }
  return [...sessions.values()].flatMap((concepts) => {
    const sorted = [...concepts].sort();
    return sorted.flatMap((a, i) => sorted.slice(i + 1).map((b) => ({ a, b })));
  });
}
