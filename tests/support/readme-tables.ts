import { join } from "node:path";
import type { Command } from "commander";
import { silentLog } from "../../src/base/log.ts";
import { processIo } from "../../src/cli/kit/io.ts";
import { makeProgram } from "../../src/cli/program.ts";
import { rulesOf } from "../../src/core/queries/read-in-view.ts";
import { surfaceFor } from "../../src/mcp/surface-for.ts";
import { settingNames } from "../../src/settings/schema.ts";
import { settingInfo, sourcesTable } from "../../src/settings/tables.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";

/** The README's generated parts by name, from the sources and the shipped vocabulary. */
export async function readmeTables(): Promise<ReadonlyMap<string, string>> {
  const workspace = openWorkspace(join(import.meta.dirname, "../../concepts"), { log: silentLog, watch: false });
  await workspace.ready;
  const { snapshot } = workspace;
  const view = snapshot.viewFor({ protocols: new Set() });
  const concepts = [...snapshot.undisclosed.values()];
  const surface = surfaceFor(snapshot, "0.0.0");
  const count = (of: (it: (typeof concepts)[number]) => string, values: readonly string[]) =>
    values.map((it) => `${it} ${concepts.filter((concept) => of(concept) === it).length}`).join(", ");
  return new Map([
    [
      "tools",
      table(
        ["tool", "what it answers"],
        surface.tools.map(({ name, description }) => [`\`${name}\``, firstSentence(description)]),
      ),
    ],
    [
      "resources",
      table(
        ["resource or prompt", "what it holds"],
        [
          ...surface.resources.map(({ uri, description }) => [`\`${uri}\``, description] as const),
          ...surface.templates.map(({ uriTemplate, description }) => [`\`${uriTemplate}\``, description] as const),
          ...surface.prompts.map(({ name, description }) => [`prompt \`${name}\``, description] as const),
        ],
      ),
    ],
    ["commands", table(["command", "what it does"], commandRows())],
    [
      "settings",
      table(
        ["flag, or key of a settings file", "environment", "when absent", "what it does"],
        settingNames.map((name) => {
          const { flag, value, env, fallback, description } = settingInfo(name);
          return [
            flag === undefined ? `\`${name}\`` : `\`${flag}${value ? ` ${value.replaceAll("|", "\\|")}` : ""}\``,
            env === undefined ? "" : `\`${env}\``,
            fallback === "" ? "" : `\`${fallback}\``,
            description,
          ];
        }),
      ),
    ],
    ["setting-sources", sourcesTable()],
    [
      "vocabulary",
      table(
        ["", `${concepts.length} concepts`],
        [
          [
            "by category",
            count(
              (it) => it.category,
              snapshot.vocabulary.categories.map((it) => it.id),
            ),
          ],
          [
            "by direction of the work cycle",
            count(
              (it) => it.direction,
              snapshot.vocabulary.directions.values.map((it) => it.id),
            ),
          ],
          ["by access", count((it) => it.ocap.access, ["open", "restricted", "ceremony_required"])],
          ["full cards, pointers, and names with whom to ask", count((it) => it.tier, ["full", "pointer", "boundary"])],
        ],
      ),
    ],
    [
      "rules",
      table(
        ["rule", "severity", "what it reads"],
        rulesOf(view).rules.map(({ rule, severity }) => [
          `\`${rule.id}\``,
          `${severity}${rule.strictness === "strict" ? ", strict only" : ""}`,
          rule.title,
        ]),
      ),
    ],
  ]);
}

function commandRows(): (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  const visit = (command: Command, path: string): void => {
    const usage = command.registeredArguments
      .map((it) => (it.required ? `<${it.name()}>` : `[${it.name()}]`))
      .join(" ");
    const isGroup = command.commands.length > 0 && usage === "" && command.options.length === 0;
    if (!isGroup) rows.push([`\`${path}${usage ? ` ${usage}` : ""}\``, command.description()]);
    for (const child of command.commands) visit(child, `${path} ${child.name()}`);
  };
  for (const command of makeProgram({ io: processIo(), done: () => undefined }).commands)
    visit(command, `iaip-dsl ${command.name()}`);
  return rows;
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0]!;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((it) => it.replace(/(?<!\\)\|/g, "\\|").replace(/\s+/g, " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
