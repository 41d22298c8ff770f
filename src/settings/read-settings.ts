import { isRecord } from "../base/json-rpc.ts";
import { readLayer, type SettingProblem, type SettingsLayer } from "./layer.ts";
import { settingsOf } from "./merge.ts";
import { envName, type SettingName, type Settings, settingNames, settingsFrom } from "./schema.ts";
import { SettingsFiles, userSettingsPath } from "./settings-file.ts";

export interface SettingsInput {
  /** Flags as given, by setting name; absent ones are `undefined`. */
  readonly flags: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the program runs in: flags' paths are taken from it, and the project file is looked for upwards. */
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

export interface ReadSettings {
  /** What holds for the process. */
  readonly settings: Settings;
  /** What whoever started it said: flags, environment, their own file. For a document, its project file goes below. */
  readonly started: readonly SettingsLayer[];
  /** The project file of the folder that the program runs in. */
  readonly project?: SettingsLayer;
  /** Whether the vocabulary is the project's own: nobody who started the program named one. It opens no grant. */
  readonly isProjectVocabulary: boolean;
  readonly problems: readonly SettingProblem[];
}

/** Reads every source but the editor's. Never throws and never exits: what cannot be obeyed is a problem. */
export async function readSettings({ flags, env, cwd, platform, home }: SettingsInput): Promise<ReadSettings> {
  const files = new SettingsFiles();
  const project = (await files.nearest(cwd))?.layer;
  const user = (await files.user(userSettingsPath(env, platform, home), project?.root ?? cwd))?.layer;
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const said = settingsFrom("environment").flatMap((name) => {
    // An empty variable counts as none, as container files write it.
    const value = env[envName(name)];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  const started = [
    readLayer({ source: "flag", value: given, root: cwd }),
    readLayer({ source: "environment", value: Object.fromEntries(said), root: cwd }),
    ...(user === undefined ? [] : [user]),
  ];
  const layers = project === undefined ? started : [...started, project];
  const settings = settingsOf(layers);
  const isProjectVocabulary =
    settings.concepts !== undefined && started.every((it) => it.values.concepts === undefined);
  const closed = isProjectVocabulary && settings.grant.length > 0;
  return {
    settings: closed ? { ...settings, grant: [] } : settings,
    started,
    ...(project === undefined ? {} : { project }),
    isProjectVocabulary,
    problems: [...layers.flatMap((it) => it.problems), ...(closed ? [noGrant(started)] : [])],
  };
}

function noGrant(started: readonly SettingsLayer[]): SettingProblem {
  const { source, file } = started.find((it) => it.values.grant !== undefined)!;
  const where = file ?? (source === "flag" ? "--grant" : envName("grant"));
  const message =
    "The vocabulary is the project's own, so no grant opens anything in it. Name the folder with --concepts to open it.";
  return { code: "setting.refused", severity: "warning", source, where, message };
}

/**
 * What an editor says, in `initializationOptions` or in its `iaip-dsl` settings. It may set what a project file may of
 * reading and showing, and no more, since editors read the settings of a folder that somebody else wrote too. How an
 * editor starts the server, `server` and `trace`, is its own matter.
 */
export function editorLayer(value: unknown): SettingsLayer {
  if (!isRecord(value)) return readLayer({ source: "editor", value: undefined, root: "." });
  const { server: _, trace: __, ...own } = value;
  return readLayer({ source: "editor", value: own, root: "." });
}

/** One line for a person: where, and what. */
export function problemLine({ where, range, message }: SettingProblem): string {
  const at = range === undefined ? "" : `:${range.start.line + 1}:${range.start.character + 1}`;
  return `${where}${at}: ${message}`;
}

/** Flags by setting name, from a parsed command line whose keys are in camel case. */
export function flagsOf(values: Readonly<Record<string, unknown>>): Readonly<Partial<Record<SettingName, unknown>>> {
  return Object.fromEntries(settingNames.map((name) => [name, values[camelCase(name)]]));
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
