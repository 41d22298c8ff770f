import type { Cue, Rule } from "../concept/rule.ts";
import type { CompiledRule, CompiledRules } from "./compile-rules.ts";

/** The page of a rule: what it reads, why, where that comes from, where it speaks and where not. Markdown. */
export function rulePage({ rule, severity, concept }: CompiledRule, rules: CompiledRules): string {
  const parts = [
    `# ${rule.id}`,
    `${sentence(rule.title)}\n`,
    `- severity: ${severity}${rule.strictness === "strict" ? ", in strict reading only" : ""}`,
    `- source: ${rules.citation(rule.source.key)} (${standings[rule.source.standing]})`,
    concept === undefined ? "" : `- concept: ${concept}`,
    "## Why",
    rule.reason,
    rule.preferred.length > 0 || rule.advice !== undefined ? "## Rather" : "",
    rule.preferred.map((text) => `- ${text}`).join("\n"),
    rule.advice ?? "",
    "## Speaks here",
    rule.examples.flags.map(item).join("\n"),
    "## Is silent here",
    rule.examples.passes.map(item).join("\n"),
    "## How it reads",
    reading(rule),
    "## Switching it off",
    `In a text: \`<!-- iaip-dsl-disable-next-line ${rule.id} -->\`, or \`<!-- iaip-dsl-disable ${rule.id} -->\` to ` +
      `\`<!-- iaip-dsl-enable ${rule.id} -->\`; in source files the same words in a comment. In a project: ` +
      `\`rules: { ${rule.id}: off }\` in \`.iaip-dsl.yaml\`.`,
    rule.page ?? "",
  ];
  return `${parts
    .filter((part) => part !== "")
    .join("\n\n")
    .replace(/\n\n(?=- )/g, "\n")
    .replace(/^(#.*)\n(?=- )/gm, "$1\n\n")}\n`;
}

/** One row a rule, for the README. */
export function ruleTable(rules: CompiledRules): string {
  const rows = [...rules.rules]
    .sort((a, b) => (a.rule.id < b.rule.id ? -1 : 1))
    .map(({ rule, severity }) => {
      const level = rule.strictness === "strict" ? `${severity} (strict)` : severity;
      return `| \`${rule.id}\` | ${level} | ${cell(rule.title)} | \`${cell(rule.examples.flags[0] ?? "").replaceAll("`", "ˋ")}\` |`;
    });
  return ["| rule | severity | what it reads | for example |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

const standings: Readonly<Record<Rule["source"]["standing"], string>> = {
  seen: "seen",
  secondary: "known through another's account",
  "house-style": "house style, not a rule of that source",
  unverified: "not verified, so never more than a hint",
};

/** Examples of several lines stand in a block; the others are quoted as code, since they are mentions. */
const item = (text: string): string =>
  text.includes("\n") ? `- in several lines:\n\n\`\`\`\n${text}\n\`\`\`` : `- \`${text.replaceAll("`", "ˋ")}\``;

function reading(rule: Rule): string {
  const all = [...(rule.phrases.length > 0 ? [rule] : []), ...rule.readings];
  const lines = [
    ...all.flatMap((entry) => [
      `- ${entry.phrases.map((phrase) => `\`${phrase}\``).join(", ")}`,
      ...cues("only with", [...entry.needs, ...entry.also]),
      ...cues("not with", entry.unless),
    ]),
    ...(all[0] === rule ? [] : cues("never with", rule.unless)),
    ...(rule.never.length === 0 ? [] : [`- never inside ${rule.never.map((phrase) => `\`${phrase}\``).join(", ")}`]),
    ...(rule.structure === undefined ? [] : [`- the use of concepts (\`${rule.structure}\`)`]),
    ...(all.some((entry) => entry.outcome) ? ["- only inside a stated outcome"] : []),
    ...(rule.baseline ? ["- silent where a prior state is being restored"] : []),
    ...(rule.negation === "silent" ? ["- silent where the text says that it is not so"] : []),
    ...(rule.self_naming === "silent" ? ["- silent where people name themselves"] : []),
    ...(rule.names === "exempt" ? ["- silent inside names and titles"] : []),
    "- always silent in quotations, code, links' addresses, and where the wording is spoken about or taught",
  ];
  return lines.join("\n");
}

function cues(label: string, list: readonly Cue[]): readonly string[] {
  if (list.length === 0) return [];
  const words = list.map((cue) => `${cue.any.map((text) => `\`${text}\``).join(", ")} (${cue.in})`);
  return [`  - ${label} ${words.join("; ")}`];
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
