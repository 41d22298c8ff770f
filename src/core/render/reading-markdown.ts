import { counted } from "../../base/english.ts";
import type { Finding, Reading } from "../terms/reading.ts";
import { escapeMarkdown, joinSections } from "./markdown.ts";
import { more } from "./relating-markdown.ts";

/** What every answer about wording says of itself. */
export const readingLimits =
  "This counts matches of a house style in wording. It is advice, and no rating of a person, a people or their knowledge.";

/** A reading in words: findings first, then the concepts that were named. */
export function readingMarkdown(reading: Reading): string {
  const { findings, findings_total, concepts, exempt_total, coherence } = reading;
  const named = concepts.map((it) => `${escapeMarkdown(it.name)} (\`${it.id}\`, ${it.occurrences_total}×)`);
  const score =
    coherence.score === null ? "too short for a coherence score" : `coherence ${coherence.score.toFixed(2)}`;
  const silent = findings_total === 0 ? "Nothing to say about this text's wording." : "";
  return joinSections(
    [
      silent ||
        `**${counted(findings_total, "finding")}**${more(findings.length, findings_total)} (${score}, strictness ${reading.strictness})`,
      findings.map(findingLine).join("\n"),
      named.length === 0 ? "" : `**Concepts named:** ${named.join("; ")}`,
      exempt_total === 0
        ? ""
        : `${exempt_total} place${exempt_total === 1 ? " was" : "s were"} left alone: quoted, taught, a name, or an ordinary sense.`,
      silent === "" ? readingLimits : `${capital(score)}. ${readingLimits}`,
    ],
    "*There is more: mend these first, then ask again.*",
  );
}

/** One finding on one line: where, what, what instead, why, and who says so. */
export function findingLine(finding: Finding): string {
  const { line, column, severity, message, reason, rule, source } = finding;
  return `- ${line}:${column} ${severity}: ${escapeMarkdown(message)} ${escapeMarkdown(reason)} (\`${rule}\`; ${escapeMarkdown(source.citation)}${source.standing === "seen" ? "" : `, ${source.standing}`})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
