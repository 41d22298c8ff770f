import { countedBody, countsSchema, eventBody, pickedView, recordsSchema } from "../summary/counts-schema.ts";

/** Step `n` brings a file from version `n` to `n + 1`. A released step is never changed; a new one is added. */
export const sqliteSteps: readonly (readonly string[])[] = [
  [
    `create table event (seq integer primary key, ${eventBody}, unique (id))`,
    "create index event_at on event (at)",
    "create index event_concept on event (concept) where concept is not null",
    "create index event_agent on event (agent)",
    "create index event_session on event (session) where session is not null",
    "create table counted (only integer primary key check (only = 1), upto integer not null)",
    "insert into counted values (1, 0)",
    ...countsSchema,
    ...recordsSchema,
    refuse("event_keeps_rows", "delete on event"),
    refuse("event_keeps_words", "update on event", "not exists (select 1 from act where is_open = 1)"),
    refuse("version_keeps_rows", "delete on concept_version"),
    refuse("version_keeps_words", "update on concept_version", "not exists (select 1 from act where is_open = 1)"),
    refuse("act_keeps_rows", "delete on act"),
    refuse("act_keeps_words", "update on act", "old.is_open = 0"),
  ],
];

/** What each connection has for itself: a fold never writes into the ledger a second time what it counts. */
export const connectionSchema = `create temp table if not exists picked (seq integer primary key, ${countedBody});
  create temp ${pickedView.replace("view", "view if not exists")};`;

/** The ledger is append-only: the one way to change a row is an act of forgetting, and the act itself stays. */
function refuse(name: string, event: string, when = "true"): string {
  return `create trigger ${name} before ${event} when ${when}
    begin select raise(abort, 'the ledger is append-only: use "iaip-dsl ledger forget"'); end`;
}
