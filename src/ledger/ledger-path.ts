import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Where the ledger lives when nobody says: the data folder of the person at this machine. XDG base directories on Linux,
 * the platform's own folders on macOS and Windows; `XDG_DATA_HOME` wins everywhere.
 */
export function defaultLedgerPath(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  return join(dataFolder(env, platform, home), "iaip-dsl", "wisdom.db");
}

function dataFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (env.XDG_DATA_HOME) return env.XDG_DATA_HOME;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env.LOCALAPPDATA || join(home, "AppData", "Local");
  return join(home, ".local", "share");
}
