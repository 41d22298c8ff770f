/** What people and models often write here from other languages, and what to write instead. */
export function unexpectedHint(word: string): string | undefined {
  return hints.find(([words]) => words.has(word.toLowerCase()))?.[1];
}

/** A query that does not begin with MATCH. */
export function openingHint(word: string): string {
  return unexpectedHint(word) ?? "begin with MATCH, as in MATCH (n) RETURN n.id, n.name";
}

const hints: readonly (readonly [words: ReadonlySet<string>, hint: string])[] = [
  [
    words("limit skip offset"),
    "there is no LIMIT or SKIP: at most 200 rows are returned, and row_count is the true count",
  ],
  [words("order"), "there is no ORDER BY: take the rows as they come and sort them yourself"],
  [words("distinct"), "there is no DISTINCT: one row is returned for each match"],
  [words("with unwind union call"), "one MATCH … WHERE … RETURN is one query; ask twice instead"],
  [words("match optional"), "separate paths with a comma inside one MATCH"],
  [
    words("create merge set delete detach remove insert update drop foreach load"),
    "the language only reads: MATCH … WHERE … RETURN",
  ],
  [
    words("createnodeinstance createedgeinstance define definepriority graphstructure structure rule action graph"),
    "the language only reads: rules, definitions and actions are not accepted, only MATCH … WHERE … RETURN",
  ],
  [words("starts ends contains"), "write n.name like 'Two%', or str_contains(n.name, 'Eyed')"],
  [words("select from"), "this is no SQL; write MATCH (n) RETURN n.id, n.name"],
];

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
