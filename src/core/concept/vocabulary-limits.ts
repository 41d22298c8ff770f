import { type Pattern, parsePattern, waysThrough } from "./pattern.ts";
import type { Cue, Rule, Terminology } from "./rule.ts";

/** Places over all ways of all patterns of a vocabulary; the packaged one takes less than a fifth of it. */
export const maxPatternSize = 250_000;
/** How many sets may name one another in a row. */
export const maxSetDepth = 32;

/** Says of one rule or set after another whether it still fits; `undefined` when it does, else a sentence. */
export interface VocabularyLimits {
  rule(rule: Rule): string | undefined;
  /** Names of sets that are too deep or too large, each with its sentence. */
  sets(sets: Terminology["sets"]): ReadonlyMap<string, string>;
}

export function vocabularyLimits(most: number = maxPatternSize): VocabularyLimits {
  let left = most;
  const known = new Set<string>();
  const take = (size: number): boolean => {
    if (size > left) return false;
    left -= size;
    return true;
  };
  return {
    rule(rule) {
      const own = [...new Set(phrasesOf(rule))].filter((phrase) => !known.has(phrase));
      if (take(own.reduce((sum, phrase) => sum + sizeOf(parsePattern(phrase)), 0))) {
        for (const phrase of own) known.add(phrase);
        return undefined;
      }
      return `The phrases of the vocabulary can be read in too many ways with those of the rule ${rule.id}: it is left out. Take out optional words or gaps, here or in other rules.`;
    },
    sets(sets) {
      const faults = new Map<string, string>();
      const entries = new Map(Object.entries(sets).map(([name, texts]) => [name, texts.map((it) => parsePattern(it))]));
      const { depth, size } = measured(entries);
      for (const name of entries.keys()) {
        if ((depth.get(name) ?? 0) > maxSetDepth)
          faults.set(
            name,
            `The set ${name} names sets that name others, more than ${maxSetDepth} in a row or in a circle: it is left out. Write its entries in fewer sets.`,
          );
        else if (!take(size.get(name) ?? 0))
          faults.set(
            name,
            `The sets of the vocabulary are too large with ${name}: it is left out. Write fewer entries, or name fewer other sets in it.`,
          );
      }
      return faults;
    },
  };
}

const sizeOf = ({ slots }: Pattern): number => waysThrough(slots) * slots.length;

function phrasesOf(rule: Rule): readonly string[] {
  const cues = (list: readonly Cue[]): readonly string[] => list.flatMap((cue) => cue.any);
  const readings = [rule, ...rule.readings];
  return [
    ...readings.flatMap((it) => [...it.phrases, ...cues(it.needs), ...cues(it.also), ...cues(it.unless)]),
    ...rule.never,
    ...rule.cues,
  ];
}

/** The sets that an entry stands for as a whole: `@name`, or a choice with it. */
function namedBy({ slots: [first, ...rest] }: Pattern): readonly string[] {
  if (first === undefined || rest.length > 0) return [];
  const choices = first.slot.kind === "choice" ? first.slot.choices.map((choice) => choice[0]) : [first.slot];
  return choices.flatMap((slot) => (slot?.kind === "set" ? [slot.name] : []));
}

/** Sizes and depths grow round by round, so that neither a long chain nor a circle needs a stack. */
function measured(entries: ReadonlyMap<string, readonly Pattern[]>): {
  readonly depth: ReadonlyMap<string, number>;
  readonly size: ReadonlyMap<string, number>;
} {
  const own = [...entries].map(([name, patterns]) => ({
    name,
    named: patterns.flatMap(namedBy),
    size: patterns.reduce((sum, pattern) => sum + sizeOf(pattern), 0),
  }));
  let depth = new Map<string, number>();
  let size = new Map<string, number>();
  for (let round = 0; round <= maxSetDepth; round += 1) {
    const deeper = new Map<string, number>();
    const larger = new Map<string, number>();
    for (const it of own) {
      deeper.set(it.name, it.named.reduce((most, other) => Math.max(most, depth.get(other) ?? 0), 0) + 1);
      larger.set(
        it.name,
        it.named.reduce((sum, other) => Math.min(Number.MAX_SAFE_INTEGER, sum + (size.get(other) ?? 0)), it.size),
      );
    }
    depth = deeper;
    size = larger;
  }
  return { depth, size };
}
