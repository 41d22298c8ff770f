import type { Concept } from "../concept/concept.ts";
import type { ParsedFile } from "../concept/parse-file.ts";
import { fileStart, type Problem } from "../concept/problem.ts";
import type { Terminology } from "../concept/rule.ts";
import { vocabularyLimits } from "../concept/vocabulary-limits.ts";
import type { Path } from "../concept/yaml-document.ts";

/** More places of one kind are left out: the first ones show what is wrong. */
const maxProblems = 100;

export interface Fitting {
  readonly terminology: Terminology;
  readonly concepts: ReadonlyMap<string, Concept>;
  readonly problems: readonly Problem[];
}

/** Leaves out the rules and sets with which the vocabulary would take too long to read with, each with a problem at its place. */
export function withinLimits(
  terminology: Terminology,
  terminologyFile: ParsedFile | undefined,
  concepts: ReadonlyMap<string, Concept>,
  files: ReadonlyMap<string, ParsedFile>,
): Fitting {
  const limits = vocabularyLimits();
  const problems: Problem[] = [];
  const left = (file: ParsedFile | undefined, code: string, path: Path, message: string): void => {
    if (problems.length >= maxProblems) return;
    const range = file?.places.value(path) ?? fileStart;
    problems.push({ code, severity: "error", file: file?.file ?? "terminology.yaml", range, message });
  };
  const setFaults = limits.sets(terminology.sets);
  for (const [name, message] of setFaults) left(terminologyFile, "set.oversized", ["sets", name], message);
  const fitting = <R extends Terminology["rules"][number]>(
    rules: readonly R[],
    file: ParsedFile | undefined,
    at: string,
  ) =>
    rules.filter((rule, index) => {
      const message = limits.rule(rule);
      if (message !== undefined) left(file, "rule.oversized", [at, index], message);
      return message === undefined;
    });
  const sets =
    setFaults.size === 0
      ? terminology.sets
      : Object.fromEntries(Object.entries(terminology.sets).filter(([name]) => !setFaults.has(name)));
  const rules = fitting(terminology.rules, terminologyFile, "rules");
  const kept = new Map<string, Concept>();
  for (const [id, concept] of concepts) {
    const own = fitting(concept.terminology, files.get(id), "terminology");
    kept.set(id, own.length === concept.terminology.length ? concept : { ...concept, terminology: own });
  }
  return { terminology: { ...terminology, sets, rules }, concepts: kept, problems };
}
