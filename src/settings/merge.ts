import { relative } from "node:path";
import ignore from "ignore";
import { isRecord } from "../base/json-rpc.ts";
import type { SettingsLayer } from "./layer.ts";
import { defaultSettings, type Settings, settingSources } from "./schema.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * The settings that hold, key by key: the strongest source that says something wins; groups are merged, and the
 * lists `accept`, `ignore` and `overrides` joined. Of two layers of one source the later one is stronger. With `file`, an absolute path, each layer's `overrides`
 * for it count, and a file that a layer ignores has no diagnostics.
 */
export function settingsOf(layers: readonly SettingsLayer[], file?: string): Settings {
  const weakestFirst = settingSources.toReversed().flatMap((source) => layers.filter((it) => it.source === source));
  const parts = weakestFirst.flatMap((layer) => [layer.values, ...overridesFor(layer, file)]);
  return [...parts, ...(file !== undefined && isIgnored(layers, file) ? [silent] : [])].reduce<Values>(
    merge,
    defaultSettings,
  ) as Settings;
}

const silent = { diagnostics: { enable: false } };

/** Whether a layer's `ignore` leaves the file out. */
export function isIgnored(layers: readonly SettingsLayer[], file: string): boolean {
  return layers.some((layer) => fits(layer, layer.values.ignore, file));
}

function overridesFor(layer: SettingsLayer, file: string | undefined): readonly Values[] {
  const { overrides } = layer.values as Partial<Settings>;
  if (file === undefined || overrides === undefined) return [];
  return overrides.filter((it) => fits(layer, it.files, file)).map(({ files: _, ...rest }) => rest);
}

/** Globs are those of a `.gitignore` in the layer's folder. */
function fits({ root }: SettingsLayer, globs: unknown, file: string): boolean {
  if (!Array.isArray(globs) || globs.length === 0) return false;
  const name = relative(root, file).replaceAll("\\", "/");
  return (
    name !== "" &&
    !name.startsWith("../") &&
    ignore.isPathValid(name) &&
    ignore()
      .add(globs as string[])
      .ignores(name)
  );
}

/** What a project accepts and its reader accepts is accepted; any other list of a stronger source replaces the weaker. */
const joined: ReadonlySet<string> = new Set(["accept", "ignore", "overrides"]);

function merge(under: Values, over: Values): Values {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (joined.has(key) && Array.isArray(value) && Array.isArray(below)) merged[key] = [...below, ...value];
    else merged[key] = isRecord(value) && isRecord(below) ? merge(below, value) : value;
  }
  return merged;
}
