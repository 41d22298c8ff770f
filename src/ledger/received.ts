import { originalText, storedText } from "./events/stored-text.ts";
import type { Received } from "./records.ts";
import { count, text, textOrNull } from "./sql.ts";
import type { LedgerStore } from "./store.ts";

/** Events after which the agent had the concept's words, or said that it used them. */
const tellingTypes =
  "'lookup', 'relationship_query', 'search', 'validation', 'context', 'direction', 'suggestion', 'use'";

/** Who was told of a concept. What was answered with the notice alone does not count as told. */
export async function received(store: LedgerStore, concept: string): Promise<Received> {
  const id = storedText(concept);
  const recipients = `select agent, session, count(*) as n, min(at) as first_at, max(at) as last_at
    from (select agent, session, at, disclosure, type from event where concept = ?
          union all select agent, session, at, disclosure, type from event where other = ? and concept <> ?) e
    where type in (${tellingTypes}) and coalesce(disclosure, 'full') <> 'withheld'
    group by agent, session order by min(at), agent, session`;
  const [rows, acts, periods] = await store.read([
    { sql: recipients, values: [id, id, id] },
    { sql: "select coalesce(sum(events), 0) as n from act where kind not in ('damage', 'restored')" },
    { sql: "select from_at, to_at, dropped from logging_period order by from_at, run" },
  ]);
  return {
    concept,
    recipients: (rows ?? []).map((row) => {
      const session = textOrNull(row, "session");
      return {
        agent: originalText(text(row, "agent")),
        session: session === null ? null : originalText(session),
        events: count(row),
        first: text(row, "first_at"),
        last: text(row, "last_at"),
      };
    }),
    forgotten: count(acts?.[0]),
    logging: (periods ?? []).map((row) => ({
      from: text(row, "from_at"),
      to: text(row, "to_at"),
      dropped: count(row, "dropped"),
    })),
  };
}
