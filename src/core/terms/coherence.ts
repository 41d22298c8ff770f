import { type Severity, severities } from "../concept/rule.ts";
import type { Finding, Reading } from "./reading.ts";

const weights: Readonly<Record<Severity, number>> = {
  error: 4,
  warning: 2,
  information: 1,
  hint: 0.5,
};

/**
 * Counts findings. The score is 1 / (1 + w/4), w = weight of the findings in a hundred words; shorter texts count as a
 * hundred. Severities are the rules' own, whatever the strictness. `language.unaligned` weighs nothing.
 */
export class SeverityCounts {
  readonly #by: Record<Severity, number> = { error: 0, warning: 0, information: 0, hint: 0 };

  add(finding: Finding): void {
    if (finding.rule !== "language.unaligned") this.#by[finding.severity] += 1;
  }

  coherence(words: number, concepts: number): Reading["coherence"] {
    const by = this.#by;
    const sum = severities.reduce((total, severity) => total + by[severity] * weights[severity], 0);
    const weight = (sum * 100) / Math.max(100, words);
    const score = words < 5 ? null : Math.round(100 / (1 + weight / 4)) / 100;
    return { score, basis: { words, concepts, by_severity: by } };
  }
}
