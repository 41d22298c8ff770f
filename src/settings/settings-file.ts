import { realpathSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Problem } from "../core/concept/problem.ts";
import { readLayer, type SettingProblem, type SettingsLayer } from "./layer.ts";

type Env = Readonly<Record<string, string | undefined>>;

export const projectFileNames = [".iaip-dsl.yaml", ".iaip-dsl.yml"] as const;

/** A settings file as it was read. */
export interface SettingsFile {
  readonly path: string;
  readonly text: string;
  readonly layer: SettingsLayer;
}

/** Finds settings files and reads each again only when it changed on disk. Nothing in them ends the program. */
export class SettingsFiles {
  readonly #read = new Map<string, { readonly stamp: string; readonly file: SettingsFile }>();

  /** The project file nearest to what lies in `folder`: there or above. */
  async nearest(folder: string): Promise<SettingsFile | undefined> {
    const parent = dirname(folder);
    return (await this.in(folder)) ?? (parent === folder ? undefined : this.nearest(parent));
  }

  /** The project file in a folder itself. */
  async in(folder: string): Promise<SettingsFile | undefined> {
    for (const name of projectFileNames) {
      const found = await this.#load(join(folder, name), "project", folder);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The user's own file. `globRoot` is the folder that its globs are taken from. */
  user(path: string, globRoot: string): Promise<SettingsFile | undefined> {
    return this.#load(path, "user", globRoot);
  }

  async #load(path: string, source: "user" | "project", globRoot: string): Promise<SettingsFile | undefined> {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.isDirectory()) {
      this.#read.delete(path);
      return undefined;
    }
    const stamp = `${found.mtimeMs}:${found.size}`;
    const known = this.#read.get(path);
    if (known?.stamp === stamp) return known.file;
    const text =
      found.isFile() && found.size <= maxBytes ? await readFile(path, "utf8").catch(() => undefined) : undefined;
    const layer =
      text === undefined ? unreadable(path, source, globRoot) : await readSettingsText(path, text, source, globRoot);
    const file = { path, text: text ?? "", layer };
    this.#read.set(path, { stamp, file });
    return file;
  }
}

const maxBytes = 1_000_000;

function unreadable(file: string, source: "user" | "project", root: string): SettingsLayer {
  const message = `These settings cannot be read: a text file of at most ${maxBytes} bytes that you may read is needed.`;
  const problem = { code: "settings.unreadable", severity: "error", source, where: file, message } as const;
  return { source, values: {}, root, file, problems: [problem] };
}

/** Reads the text of a settings file, as it stands on disk or in an editor. */
export async function readSettingsText(
  path: string,
  text: string,
  source: "user" | "project",
  globRoot = dirname(path),
): Promise<SettingsLayer> {
  if (text.trim() === "") return { source, values: {}, root: globRoot, file: path, problems: [] };
  // Loaded where there is a file to read: a server starts without it.
  const { readYaml } = await import("../core/concept/yaml-document.ts");
  const yaml = readYaml(path, text, "None of these settings are obeyed until it parses.");
  if (yaml.kind === "broken") {
    const problems = yaml.problems.map((it) => unreadableAt(it, path, source));
    return { source, values: {}, root: globRoot, file: path, problems };
  }
  const layer = readLayer({
    source,
    value: yaml.value,
    root: dirname(path),
    globRoot,
    file: path,
    places: yaml.places,
  });
  if (source === "user" || typeof layer.values.concepts !== "string") return layer;
  const folder = insideProject(layer.values.concepts, dirname(path));
  if (folder !== undefined) return { ...layer, values: { ...layer.values, concepts: folder } };
  const { concepts: _, ...values } = layer.values;
  return { ...layer, values, problems: [...layer.problems, outside(path, yaml.places.value(["concepts"]))] };
}

function unreadableAt({ range, message }: Problem, where: string, source: "user" | "project"): SettingProblem {
  return { code: "settings.unreadable", severity: "error", source, where, range, message };
}

function outside(where: string, range: SettingProblem["range"]): SettingProblem {
  const message =
    "A project file may only name a folder inside its own folder, and this is none (links are followed). It is not obeyed; start with --concepts to serve another vocabulary.";
  return { code: "setting.refused", severity: "warning", source: "project", where, ...(range && { range }), message };
}

/** The real path of a folder that lies inside the project, whatever links lead there; `undefined` for any other. */
function insideProject(path: string, project: string): string | undefined {
  try {
    const real = realpathSync(path);
    const below = relative(realpathSync(project), real);
    const isInside = below !== ".." && !/^\.\.[/\\]/.test(below) && !isAbsolute(below);
    return isInside && statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a person's own settings live: XDG base directories on Linux, the platform's own folders on macOS and Windows;
 * `XDG_CONFIG_HOME` wins everywhere when it is absolute, as its standard wants.
 */
export function userSettingsPath(env: Env, platform: NodeJS.Platform = process.platform, home = homedir()): string {
  return join(configFolder(env, platform, home), "iaip-dsl", "config.yaml");
}

function configFolder(env: Env, platform: NodeJS.Platform, home: string): string {
  if (env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME)) return env.XDG_CONFIG_HOME;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  return join(home, ".config");
}
