import { counted } from "../../../base/english.ts";
import { visibleLine, visibleText } from "../../../base/visible-text.ts";
import type { Severity } from "../../../core/concept/rule.ts";
import type { Finding, Reading } from "../../../core/terms/reading.ts";
import { version } from "../../kit/version.ts";

export const checkFormats = ["pretty", "json", "sarif", "github", "checkstyle"] as const;
export type CheckFormat = (typeof checkFormats)[number];

export interface CheckedText {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly reading: Reading;
  /** How many replacements were made. */
  readonly fixed: number;
}

export interface CheckReport {
  readonly texts: readonly CheckedText[];
  readonly unknown: readonly string[];
}

export function formatReport(report: CheckReport, format: CheckFormat, colors: boolean): string {
  switch (format) {
    case "pretty":
      return pretty(report, colors);
    case "json":
      return JSON.stringify(jsonReport(report), undefined, 2);
    case "sarif":
      return JSON.stringify(sarif(report), undefined, 2);
    case "github":
      return github(report);
    case "checkstyle":
      return checkstyle(report);
  }
}

const escapeSign = "\u001b";

const paint = { error: 31, warning: 33, information: 36, hint: 90 } as const;

function pretty({ texts, unknown }: CheckReport, colors: boolean): string {
  const color = (code: number, text: string): string =>
    colors ? `${escapeSign}[${code}m${visibleText(text)}${escapeSign}[0m` : text;
  const plain = (text: string): string => (colors ? visibleText(text) : text);
  const lines: string[] = [];
  for (const { name, reading } of texts) {
    if (reading.findings.length + reading.unused_suppressions.length === 0) continue;
    lines.push(color(4, visibleLine(name)));
    for (const it of reading.findings) {
      const place = `${it.line}:${it.column}`.padEnd(8);
      lines.push(
        `  ${place} ${color(paint[it.severity], it.severity.padEnd(11))} ${plain(it.message)} ${color(90, it.rule)}`,
      );
    }
    for (const it of reading.unused_suppressions) {
      lines.push(`  ${`${it.line}:${it.column}`.padEnd(8)} ${color(90, "unused     ")} ${plain(it.message)}`);
    }
    lines.push("");
  }
  return [...lines, ...summary(texts, unknown).map(plain)].join("\n");
}

function summary(texts: readonly CheckedText[], unknown: readonly string[]): readonly string[] {
  const findings = texts.flatMap(({ reading }) => reading.findings);
  const fixed = texts.reduce((sum, text) => sum + text.fixed, 0);
  const lines = [
    `${counted(texts.length, "file")} read, ${counted(findings.length, "finding")}${fixed > 0 ? `, ${fixed} fixed` : ""}`,
  ];
  const rules = countedBy(findings.map((it) => it.rule));
  if (rules.length > 0)
    lines.push("", "by rule", ...rules.map(([rule, count]) => `  ${String(count).padStart(5)}  ${rule}`));
  const files = texts
    .filter(({ reading }) => reading.findings.length > 0)
    .map(({ name, reading }) => [name, reading.findings.length] as const);
  if (files.length > 1)
    lines.push("", "by file", ...files.map(([name, count]) => `  ${String(count).padStart(5)}  ${visibleLine(name)}`));
  if (unknown.length > 0) lines.push("", unknownLine(unknown));
  return lines;
}

/** Files of unknown kinds are named: by name when few, by ending when many. */
export function unknownLine(unknown: readonly string[]): string {
  const endings = countedBy(unknown.map((name) => /\.[^./]+$/.exec(name)?.[0] ?? name));
  const names =
    unknown.length <= 10
      ? unknown.map(visibleLine).join(", ")
      : endings.map(([ending, count]) => `${ending} (${count})`).join(", ");
  return `Not read, since their kind is unknown: ${names}`;
}

const countedBy = (names: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
};

function jsonReport({ texts, unknown }: CheckReport): unknown {
  return {
    files: texts.map(({ name, reading, fixed }) => ({
      file: name,
      findings: reading.findings,
      unused_suppressions: reading.unused_suppressions,
      coherence: reading.coherence,
      fixed,
    })),
    not_read: unknown,
    totals: { files: texts.length, findings: texts.reduce((sum, text) => sum + text.reading.findings.length, 0) },
  };
}

const sarifLevel = (severity: Severity): string =>
  severity === "information" || severity === "hint" ? "note" : severity;

/** SARIF 2.1.0; columns in UTF-16 units. */
function sarif({ texts }: CheckReport): unknown {
  const rules = new Map<string, Finding>();
  for (const { reading } of texts) for (const it of reading.findings) if (!rules.has(it.rule)) rules.set(it.rule, it);
  const ids = [...rules.keys()].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "iaip-dsl check",
            version,
            rules: ids.map((id) => ({
              id,
              fullDescription: { text: rules.get(id)?.reason ?? id },
              helpUri: helpUri(rules.get(id)?.docs),
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: texts.flatMap(({ name, reading }) =>
          reading.findings.map((it) => ({
            ruleId: it.rule,
            ruleIndex: ids.indexOf(it.rule),
            level: sarifLevel(it.severity),
            message: { text: `${it.message} ${it.reason}` },
            locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(name) }, region: regionOf(it) } }],
          })),
        ),
      },
    ],
  };
}

const helpUri = (docs: string | undefined): string | undefined =>
  docs !== undefined && /^\w+:/.test(docs) ? docs : undefined;

const regionOf = (it: Finding): unknown => ({
  startLine: it.line,
  startColumn: it.column,
  endLine: it.end_line,
  endColumn: it.end_column,
});

const githubLevel = (severity: Severity): string =>
  severity === "error" || severity === "warning" ? severity : "notice";

/** Workflow commands, which GitHub shows beside the changed lines. */
function github({ texts }: CheckReport): string {
  const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return texts
    .flatMap(({ name, reading }) =>
      reading.findings.map((it) => {
        const place = `file=${property(name)},line=${it.line},endLine=${it.end_line},col=${it.column},endColumn=${it.end_column}`;
        return `::${githubLevel(it.severity)} ${place},title=${property(it.rule)}::${data(`${it.message} ${it.reason}`)}`;
      }),
    )
    .join("\n");
}

const checkstyleLevel = (severity: Severity): string =>
  severity === "hint" || severity === "information" ? "info" : severity;

function checkstyle({ texts }: CheckReport): string {
  const files = texts.map(({ name, reading }) => {
    const errors = reading.findings.map(
      (it) =>
        `    <error line="${it.line}" column="${it.column}" severity="${checkstyleLevel(it.severity)}" message="${xml(it.message)}" source="iaip-dsl.${xml(it.rule)}"/>`,
    );
    return errors.length === 0 ? "" : [`  <file name="${xml(name)}">`, ...errors, "  </file>"].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<checkstyle version="4.3">',
    ...files.filter(Boolean),
    "</checkstyle>",
  ].join("\n");
}

/** Characters that XML cannot hold are left out. */
const xml = (text: string): string =>
  text
    .replace(/\s/g, " ")
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
