import { dirname } from "node:path";
import type { SettingProblem, SettingsLayer } from "../../../settings/layer.ts";
import { isIgnored, settingsOf } from "../../../settings/merge.ts";
import type { Settings } from "../../../settings/schema.ts";
import { type SettingsFile, SettingsFiles } from "../../../settings/settings-file.ts";

export interface FileSettings {
  /** The settings that hold for a file, which is an absolute path: what the process was started with, over its project file. */
  of(file: string): Promise<Settings>;
  /** Whether the file's project, or the user, leaves it out. */
  ignores(file: string): Promise<boolean>;
  /** What is wrong in the project files that were met. */
  problems(): Promise<readonly SettingProblem[]>;
}

/** The settings of many files in one run: each project file is looked for and read once. */
export function fileSettings(started: readonly SettingsLayer[]): FileSettings {
  const files = new SettingsFiles();
  const byFolder = new Map<string, Promise<SettingsFile | undefined>>();
  const nearest = (folder: string): Promise<SettingsFile | undefined> => {
    const known = byFolder.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const found = files.in(folder).then((own) => own ?? (parent === folder ? undefined : nearest(parent)));
    byFolder.set(folder, found);
    return found;
  };
  const layersOf = async (file: string): Promise<readonly SettingsLayer[]> => {
    const project = await nearest(dirname(file));
    return project === undefined ? started : [...started, project.layer];
  };
  return {
    of: async (file) => settingsOf(await layersOf(file), file),
    ignores: async (file) => isIgnored(await layersOf(file), file),
    problems: async () => {
      const met = new Set(await Promise.all(byFolder.values()));
      return [...met].flatMap((it) => it?.layer.problems ?? []);
    },
  };
}
