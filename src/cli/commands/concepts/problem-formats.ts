import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { counted } from "../../../base/english.ts";
import { visibleLine } from "../../../base/visible-text.ts";
import type { Problem } from "../../../core/concept/problem.ts";
import { version } from "../../kit/version.ts";

export const problemFormats = ["pretty", "json", "sarif"] as const;
export type ProblemFormat = (typeof problemFormats)[number];

interface Checked {
  readonly root: string;
  readonly concepts: number;
}

export function formatProblems(problems: readonly Problem[], format: ProblemFormat, checked: Checked): string {
  switch (format) {
    case "pretty":
      return pretty(problems, checked);
    case "json":
      return JSON.stringify({ concepts: checked.concepts, problems }, undefined, 2);
    case "sarif":
      return JSON.stringify(sarif(problems, checked), undefined, 2);
  }
}

function pretty(problems: readonly Problem[], { concepts }: Checked): string {
  const lines = problems.map(
    ({ file, range, severity, code, message }) =>
      `${visibleLine(file)}:${range.start.line + 1}:${range.start.character + 1}: ${severity}: ${message} [${code}]`,
  );
  const count = (severity: Problem["severity"]) => problems.filter((it) => it.severity === severity).length;
  const [errors, warnings, remarks] = [count("error"), count("warning"), count("information")];
  return [
    ...lines,
    `${counted(concepts, "concept")}: ${counted(errors, "error")}, ${counted(warnings, "warning")}, ${counted(remarks, "remark")}`,
  ].join("\n");
}

/** SARIF 2.1.0; positions start at 1, columns in UTF-16 units. */
function sarif(problems: readonly Problem[], { root }: Checked) {
  const codes = [...new Set(problems.map((it) => it.code))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "iaip-dsl concepts check", version, rules: codes.map((id) => ({ id })) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { VOCABULARY: { uri: `${pathToFileURL(join(root, "/")).href}` } },
        results: problems.map(({ code, severity, file, range, message }) => ({
          ruleId: code,
          level: severity === "information" ? "note" : severity,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "VOCABULARY" },
                region: {
                  startLine: range.start.line + 1,
                  startColumn: range.start.character + 1,
                  endLine: range.end.line + 1,
                  endColumn: range.end.character + 1,
                },
              },
            },
          ],
        })),
      },
    ],
  };
}
