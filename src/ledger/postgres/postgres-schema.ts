import { countedBody, countsSchema, eventBody, pickedView, recordsSchema } from "../summary/counts-schema.ts";

/** All tables live in a schema of their own, beside whatever else the database holds. */
export const schemaName = "wisdom";

/** One statement of a step. `without` is what to do where an engine that speaks PostgreSQL's protocol refuses it. */
export interface SchemaStatement {
  readonly sql: string;
  readonly without?: { readonly sql?: string; readonly loss: string };
}

/** Step `n` brings a database from version `n` to `n + 1`. A released step is never changed; a new one is added. */
export const postgresSteps: readonly (readonly SchemaStatement[])[] = [
  [
    {
      sql: table(`event (${eventBody}, primary key (id, at)) partition by range (at)`),
      without: {
        sql: table(`event (${eventBody}, primary key (id, at))`),
        loss: "Events are kept in one table: this server does not partition by range.",
      },
    },
    {
      sql: "create table event_other partition of event default",
      without: { loss: "Events of far months have no partition of their own." },
    },
    plain("create index event_at on event (at, id)"),
    plain("create index event_concept on event (concept, at)"),
    plain("create index event_session on event (session)"),
    // A partitioned table cannot promise that an id is unique without its time: this one does.
    plain(table("event_key (id text not null, primary key (id))")),
    plain(table(`uncounted (${countedBody}, primary key (id))`)),
    plain(table(`picked (${countedBody}, primary key (id))`)),
    plain("create table fold_lock (only_row bigint not null, primary key (only_row))"),
    plain("insert into fold_lock values (1)"),
    ...countsSchema.map(byBytes).map(plain),
    ...recordsSchema.map(byBytes).map(plain),
    plain(`create ${pickedView}`),
    ...appendOnly("event", `not exists (select 1 from ${schemaName}.act where is_open = 1)`),
    ...appendOnly("concept_version", `not exists (select 1 from ${schemaName}.act where is_open = 1)`),
    ...appendOnly("act", "old.is_open = 0"),
  ],
];

function plain(sql: string): SchemaStatement {
  return { sql };
}

function table(body: string): string {
  return byBytes(`create table ${body}`);
}

/** Text sorts by its bytes, as in SQLite, whatever the database's language is. */
function byBytes(sql: string): string {
  return sql.replace(/\btext\b/g, 'text collate "C"');
}

/** The one way to change a row is an act of forgetting, and the act itself stays. */
function appendOnly(on: string, when: string): readonly SchemaStatement[] {
  const message = 'the ledger is append-only: use "iaip-dsl ledger forget"';
  const without = { loss: `The table ${on} is append-only by agreement: this server has no triggers.` };
  return [
    {
      sql: `create function ${on}_keeps() returns trigger language plpgsql as $body$
        begin
          if tg_op = 'DELETE' or ${when} then raise exception '${message}'; end if;
          return new;
        end $body$`,
      without,
    },
    {
      sql: `create trigger ${on}_keeps before update or delete on ${on} for each row execute function ${on}_keeps()`,
      without,
    },
  ];
}
