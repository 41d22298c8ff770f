import type { Severity } from "../concept/rule.ts";
import type { Finding, Reading } from "./reading.ts";

const weights: Readonly<Record<Severity, number>> = {
  error: 4,
  warning: 2,
  information: 1,
  hint: 0.5,
};

/**
 * 1 / (1 + w/4), w = weight of the findings in a hundred words; shorter texts count as a hundred. Severities are the
 * rules' own, whatever the strictness. Passages in other words (`language.unaligned`) weigh nothing.
 */
export function coherence(words: number, concepts: number, findings: readonly Finding[]): Reading["coherence"] {
  const by: Record<Severity, number> = { error: 0, warning: 0, information: 0, hint: 0 };
  let sum = 0;
  for (const finding of findings) {
    if (finding.rule === "language.unaligned") continue;
    by[finding.severity] += 1;
    sum += weights[finding.severity];
  }
  const weight = (sum * 100) / Math.max(100, words);
  const score = words < 5 ? null : Math.round(100 / (1 + weight / 4)) / 100;
  return { score, basis: { words, concepts, by_severity: by } };
}
