import { eventRow } from "../events/event-row.ts";
import { marks } from "../events/event-where.ts";
import { originalText, storedText } from "../events/stored-text.ts";
import type { ConceptContent, ConceptVersion } from "../records.ts";
import { count, type SqlRow, type Statement, text, textOrNull } from "../sql.ts";
import type { LedgerStore } from "../store.ts";

type Stamp = () => { readonly id: string; readonly at: string };

/** Concepts of one look and one transaction. */
const atOnce = 500;

/** Two servers that load the same change at once write it once: a version is taken only after the one that was seen. */
export async function recordVersions(
  store: LedgerStore,
  concepts: readonly ConceptContent[],
  stamp: Stamp,
): Promise<readonly ConceptVersion[]> {
  const made: ConceptVersion[] = [];
  for (let i = 0; i < concepts.length; i += atOnce)
    made.push(...(await recordSome(store, concepts.slice(i, i + atOnce), stamp)));
  return made;
}

async function recordSome(
  store: LedgerStore,
  concepts: readonly ConceptContent[],
  stamp: Stamp,
): Promise<readonly ConceptVersion[]> {
  const last = await lastVersions(store, concepts);
  const differing = concepts.filter(({ concept, hash }) => last.get(concept)?.hash !== hash);
  if (differing.length === 0) return [];
  const next = differing.map((content) => nextVersion(content, last.get(content.concept), stamp().at));
  const guarded = differing.filter(({ isGuarded }) => isGuarded === true).map(({ concept }) => concept);
  const emptied = guarded.flatMap((concept) => emptyOlder(concept, stamp()));
  const inserts = next.map((version, i) => insertVersion(version, differing[i]?.revision));
  const rows = await store.write([...inserts, ...emptied]);
  if (guarded.some((concept) => last.get(concept)?.fields)) await store.wipe();
  const made = next.filter((_, i) => (rows[i]?.length ?? 0) > 0);
  const withdrawn = made.filter(({ concept, withdrawn }) => withdrawn && last.get(concept)?.withdrawn === false);
  if (withdrawn.length > 0) {
    await store.insert(
      withdrawn.map(({ concept }) => withdrawalRow(concept, stamp())),
      "no-totals",
    );
  }
  return made;
}

async function lastVersions(
  store: LedgerStore,
  concepts: readonly ConceptContent[],
): Promise<ReadonlyMap<string, ConceptVersion>> {
  const sql = `select v.* from concept_version v
    join (select concept, max(version) as version from concept_version where concept in (${marks(concepts.length)})
          group by concept) l on l.concept = v.concept and l.version = v.version`;
  const [rows] = await store.read([{ sql, values: concepts.map(({ concept }) => storedText(concept)) }]);
  return new Map((rows ?? []).map(conceptVersion).map((version) => [version.concept, version]));
}

function nextVersion(content: ConceptContent, last: ConceptVersion | undefined, at: string): ConceptVersion {
  return {
    concept: content.concept,
    version: (last?.version ?? 0) + 1,
    at,
    hash: content.hash,
    changed: changedFields(last?.fields, content.fields),
    fields: content.fields,
    withdrawn: content.withdrawn,
  };
}

function changedFields(
  before: Readonly<Record<string, string>> | null | undefined,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  if (!before) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((field) => before[field] !== now[field])
    .sort();
}

function insertVersion(version: ConceptVersion, revision: string | undefined): Statement {
  const id = storedText(version.concept);
  return {
    sql: `insert into concept_version (concept, version, at, hash, changed, fields, withdrawn, revision)
      select ?, cast(? as bigint), ?, ?, ?, ?, cast(? as bigint), ?
      where (select coalesce(max(version), 0) from concept_version where concept = ?) = ?
      on conflict (concept, version) do nothing returning version`,
    values: [
      id,
      version.version,
      version.at,
      version.hash,
      storedText(JSON.stringify(version.changed)),
      storedText(JSON.stringify(version.fields)),
      version.withdrawn ? 1 : 0,
      revision === undefined ? null : storedText(revision),
      id,
      version.version - 1,
    ],
  };
}

/** Text of older versions must not outlive the decision to guard it: an act of forgetting, recorded as one. */
function emptyOlder(concept: string, act: { readonly id: string; readonly at: string }): readonly Statement[] {
  const id = storedText(concept);
  const older = `concept = ? and fields is not null
    and version < (select max(version) from concept_version where concept = ?)`;
  return [
    {
      sql: `insert into act (id, at, kind, subject, asked_by, reason, events, versions, first_at, last_at, is_open)
        select ?, ?, 'concept', ?, 'iaip-dsl', 'Guarded or withdrawn in the vocabulary.', 0, count(*), null, null, 1
        from concept_version where ${older} having count(*) > 0`,
      values: [act.id, act.at, id, id, id],
    },
    {
      sql: `update concept_version set fields = null where ${older} and exists (select 1 from act where is_open = 1)`,
      values: [id, id],
    },
    { sql: "update act set is_open = 0 where id = ?", values: [act.id] },
  ];
}

function withdrawalRow(concept: string, made: { readonly id: string; readonly at: string }) {
  return eventRow({ concept, type: "withdrawal", agent: "iaip-dsl", context: "Withdrawn in the vocabulary." }, made);
}

export async function historyOf(store: LedgerStore, concept: string): Promise<readonly ConceptVersion[]> {
  const sql = "select * from concept_version where concept = ? order by version";
  const [rows] = await store.read([{ sql, values: [storedText(concept)] }]);
  return (rows ?? []).map(conceptVersion);
}

export function conceptVersion(row: SqlRow): ConceptVersion {
  const fields = textOrNull(row, "fields");
  return {
    concept: originalText(text(row, "concept")),
    version: count(row, "version"),
    at: text(row, "at"),
    hash: text(row, "hash"),
    changed: JSON.parse(originalText(text(row, "changed"))) as string[],
    fields: fields === null ? null : (JSON.parse(originalText(fields)) as Record<string, string>),
    withdrawn: count(row, "withdrawn") === 1,
  };
}
