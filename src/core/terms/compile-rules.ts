import { type Pattern, parsePattern } from "../concept/pattern.ts";
import type { Cue, Rule, Severity, Terminology } from "../concept/rule.ts";
import { type Automaton, buildAutomaton } from "./automaton.ts";

/** A rule ready to be read with. Numbers are patterns of the automaton. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly severity: Severity;
  readonly readings: readonly CompiledReading[];
  readonly unless: readonly CompiledCue[];
  readonly never: readonly number[];
  readonly cues: readonly number[];
  /** The concept whose file holds the rule. */
  readonly concept?: string;
}

export interface CompiledReading {
  readonly phrases: readonly number[];
  readonly needs: readonly CompiledCue[];
  readonly also: readonly CompiledCue[];
  readonly unless: readonly CompiledCue[];
  readonly outcome: boolean;
  readonly strict: boolean;
}

export interface CompiledCue {
  readonly in: Cue["in"];
  readonly within: number;
  readonly any: readonly number[];
}

/** All rules of one snapshot. Built once a snapshot; immutable. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly byId: ReadonlyMap<string, CompiledRule>;
  /** Which readings a pattern belongs to. */
  readonly speaking: ReadonlyMap<
    number,
    readonly {
      readonly rule: CompiledRule;
      readonly reading: CompiledReading;
    }[]
  >;
  /** Rules that look at the use of concepts. */
  readonly structural: readonly CompiledRule[];
  readonly automaton: Automaton;
  /** The pattern `@name` of a set. */
  set(name: string): number;
  /** The full reference of a source by its key; the key itself when it is not in `sources.yaml`. */
  citation(key: string): string;
  /** Rules that could not be read: the sentence says why. They are left out. */
  readonly faults: readonly {
    readonly rule: string;
    readonly message: string;
  }[];
}

export interface OwnedRule {
  readonly rule: Rule;
  readonly concept?: string;
}

/** Severity of a rule in this project, or `off`. */
export type RuleOverrides = Readonly<Record<string, Severity | "off">>;

export interface CompileOptions {
  readonly overrides?: RuleOverrides;
  readonly sources?: Readonly<Record<string, { readonly citation: string }>>;
}

export function compileRules(
  sets: Terminology["sets"],
  owned: readonly OwnedRule[],
  { overrides = {}, sources = {} }: CompileOptions = {},
): CompiledRules {
  const patterns: Pattern[] = [];
  const numbers = new Map<string, number>();
  const faults: { rule: string; message: string }[] = [];
  const number = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    patterns.push(parsePattern(text));
    numbers.set(text, patterns.length - 1);
    return patterns.length - 1;
  };
  const rules: CompiledRule[] = [];
  const seen = new Set<string>();
  for (const entry of owned) {
    const { rule } = entry;
    if (overrides[rule.id] === "off") continue;
    if (seen.has(rule.id)) {
      faults.push({
        rule: rule.id,
        message: `The rule ${rule.id} is written twice; the second one is left out.`,
      });
      continue;
    }
    seen.add(rule.id);
    try {
      rules.push(compileRule(entry, overrides, number));
    } catch (error) {
      faults.push({ rule: rule.id, message: error instanceof Error ? error.message : String(error) });
    }
  }
  const compiledSets = new Map(Object.entries(sets).map(([name, entries]) => [name, entries.map(parsePattern)]));
  const setNumbers = new Map(Object.keys(sets).map((name) => [name, number(`@${name}`)]));
  return {
    rules,
    byId: new Map(rules.map((rule) => [rule.rule.id, rule])),
    speaking: speakingOf(rules),
    structural: rules.filter((rule) => rule.rule.structure !== undefined),
    automaton: buildAutomaton(patterns, compiledSets),
    set: (name) => setNumbers.get(name) ?? -1,
    citation: (key) => sources[key]?.citation ?? (key === "unverified" ? noSource : key),
    faults,
  };
}

const noSource = "general knowledge; no source was seen";

function compileRule(
  { rule, concept }: OwnedRule,
  overrides: RuleOverrides,
  number: (text: string) => number,
): CompiledRule {
  const cue = (from: Cue): CompiledCue => ({ in: from.in, within: from.within, any: from.any.map(number) });
  const own: Rule["readings"] =
    rule.phrases.length === 0
      ? []
      : [
          {
            phrases: rule.phrases,
            needs: rule.needs,
            also: rule.also,
            unless: [],
            outcome: rule.outcome,
            strictness: undefined,
          },
        ];
  const readings = [...own, ...rule.readings].map((reading) => ({
    phrases: reading.phrases.map(number),
    needs: reading.needs.map(cue),
    also: reading.also.map(cue),
    unless: reading.unless.map(cue),
    outcome: reading.outcome,
    strict: (reading.strictness ?? rule.strictness) === "strict",
  }));
  const preferred = rule.preferred
    .filter((text) => /\s/.test(text) && /^[\p{L}\p{M}\s'’-]+$/u.test(text))
    .map(asWritten);
  const compiled = {
    rule,
    severity: capped(overrides[rule.id], rule),
    readings,
    unless: rule.unless.map(cue),
    never: [...rule.never, ...preferred].map(number),
    cues: rule.cues.map(number),
  };
  return concept === undefined ? compiled : { ...compiled, concept };
}

/** The preferred wording shields only itself, capitals included: "First Nations" does not shield "first nations". */
function asWritten(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => (/^\p{Lu}/u.test(word) ? `=^${word}` : `=${word}`))
    .join(" ");
}

/** A rule whose source is unverified never exceeds a hint, nor does one that speaks only in strict reading. */
function capped(override: Severity | "off" | undefined, rule: Rule): Severity {
  if (override !== undefined && override !== "off") return override;
  return rule.source.standing === "unverified" || rule.strictness === "strict" ? "hint" : rule.severity;
}

function speakingOf(rules: readonly CompiledRule[]): CompiledRules["speaking"] {
  const map = new Map<number, { rule: CompiledRule; reading: CompiledReading }[]>();
  for (const rule of rules) {
    for (const reading of rule.readings) {
      for (const phrase of reading.phrases) {
        const list = map.get(phrase);
        if (list === undefined) map.set(phrase, [{ rule, reading }]);
        else list.push({ rule, reading });
      }
    }
  }
  return map;
}
