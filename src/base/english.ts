/** `1 file`, `2 files`, `2 entries`. */
export function counted(count: number, noun: string, plural = pluralOf(noun)): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `a list`, `an object`. */
export function withArticle(noun: string): string {
  return `${/^[aeio]|^u(?!ni|se)/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** `a`, `a and b`, `a, b and c`; `joiner` stands before the last. */
export function listed(items: readonly string[], joiner: "and" | "or" = "and"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${joiner} ${items.at(-1)}`;
}

function pluralOf(noun: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
