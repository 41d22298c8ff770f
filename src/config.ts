import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { logLevels } from "./base/log.ts";
import { UsageError } from "./cli/io.ts";
import { nearest } from "./core/concept/nearest.ts";

const flagValue = z.preprocess(
  (it) => (it === "" || it === "1" || it === "true" ? true : it === "0" || it === "false" ? false : it),
  z.boolean(),
);
const names = z.preprocess(
  (it) =>
    typeof it === "string"
      ? it
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "")
      : it,
  z.array(z.string().min(1)),
);

/**
 * Every setting of a server: a flag `--log-level`, an environment twin `IAIP_DSL_LOG_LEVEL` and a key `log-level` in
 * the project file `.iaip-dsl.yaml`. The flag wins over the environment, the environment over the file; an empty
 * variable counts as none, as container files write it. `meta.value` names the flag's value in help and README.
 */
export const settingsSchema = z.object({
  concepts: z
    .string()
    .optional()
    .meta({ value: "DIR", description: "Vocabulary folder; the shipped one when absent." }),
  ledger: z.string().optional().meta({
    value: "FILE|URL|none",
    description:
      "Wisdom Ledger: an SQLite file, a postgres:// address, or none; a file in the user's data folder when absent.",
  }),
  "log-level": z
    .enum(logLevels)
    .default("warn")
    .meta({ value: "LEVEL", description: "Least level that is logged to stderr." }),
  strictness: z
    .enum(["gentle", "standard", "strict"])
    .default("standard")
    .meta({ value: "LEVEL", description: "How much the terminology reader says: gentle, standard or strict." }),
  grant: names.default([]).meta({
    value: "NAME,…",
    description: "Community protocols granted to the local caller; each opens the concepts it guards.",
  }),
  tools: names.default([]).meta({ value: "NAME,…", description: "Tools that are offered; all when absent." }),
  toolsets: names.default([]).meta({
    value: "NAME,…",
    description: "Groups of tools that are offered: concepts, terminology, ledger, kag; the first three when absent.",
  }),
  "read-only": flagValue.default(false).meta({ description: "Offer no tool that writes." }),
  "log-queries": flagValue
    .default(false)
    .meta({ description: "Also record which concepts the query tools told, without the query's text." }),
  "log-query-text": flagValue.default(false).meta({ description: "With --log-queries: keep the query's text too." }),
  sessions: flagValue.default(false).meta({ description: "HTTP: keep sessions for clients of the 2025 revisions." }),
  "token-file": z
    .string()
    .optional()
    .meta({ value: "FILE", description: "HTTP: bearer tokens with their scopes; every request then needs one." }),
  "oauth-issuer": z
    .string()
    .optional()
    .meta({ value: "URL", description: "HTTP: accept JWTs of this issuer (OAuth 2.1 resource server)." }),
  "oauth-audience": z
    .string()
    .optional()
    .meta({ value: "URL", description: "HTTP: audience that JWTs must name; the server's own address when absent." }),
  "oauth-jwks": z
    .string()
    .optional()
    .meta({ value: "URL", description: "HTTP: keys of the issuer; its .well-known address when absent." }),
  "allow-anonymous": flagValue
    .default(false)
    .meta({ description: "HTTP: serve open content without a token beyond loopback, on a trusted network." }),
  "allowed-hosts": names.default([]).meta({
    value: "HOST,…",
    description: "HTTP: Host headers that are accepted besides loopback; `*.svc` matches below.",
  }),
  "allowed-origins": names
    .default([])
    .meta({ value: "ORIGIN,…", description: "HTTP: browser origins that are accepted, for CORS too." }),
  "tls-cert": z.string().optional().meta({ value: "FILE", description: "HTTP: certificate chain, PEM." }),
  "tls-key": z.string().optional().meta({ value: "FILE", description: "HTTP: private key, PEM." }),
});

export type Settings = Readonly<z.infer<typeof settingsSchema>>;
export type SettingName = keyof typeof settingsSchema.shape;

export interface SettingInfo {
  readonly name: SettingName;
  readonly flag: string;
  readonly env: string;
  /** Name of the flag's value; absent for a switch. */
  readonly value?: string;
  readonly description: string;
  readonly fallback: string;
}

export const settingNames = Object.keys(settingsSchema.shape) as readonly SettingName[];

/** One row per setting, for help and for the README's table. */
export function settingInfo(name: SettingName): SettingInfo {
  const schema = settingsSchema.shape[name];
  const meta = schema.meta() as { readonly value?: string; readonly description: string };
  const fallback: unknown = schema.safeParse(undefined).data;
  return {
    name,
    flag: `--${name}`,
    env: envName(name),
    description: meta.description,
    fallback: fallback === undefined || (Array.isArray(fallback) && fallback.length === 0) ? "" : String(fallback),
    ...(meta.value === undefined ? {} : { value: meta.value }),
  };
}

export function envName(name: string): string {
  return `IAIP_DSL_${name.toUpperCase().replaceAll("-", "_")}`;
}

export interface ConfigInput {
  /** Flags as given, by setting name; absent ones are `undefined`. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The settings in force. Paths come out absolute. Throws `UsageError`, naming where the wrong value came from. */
export async function readSettings({ flags, env, cwd }: ConfigInput): Promise<Settings> {
  const file = findProjectFile(cwd);
  const project = file === undefined ? {} : await readProjectFile(file);
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    const [from, value] = firstGiven([
      [`--${name}`, flags[name]],
      [envName(name), env[envName(name)] || undefined],
      [`\`${name}\` in ${file ?? ""}`, project[name]],
    ]);
    if (value === undefined) continue;
    const read = settingsSchema.shape[name].safeParse(value);
    if (!read.success) throw new UsageError(`${from}: ${JSON.stringify(value)} is not accepted. ${settingHelp(name)}`);
    values[name] = isPath(name, value)
      ? resolve(from.startsWith("`") && file ? dirname(file) : cwd, String(value))
      : read.data;
  }
  return settingsSchema.parse(values);
}

function firstGiven(places: readonly (readonly [string, unknown])[]): readonly [string, unknown] {
  return places.find(([, value]) => value !== undefined) ?? ["", undefined];
}

function isPath(name: SettingName, value: unknown): boolean {
  if (name === "ledger") return typeof value === "string" && value !== "none" && !/^postgres(?:ql)?:\/\//.test(value);
  return name === "concepts" || name === "token-file" || name === "tls-cert" || name === "tls-key";
}

function settingHelp(name: SettingName): string {
  const { flag, value, description } = settingInfo(name);
  const schema = settingsSchema.shape[name] as {
    readonly def?: { readonly innerType?: { readonly options?: unknown } };
  };
  const options = schema.def?.innerType?.options;
  return Array.isArray(options)
    ? `${flag} takes one of ${options.join(", ")}.`
    : `${flag}${value ? ` ${value}` : ""}: ${description}`;
}

/** The nearest `.iaip-dsl.yaml` upwards. */
export function findProjectFile(cwd: string): string | undefined {
  for (const name of [".iaip-dsl.yaml", ".iaip-dsl.yml"]) {
    const path = join(cwd, name);
    if (existsSync(path)) return path;
  }
  const parent = dirname(cwd);
  return parent === cwd ? undefined : findProjectFile(parent);
}

/** Keys that other readers of the project file know: the editor's and the terminology check's. */
const otherKeys = [
  "rules",
  "accept",
  "diagnostics",
  "maxFileSize",
  "inlayHints",
  "codeLens",
  "semanticTokens",
  "rename",
  "overrides",
  "ignore",
  "fail-on",
];

async function readProjectFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    // Loaded where there is a file to read: a server starts without it.
    const { parse } = await import("./read-yaml.ts");
    value = parse(readFileSync(path, "utf8"), { maxAliasCount: 20, logLevel: "silent" });
  } catch (error) {
    throw new UsageError(`${path} is not valid YAML: ${(error as Error).message.split("\n", 1)[0]}`);
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw new UsageError(`${path} must hold settings as \`name: value\` lines.`);
  const known = [...settingNames, ...otherKeys];
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    throw new UsageError(`${path}: there is no setting \`${key}\`.${near ? ` Did you mean \`${near}\`?` : ""}`);
  }
  return value as Readonly<Record<string, unknown>>;
}
