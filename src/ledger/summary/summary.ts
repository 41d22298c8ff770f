import type { EventFilter, EventType, LoggingPeriod } from "../events/event.ts";

/** What a summary needs to know of the concepts in the present vocabulary. */
export interface ConceptFacts {
  readonly id: string;
  readonly direction: string;
  readonly category: string;
}

export interface SummaryQuestion extends EventFilter {
  /** All concepts of the present vocabulary that the reader may know of. */
  readonly concepts: readonly ConceptFacts[];
  readonly direction?: string;
  readonly category?: string;
  /** Concepts the reader may not know of: the summary is as if nobody had used them. */
  readonly hidden?: ReadonlySet<string>;
  /** Longest list, 50 when left out. */
  readonly limit?: number;
}

export interface CountOf {
  readonly events: number;
}

/**
 * Use of these files, never a rating of people or of what they know. Field names are those of `iaip://wisdom/ledger`.
 * A list `x` that was cut has its true length in `x_total`, and then `truncated` is true.
 */
export interface Summary {
  readonly measures: string;
  /** First and last UTC day with an event, or the range that was asked for. */
  readonly since: string | null;
  readonly until: string | null;
  readonly totals: {
    readonly events: number;
    readonly concepts: number;
    readonly agents: number;
    readonly sessions: number;
    readonly days: number;
    readonly forgotten: number;
  };
  /** The seed's measure: a session on one UTC day, and how many of them reached 100 events. */
  readonly session_days: { readonly total: number; readonly with_100_events: number };
  readonly by_concept: readonly (CountOf & { readonly concept: string })[];
  readonly by_concept_total: number;
  readonly by_type: readonly (CountOf & { readonly type: EventType })[];
  readonly by_agent: readonly (CountOf & { readonly agent: string })[];
  readonly by_agent_total: number;
  readonly by_session: readonly (CountOf & { readonly session: string })[];
  readonly by_session_total: number;
  /** The latest days that have events, newest last. */
  readonly by_day: readonly (CountOf & { readonly day: string })[];
  readonly by_day_total: number;
  /** By where the concept stands now; concepts no longer in the vocabulary are under `null`. */
  readonly by_direction: readonly (CountOf & { readonly direction: string | null })[];
  readonly by_category: readonly (CountOf & { readonly category: string | null })[];
  /** Concepts used more, or less, in the last 28 days of the range than in the 28 before. */
  readonly rising: readonly Trend[];
  readonly falling: readonly Trend[];
  /** Concepts used in the same session, by the number of sessions; one that goes on into another month counts in both. */
  readonly pairs: readonly { readonly concepts: readonly [string, string]; readonly sessions: number }[];
  readonly pairs_total: number;
  readonly relations_walked: readonly (CountOf & { readonly from: string; readonly to: string })[];
  readonly relations_walked_total: number;
  readonly never_used: readonly string[];
  readonly never_used_total: number;
  /** Of the concepts in each direction, how many were used. */
  readonly coverage: readonly { readonly direction: string; readonly concepts: number; readonly used: number }[];
  /** The newest changes of words. */
  readonly versions: readonly {
    readonly concept: string;
    readonly version: number;
    readonly at: string;
    readonly changed: readonly string[];
  }[];
  readonly query_logging: readonly LoggingPeriod[];
  readonly truncated: boolean;
}

export interface Trend {
  readonly concept: string;
  readonly before: number;
  readonly now: number;
}
