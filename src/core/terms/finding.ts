import type { Rule } from "../concept/rule.ts";
import type { LinePlace } from "../text/formats/line-index.ts";
import { asWritten } from "./as-written.ts";
import type { CompiledRules } from "./compile-rules.ts";
import type { Judged } from "./judge.ts";
import type { PassageView } from "./passage-view.ts";
import type { Finding, Place } from "./reading.ts";

export function findingOf(
  view: PassageView,
  entry: Judged,
  text: string,
  place: (offset: number) => LinePlace,
  rules: CompiledRules,
  docs: (rule: string) => string = (rule) => `rules/${rule}.md`,
): Finding {
  const { rule } = entry.rule;
  const inPassage = view.span(entry.hit.from, entry.hit.to);
  const { start, end } = view.passage.source.range(inPassage.start, inPassage.end);
  const from = place(start);
  const to = place(end);
  const flagged = text.slice(start, end);
  const fix = fixOf(rule, flagged);
  const preferred = entry.about?.preferred ?? (rule.fix === "capitalize" && fix !== undefined ? [fix] : rule.preferred);
  const concept = entry.about?.concept ?? entry.rule.concept;
  return {
    rule: rule.id,
    severity: entry.rule.severity,
    start,
    end,
    ...from,
    end_line: to.line,
    end_column: to.column,
    text: flagged,
    message: messageOf(rule, flagged.replace(/\s+/g, " "), preferred),
    preferred,
    reason: rule.reason,
    docs: docs(rule.id),
    source: {
      key: rule.source.key,
      citation: rules.citation(rule.source.key),
      standing: rule.source.standing,
    },
    ...(concept === undefined ? {} : { concept }),
    ...(fix === undefined ? {} : { fix }),
  };
}

export const placed = ({ start, end, line, column }: Place): Place => ({
  start,
  end,
  line,
  column,
});

function messageOf(rule: Rule, flagged: string, preferred: readonly string[]): string {
  if (rule.language === "fr") return frenchMessage(rule, flagged, preferred);
  const quoted = preferred.map((text) => `“${text}”`);
  const words = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` : quoted[0];
  const first = words === undefined ? `“${flagged}”: ${rule.title}.` : `Instead of “${flagged}”, consider ${words}.`;
  return rule.advice === undefined ? first : `${first} ${rule.advice}`;
}

function frenchMessage(rule: Rule, flagged: string, preferred: readonly string[]): string {
  const quoted = preferred.map((text) => `« ${text} »`);
  const choices = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} ou ${quoted.at(-1)}` : quoted[0];
  const first =
    choices === undefined ? `« ${flagged} » : ${rule.title}.` : `Plutôt que « ${flagged} », pensez à ${choices}.`;
  return rule.advice === undefined ? first : `${first} ${rule.advice}`;
}

function fixOf(rule: Rule, flagged: string): string | undefined {
  if (rule.fix === "capitalize")
    return flagged.replace(/(^|[\s-])(\p{Ll})/gu, (_all, gap: string, letter: string) => gap + letter.toUpperCase());
  const [preferred, ...others] = rule.preferred;
  if (rule.fix !== "replace" || preferred === undefined || others.length > 0) return undefined;
  return asWritten(preferred, flagged, [...rule.phrases, ...rule.readings.flatMap((it) => it.phrases)]);
}
