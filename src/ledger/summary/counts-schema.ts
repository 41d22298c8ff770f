/**
 * Tables of kept counts, the same in both stores. Pairs and walks are kept by month: a session is one within a month. `''` stands for "none" in a key. A fold adds what `picked_event` shows,
 * a forgetting subtracts it; both end in the same transaction as the mark that it was counted.
 */
export const countsSchema: readonly string[] = [
  `create table count_all (concept text not null, type text not null, agent text not null, n bigint not null,
     primary key (concept, type, agent))`,
  `create table count_day (day text not null, concept text not null, type text not null, agent text not null,
     n bigint not null, primary key (day, concept, type, agent))`,
  `create table day_concept (day text not null, concept text not null, type text not null, n bigint not null,
     primary key (day, concept, type))`,
  `create table day_total (day text not null, n bigint not null, session_days bigint not null, full_days bigint not null,
     primary key (day))`,
  `create table key_total (kind text not null, key text not null, n bigint not null, primary key (kind, key))`,
  `create index count_day_agent on count_day (agent, day)`,
  `create index key_total_most on key_total (kind, n desc, key)`,
  `create table day_agent (day text not null, agent text not null, n bigint not null, primary key (day, agent))`,
  `create table session_use (month text not null, session text not null, concept text not null, n bigint not null,
     primary key (month, session, concept))`,
  `create index session_use_concept on session_use (concept, session)`,
  `create table session_day (day text not null, session text not null, n bigint not null, primary key (day, session))`,
  `create table pair (month text not null, a text not null, b text not null, n bigint not null,
     primary key (month, a, b))`,
  `create table walk (month text not null, a text not null, b text not null, n bigint not null,
     primary key (month, a, b))`,
];

/** What else both stores keep: versions of concepts, acts of forgetting, and when query logging was on. */
export const recordsSchema: readonly string[] = [
  `create table concept_version (concept text not null, version bigint not null, at text not null, hash text not null,
     changed text not null, fields text, withdrawn bigint not null, revision text, primary key (concept, version))`,
  `create index concept_version_at on concept_version (at)`,
  `create table act (id text not null, at text not null, kind text not null, subject text, asked_by text not null,
     reason text not null, events bigint not null, versions bigint not null, first_at text, last_at text,
     is_open bigint not null, primary key (id))`,
  `create table logging_period (run text not null, from_at text not null, to_at text not null, dropped bigint not null,
     primary key (run))`,
];

/** Columns of `event` in both stores, without its keys. */
export const eventBody = `
  id text not null, at text not null, type text not null, concept text, other text, direction text,
  agent text not null, session text, context text not null, depth text, disclosure text, revision text, forgotten text`;

/** What counting needs of an event: the columns of `picked`, and in PostgreSQL of `uncounted`. */
export const countedColumns = ["id", "at", "type", "concept", "other", "agent", "session"] as const;
export const countedBody =
  "id text not null, at text not null, type text not null, concept text, other text, agent text not null, session text";

/** The events in `picked` as the counts see them. They are copied there, so that no count has to find them again. */
export const pickedView = `view picked_event as
  select id, at, coalesce(concept, '') as concept, type, agent, session, other,
    substr(at, 1, 10) as day, substr(at, 1, 7) as month from picked`;
