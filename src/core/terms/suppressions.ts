import type { TextDocument } from "../text/formats/passage.ts";

/** One directive, and the range of the text that it silences. `rules` empty means all. */
interface Suppression {
  readonly rules: readonly string[];
  readonly from: number;
  to: number;
  readonly at: { readonly start: number; readonly end: number };
  readonly used: Set<string>;
}

export interface Suppressions {
  /** Why the place is suppressed, when it is; remembers that the directive was of use. */
  reason(rule: string, start: number): string | undefined;
  /** Directives, or rules in them, that silenced nothing. */
  unused(): readonly {
    readonly rule: string;
    readonly start: number;
    readonly end: number;
  }[];
}

/**
 * Reads the directives of a document: `iaip-dsl-disable [rule, …]` to `iaip-dsl-enable [rule, …]` or the end,
 * `iaip-dsl-disable-line`, `iaip-dsl-disable-next-line`, each in a comment of the format; and in the front matter
 * `iaip-dsl-disable: [rule, …]`. What follows ` -- ` is a note for people.
 */
export function readSuppressions(
  document: TextDocument,
  place: (offset: number) => { readonly line: number },
): Suppressions {
  const found: Suppression[] = [];
  const frontMatter = document.frontMatter.get("iaip-dsl-disable");
  if (frontMatter !== undefined) {
    const rules = rulesIn(frontMatter.replace(/^\[|\]$/g, ""));
    found.push({
      rules: rules.includes("all") ? [] : rules,
      from: 0,
      to: Number.POSITIVE_INFINITY,
      at: { start: 0, end: 0 },
      used: new Set(),
    });
  }
  /** By the rules they name; the same may be open several times. */
  const open = new Map<string, Suppression[]>(found.map((entry) => [entry.rules.join(), [entry]]));
  const lines: (Suppression & { readonly line: number })[] = [];
  for (const comment of document.comments) {
    const directive = /^[\s*#/;%!]*iaip-dsl-(disable-next-line|disable-line|disable|enable)\b([^\n]*)/.exec(
      comment.text.slice(0, 1000),
    );
    if (directive === null) continue;
    const rules = rulesIn((directive[2] ?? "").split(/\s--\s/)[0] ?? "");
    const at = { start: comment.start, end: comment.end };
    if (directive[1] === "enable") {
      for (const [key, entries] of open) {
        if (!same(entries[0]?.rules ?? [], rules)) continue;
        for (const entry of entries) entry.to = comment.start;
        open.delete(key);
      }
    } else if (directive[1] === "disable") {
      const entry = { rules, from: comment.start, to: Number.POSITIVE_INFINITY, at, used: new Set<string>() };
      found.push(entry);
      const key = rules.join();
      const known = open.get(key);
      if (known !== undefined) known.push(entry);
      else if (open.size < maxOpen) open.set(key, [entry]);
    } else {
      const line = directive[1] === "disable-line" ? place(comment.start).line : place(comment.end).line + 1;
      lines.push({ rules, from: 0, to: 0, at, used: new Set(), line });
    }
  }
  const byLine = grouped(lines, (entry) => [entry.line]);
  const byRule = grouped(found, (entry) => (entry.rules.length === 0 ? ["all"] : entry.rules));
  return {
    reason(rule, start) {
      const here = [
        ...lastOpen(byRule.get("all"), start),
        ...lastOpen(byRule.get(rule), start),
        ...(byLine.get(place(start).line) ?? []),
      ];
      const own = here.filter((entry) => entry.rules.length === 0 || entry.rules.includes(rule));
      for (const entry of own) entry.used.add(entry.rules.length === 0 ? "all" : rule);
      return own.length === 0 ? undefined : "suppressed in the text";
    },
    unused: () =>
      [...found, ...lines].flatMap((entry) =>
        (entry.rules.length === 0 ? ["all"] : entry.rules)
          .filter((rule) => !entry.used.has(rule))
          .map((rule) => ({ rule, ...entry.at })),
      ),
  };
}

/** Different lists of rules that may be open at once. */
const maxOpen = 200;

function grouped<T, K>(entries: readonly T[], keys: (entry: T) => readonly K[]): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const entry of entries) {
    for (const key of keys(entry)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [entry]);
      else group.push(entry);
    }
  }
  return groups;
}

/** The last directive before a place, when it still holds there: of several that hold, it is the one of use. */
function lastOpen(entries: readonly Suppression[] = [], start: number): readonly Suppression[] {
  let low = -1;
  let high = entries.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((entries[middle]?.from ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  for (let index = low; index >= 0 && low - index < 8; index -= 1) {
    const entry = entries[index];
    if (entry !== undefined && entry.from <= start && start < entry.to) return [entry];
  }
  return [];
}

const rulesIn = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/)
    .map((rule) => rule.replace(/^["']|["']$/g, ""))
    .filter((rule) => /^[\w.-]+$/.test(rule) && rule !== "--");

/** `enable` without rules closes everything that is open. */
const same = (open: readonly string[], closed: readonly string[]): boolean =>
  closed.length === 0 || (open.length > 0 && open.every((rule) => closed.includes(rule)));
