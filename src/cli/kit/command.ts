import type { Command } from "commander";
import type { SettingProblem } from "../../settings/layer.ts";
import { flagsOf, problemLine, type ReadSettings, readSettings } from "../../settings/read-settings.ts";
import type { SettingName, Settings } from "../../settings/schema.ts";
import { settingInfo } from "../../settings/tables.ts";
import { type Io, UsageError } from "./io.ts";

export type Values = Readonly<Record<string, unknown>>;

export const vocabularySettings: readonly SettingName[] = ["concepts", "log-level", "grant"];
export const answerSettings: readonly SettingName[] = [...vocabularySettings, "ledger"];
export const accessSettings: readonly SettingName[] = [
  "token-file",
  "oauth-issuer",
  "oauth-audience",
  "oauth-jwks",
  "allow-anonymous",
  "allowed-hosts",
  "allowed-origins",
  "public-url",
  "trusted-proxies",
  "tls-cert",
  "tls-key",
];

/** What the commands share: where they print, how their settings are read, and who takes their exit code. */
export interface Commands {
  readonly io: Io;
  readonly done: (code: number) => void;
}

/**
 * What is wrong with the settings ends a command before it does anything, exit 2, where whoever started it can mend it.
 * Of a project file, which may be anybody's, only what the command cannot do without: `wording` for one that reads by
 * it, `vocabulary` for one that answers from a vocabulary it may name, `nothing` for a server. `editor`: nor does the
 * user's own file end it, since the editor shows what is wrong there.
 */
export type Needs = "wording" | "vocabulary" | "nothing" | "editor";

/** The settings in force for one command's flags. Throws `UsageError`; what is not obeyed is said on stderr. */
export async function readSettingsOf(flags: Values, io: Io, needs: Needs): Promise<ReadSettings> {
  const { env, cwd } = io;
  const read = await readSettings({ flags: flagsOf(flags), env, cwd });
  reportProblems(read.problems, needs, io);
  return read;
}

/** Says what is not obeyed. Throws `UsageError` for what a command cannot do without. */
export function reportProblems(problems: readonly SettingProblem[], needs: Needs, io: Io): void {
  const fatal = problems.filter((it) => isFatal(it, needs));
  if (fatal.length > 0) throw new UsageError(fatal.map(problemLine).join("\niaip-dsl: "));
  for (const problem of problems) io.stderr.write(`iaip-dsl: ${problemLine(problem)}\n`);
}

function isFatal({ code, severity, source }: SettingProblem, needs: Needs): boolean {
  if (source === "flag" || source === "environment") return code !== "setting.refused";
  if (source === "user") return needs !== "editor" && code !== "setting.refused";
  if (needs === "wording") return severity === "error";
  return needs === "vocabulary" && code === "settings.unreadable";
}

/** The settings in force for a command that answers once. */
export async function settingsOf(flags: Values, io: Io): Promise<Settings> {
  return (await readSettingsOf(flags, io, "vocabulary")).settings;
}

/** Gives a command the flags of these settings. They have no defaults here: absent means the environment or the file. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, value, description, fallback, env } = settingInfo(name);
    const text = `${description} ($${env}${fallback === "" || fallback === "false" ? "" : `; ${fallback}`})`;
    command.option(value === undefined ? `${flag}` : `${flag} <${value}>`, text);
  }
  return command;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
