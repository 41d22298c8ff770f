import { tokenize } from "../text/words/tokens.ts";
import type { CompiledRules } from "./compile-rules.ts";

/** What short texts around a passage say: headings, lead-ins and table headers. Each text is read once a document. */
export interface TextLabels {
  /** "Never write", "Words to avoid". */
  isTeaching(text: string): boolean;
  /** "Don't", "Avoid", "Outdated terms": all that the text says. */
  isDiscouraged(text: string): boolean;
  /** "Desired outcome", "Vision". */
  isOutcome(text: string): boolean;
  /** One column for what is said, one for what is wanted. */
  teachesTable(header: readonly string[]): boolean;
  /** Patterns that match in the text. */
  patterns(text: string): ReadonlySet<number>;
}

/** Columns of a table that are read for what they teach. */
export const maxColumns = 20;

export function textLabels(rules: CompiledRules): TextLabels {
  const known = new Map<
    string,
    {
      readonly patterns: ReadonlySet<number>;
      readonly covered: (set: number) => number;
      readonly leads: (set: number) => boolean;
      readonly count: number;
    }
  >();
  const tables = new Map<readonly string[], boolean>();
  const read = (text: string) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = tokenize(text.slice(0, 400));
    const hits = rules.automaton.scan(tokens);
    const entry = {
      patterns: new Set(hits.map((hit) => hit.pattern)),
      covered: (set: number) =>
        Math.max(0, ...hits.filter((hit) => hit.pattern === set).map((hit) => hit.end - hit.start)),
      leads: (set: number) => hits.some((hit) => hit.pattern === set && hit.start === 0),
      count: tokens.count,
    };
    known.set(text, entry);
    return entry;
  };
  const covers = (text: string, set: string, rest: number): boolean => {
    const entry = read(text);
    const words = entry.covered(rules.set(set));
    return words > 0 && entry.count - words <= rest;
  };
  /** `Banned in user-facing strings:` a short line that leads a list and begins with the label. */
  const introduces = (text: string): boolean =>
    /:\s*$/.test(text) && read(text).count <= 10 && read(text).leads(rules.set("discouraged-label"));
  return {
    isTeaching: (text) => read(text).patterns.has(rules.set("teaching-heading")),
    isDiscouraged: (text) => covers(text, "discouraged-label", 2) || introduces(text),
    isOutcome: (text) => covers(text.replace(/^[\s\d.)*#-]+/, ""), "outcome-label", 2),
    teachesTable: (header) => {
      const known = tables.get(header);
      if (known !== undefined) return known;
      const cells = header.slice(0, maxColumns);
      const of = (sets: readonly string[]) => (cell: string) => sets.some((set) => covers(cell, set, 2));
      const bad = cells.map(of(["discouraged-column", "discouraged-label"]));
      const good = cells.map(of(["preferred-column", "preferred-label"]));
      const teaches = bad.some((isBad, index) => isBad && good.some((isGood, other) => isGood && other !== index));
      tables.set(header, teaches);
      return teaches;
    },
    patterns: (text) => read(text).patterns,
  };
}
