import type { Severity, Standing, Strictness } from "../concept/rule.ts";

/** A place in the text as given: UTF-16 offsets; lines and columns start at 1. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

export interface Finding extends Place {
  readonly rule: string;
  readonly severity: Severity;
  readonly end_line: number;
  readonly end_column: number;
  readonly text: string;
  readonly message: string;
  readonly preferred: readonly string[];
  readonly reason: string;
  /** Where the rule's page is. */
  readonly docs: string;
  readonly source: {
    readonly key: string;
    readonly citation: string;
    readonly standing: Standing;
  };
  readonly concept?: string;
  /** The text that may replace the flagged one, when exactly one is always right. */
  readonly fix?: string;
}

export interface Exempt extends Place {
  readonly rule: string;
  readonly reason: string;
}

export interface ConceptOccurrences {
  readonly id: string;
  readonly name: string;
  readonly occurrences: readonly (Place & { readonly text: string })[];
  readonly occurrences_total: number;
}

/** A suppression that silenced nothing. */
export interface UnusedSuppression extends Place {
  /** The rule it names, or `all`. */
  readonly rule: string;
  readonly message: string;
}

/** What a text says, read with the rules of one snapshot. The shape of `iaip_validate_terminology`, and a little more. */
export interface Reading {
  readonly strictness: Strictness;
  readonly coherence: {
    /** 0 to 1, two places; it counts matches of house style only. `null` under five words. */
    readonly score: number | null;
    readonly basis: {
      readonly words: number;
      readonly concepts: number;
      readonly by_severity: Readonly<Record<Severity, number>>;
    };
  };
  readonly concepts: readonly ConceptOccurrences[];
  readonly findings: readonly Finding[];
  readonly findings_total: number;
  readonly exempt: readonly Exempt[];
  readonly exempt_total: number;
  readonly truncated: boolean;
  readonly unused_suppressions: readonly UnusedSuppression[];
}
