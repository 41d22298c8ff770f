import { isAbsolute, join } from "node:path";
import type { z } from "zod";
import { listed } from "../base/english.ts";
import { isRecord } from "../base/json-rpc.ts";
import { nearest } from "../core/concept/nearest.ts";
import type { Range } from "../core/concept/problem.ts";
import type { Path, Places } from "../core/concept/yaml-document.ts";
import {
  envName,
  isPath,
  layerSchema,
  maySet,
  type SettingName,
  type SettingSource,
  settingMeta,
  settingNames,
  settingsFrom,
} from "./schema.ts";

/** What one source says, as far as it may say it. */
export interface SettingsLayer {
  readonly source: SettingSource;
  readonly values: Readonly<Record<string, unknown>>;
  /** The folder that globs of this source are taken from. */
  readonly root: string;
  /** The settings file, when the source is one. */
  readonly file?: string;
  readonly problems: readonly SettingProblem[];
}

/** A setting that is not obeyed. It never ends a program by itself: the caller decides. */
export interface SettingProblem {
  readonly code: "setting.unknown" | "setting.refused" | "setting.invalid" | "settings.unreadable";
  /** A setting of nobody's or of somebody else's is a warning; one that cannot be understood is an error. */
  readonly severity: "error" | "warning";
  readonly source: SettingSource;
  /** Where it is said: the path of a file, a flag, a variable. */
  readonly where: string;
  /** Zero-based; only in a file. */
  readonly range?: Range;
  /** A sentence that names the setting and the next step. */
  readonly message: string;
  /** The key that was probably meant, for the key at `range`. */
  readonly fix?: string;
}

export interface LayerInput {
  readonly source: SettingSource;
  readonly value: unknown;
  /** The folder that relative paths are taken from. */
  readonly root: string;
  /** The folder that globs are taken from, where it is another. */
  readonly globRoot?: string;
  readonly file?: string;
  readonly places?: Places;
}

/** Keeps what the source may set and the schema accepts, key by key; the rest becomes problems. Never throws. */
export function readLayer({ source, value, root, globRoot = root, file, places }: LayerInput): SettingsLayer {
  const problems: SettingProblem[] = [];
  const report = (path: Path, problem: Pick<SettingProblem, "code" | "severity" | "message" | "fix">): void => {
    const range = places?.[problem.code === "setting.invalid" ? "value" : "key"](path);
    const where = file ?? whereOf(source, String(path[0] ?? ""));
    problems.push({ source, where, ...(range === undefined ? {} : { range }), ...problem });
  };
  const layer = { source, root: globRoot, ...(file === undefined ? {} : { file }) };
  if (value === null || value === undefined) return { ...layer, values: {}, problems };
  if (!isRecord(value)) {
    const message = "Settings are written as `name: value` lines.";
    report([], { code: "settings.unreadable", severity: "error", message });
    return { ...layer, values: {}, problems };
  }
  const own = Object.entries(value).filter(
    ([key, it]) => it !== null && it !== undefined && allowed(key, source, report),
  );
  const kept = withoutFaults(withoutNulls(Object.fromEntries(own)), report);
  const values = Object.entries(kept).map(([key, it]) => [key, absolute(key as SettingName, it, root)]);
  return { ...layer, values: Object.fromEntries(values), problems };
}

/** What is `null` was not set, in a group too. */
function withoutNulls(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = Object.entries(value).filter(([, it]) => it !== null && it !== undefined);
  return Object.fromEntries(given.map(([key, it]) => [key, isRecord(it) ? withoutNulls(it) : it]));
}

type Report = (path: Path, problem: Pick<SettingProblem, "code" | "severity" | "message" | "fix">) => void;

function allowed(key: string, source: SettingSource, report: Report): boolean {
  const name = settingNames.find((it) => it === key);
  if (name === undefined) {
    report([key], unknown(key, settingsFrom(source)));
    return false;
  }
  if (maySet(source, name)) return true;
  report([key], {
    code: "setting.refused",
    severity: "warning",
    message: `${refusal(name, source)} It is not obeyed.`,
  });
  return false;
}

function unknown(key: string, known: readonly string[]): Pick<SettingProblem, "code" | "severity" | "message" | "fix"> {
  const near = nearest(key, known);
  const message = `There is no setting \`${key}\`.${near === undefined ? "" : ` Did you mean \`${near}\`?`}`;
  return { code: "setting.unknown", severity: "warning", message, ...(near === undefined ? {} : { fix: near }) };
}

function refusal(name: SettingName, source: SettingSource): string {
  const places: Readonly<Record<SettingSource, string>> = {
    editor: "an editor",
    flag: "a flag",
    environment: "the environment",
    user: "your own settings file",
    project: "a project file",
  };
  const ways = settingMeta(name).from.map((from) =>
    from === "flag"
      ? `--${name}`
      : from === "environment"
        ? envName(name)
        : from === "user"
          ? "your own settings file"
          : places[from],
  );
  return `\`${name}\` cannot be set by ${places[source]}. Set it with ${listed(ways, "or")}.`;
}

function whereOf(source: SettingSource, name: string): string {
  if (source === "flag") return `--${name}`;
  return source === "environment" ? envName(name) : "the editor's settings";
}

/** Drops each value that the schema refuses, so that one mistake does not cost the other settings. */
function withoutFaults(given: Readonly<Record<string, unknown>>, report: Report): Readonly<Record<string, unknown>> {
  let kept = given;
  for (let round = 0; round < 20; round += 1) {
    const read = layerSchema.safeParse(kept);
    if (read.success) return read.data;
    const paths = read.error.issues.flatMap((issue) => reported(issue, kept, report));
    kept = without(kept, paths) as Readonly<Record<string, unknown>>;
  }
  return {};
}

function reported(issue: z.core.$ZodIssue, value: unknown, report: Report): readonly Path[] {
  const path = issue.path.map((it) => (typeof it === "number" ? it : String(it)));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const known = knownKeys(path);
      report(
        [...path, key],
        unknown(
          [...path, key].join("."),
          known.map((it) => [...path, it].join(".")),
        ),
      );
      return [...path, key];
    });
  }
  const given = path.reduce<unknown>((it, step) => (it as Record<string, unknown> | undefined)?.[step], value);
  if (given === undefined) {
    const parent = path.slice(0, -1);
    const message = `\`${parent.join(".")}\` is not used: it needs \`${path.at(-1)}\`. ${expected(issue)}`;
    report(parent, { code: "setting.invalid", severity: "error", message });
    return [parent];
  }
  const message = `\`${path.join(".")}\` is not used: ${shown(given)} is not accepted. ${expected(issue)}`;
  report(path, { code: "setting.invalid", severity: "error", message });
  return [path];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `It takes one of ${issue.values.map(String).join(", ")}.`;
  if (issue.code === "invalid_type") return `It takes ${kinds[issue.expected] ?? issue.expected}.`;
  if (issue.code === "too_small") return `The least is ${issue.minimum}.`;
  if (issue.code === "too_big") return `The most is ${issue.maximum}.`;
  return `${issue.message}.`;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
  array: "a list",
  object: "`name: value` lines",
  record: "`name: value` lines",
};

/** The keys that may stand at a path: of a group such as `diagnostics`, or of an entry of `overrides`. */
function knownKeys(path: Path): readonly string[] {
  let schema: unknown = layerSchema;
  for (const step of path) schema = inner(schema, step);
  const shape = (schema as { readonly shape?: Readonly<Record<string, unknown>> } | undefined)?.shape;
  return Object.keys(shape ?? {});
}

function inner(schema: unknown, step: string | number): unknown {
  const { shape, element } = bare(schema);
  return bare(typeof step === "number" ? element : shape?.[step]);
}

interface Bare {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
}

function bare(schema: unknown): Bare {
  const it = schema as { readonly def?: { readonly innerType?: unknown } } & Bare;
  return it?.def?.innerType === undefined ? (it ?? {}) : bare(it.def.innerType);
}

const dropped = Symbol();

/** The value without what stands at the paths; a list closes its gaps. */
function without(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return dropped;
  if (paths.length === 0) return value;
  const below = (step: string | number): readonly Path[] =>
    paths.filter(([first]) => String(first) === String(step)).map(([, ...rest]) => rest);
  if (Array.isArray(value)) return value.map((it, i) => without(it, below(i))).filter((it) => it !== dropped);
  if (!isRecord(value)) return dropped;
  const entries = Object.entries(value).map(([key, it]) => [key, without(it, below(key))] as const);
  return Object.fromEntries(entries.filter(([, it]) => it !== dropped));
}

function absolute(name: SettingName, value: unknown, root: string): unknown {
  return typeof value === "string" && isPath(name, value) && !isAbsolute(value) ? join(root, value) : value;
}
