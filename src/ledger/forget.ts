import { eventRow } from "./events/event-row.ts";
import { storedText } from "./events/stored-text.ts";
import { LedgerRefused } from "./port.ts";
import type { ForgetRequest, Forgotten } from "./records.ts";
import { count, type Statement, textOrNull } from "./sql.ts";
import type { LedgerStore, Where } from "./store.ts";
import { countPicked, dropEmptyCounts } from "./summary/counts.ts";

/**
 * One transaction: the act is opened, what it names is counted out and emptied, the act is closed. Rows stay as
 * tombstones, so that an old export cannot bring the words back by their ids.
 */
export async function forget(
  store: LedgerStore,
  request: ForgetRequest,
  made: { readonly id: string; readonly at: string },
): Promise<Forgotten> {
  const named = namedBy(request);
  const statements = [
    openAct(request, named, made),
    ...store.pickUncounted,
    ...countPicked(1),
    ...store.unpick,
    store.pick(named.where),
    ...countPicked(-1),
    { sql: reckon, values: [made.id] },
    { sql: emptyEvents, values: [made.id] },
    ...emptyTexts(request),
    ...emptyVersions(request, made.id),
    ...dropEmptyCounts,
    ...store.unpick,
    { sql: "update act set is_open = 0 where id = ?", values: [made.id] },
  ];
  await store.write(statements);
  const context = storedText(request.reason);
  const event = eventRow({ agent: request.by, context: request.reason, type: "forget", id: made.id }, made);
  await store.insert([{ ...event, context }], "no-totals");
  return report(store, made);
}

interface Named {
  readonly kind: "agent" | "session" | "concept" | "before";
  readonly where: Where;
  /** What the act keeps of the name: a person's or a session's is not written down again. */
  readonly subject: string | null;
}

function namedBy(request: ForgetRequest): Named {
  const given = (["agent", "session", "concept", "before"] as const).filter((kind) => request[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw new LedgerRefused(
      "Name exactly one of an agent, a session, a concept or a day to forget. Nothing was forgotten.",
    );
  }
  if (request.reason.trim() === "" || request.by.trim() === "") {
    throw new LedgerRefused("Forgetting is a recorded act: say who asks for it and why. Nothing was forgotten.");
  }
  const value = storedText(request[kind] ?? "");
  if (kind === "before") return { kind, where: { sql: "at < ?", values: [day(value)] }, subject: value };
  if (kind === "concept")
    return { kind, where: { sql: "(concept = ? or other = ?)", values: [value, value] }, subject: value };
  return { kind, where: { sql: `${kind} = ?`, values: [value] }, subject: null };
}

function day(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new LedgerRefused(`"${value}" is no day; write it as 2026-09-30. Nothing was forgotten.`);
}

function openAct(
  request: ForgetRequest,
  { kind, subject }: Named,
  made: { readonly id: string; readonly at: string },
): Statement {
  const sql = `insert into act (id, at, kind, subject, asked_by, reason, events, versions, first_at, last_at, is_open)
    values (?, ?, ?, ?, ?, ?, 0, 0, null, null, 1)`;
  return { sql, values: [made.id, made.at, kind, subject, storedText(request.by), storedText(request.reason)] };
}

const reckon = `update act set events = (select count(*) from picked_event),
  first_at = (select min(at) from picked_event), last_at = (select max(at) from picked_event) where id = ?`;

const emptyEvents = `update event set agent = '', session = null, context = '', concept = null, other = null,
  direction = null, depth = null, disclosure = null, revision = null, forgotten = ?
  where id in (select id from picked_event)`;

/** Texts of other callers' queries that name the agent; their events stay and stay counted. */
function emptyTexts({ agent }: ForgetRequest): readonly Statement[] {
  if (agent === undefined) return [];
  const pattern = `%${storedText(agent).toLowerCase().replace(/[!%_]/g, "!$&")}%`;
  const sql = `update event set context = ''
    where type not in ('use', 'withdrawal', 'forget') and lower(context) like ? escape '!'`;
  return [{ sql, values: [pattern] }];
}

function emptyVersions({ concept }: ForgetRequest, act: string): readonly Statement[] {
  if (concept === undefined) return [];
  const id = storedText(concept);
  return [
    {
      sql: "update act set versions = (select count(*) from concept_version where concept = ? and fields is not null) where id = ?",
      values: [id, act],
    },
    { sql: "update concept_version set fields = null where concept = ?", values: [id] },
  ];
}

async function report(store: LedgerStore, made: { readonly id: string; readonly at: string }): Promise<Forgotten> {
  const remains = await store.wipe();
  const [rows] = await store.read([{ sql: "select * from act where id = ?", values: [made.id] }]);
  const row = rows?.[0] ?? {};
  return {
    act: made.id,
    at: made.at,
    events: count(row, "events"),
    versions: count(row, "versions"),
    from: textOrNull(row, "first_at"),
    to: textOrNull(row, "last_at"),
    remains,
  };
}
