import type { Command } from "commander";
import { readSettings, type SettingName, type Settings, settingInfo, settingNames } from "../config.ts";
import type { Io } from "./io.ts";

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
  "tls-cert",
  "tls-key",
];

/** What the commands share: where they print, how their settings are read, and who takes their exit code. */
export interface Commands {
  readonly io: Io;
  readonly done: (code: number) => void;
}

/** The settings in force for one command's flags. */
export function settingsOf(flags: Values, { env, cwd }: Io): Promise<Settings> {
  const given = Object.fromEntries(settingNames.map((name) => [name, flags[camelCase(name)]]));
  return readSettings({ flags: given, env, cwd });
}

/** Gives a command the flags of these settings. They have no defaults here: absent means the environment or the file. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, value, description, fallback, env } = settingInfo(name);
    const text = `${description} ($${env}${fallback === "" || fallback === "false" ? "" : `; ${fallback}`})`;
    command.option(value === undefined ? flag : `${flag} <${value}>`, text);
  }
  return command;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
