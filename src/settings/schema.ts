import { z } from "zod";
import { logLevels } from "../base/log.ts";
import { severities, strictnesses } from "../core/concept/rule.ts";

/**
 * Where a setting may come from, strongest first. A flag and an editor's setting stand alike; they never meet in one key
 * without the editor's being the nearer one to the document.
 */
export const settingSources = ["editor", "flag", "environment", "user", "project"] as const;
export type SettingSource = (typeof settingSources)[number];

/** What names a place, a right, a secret or a network peer: whoever starts the program says it, never a project. */
const person = ["flag", "environment", "user"] as const;
/** How wording is read and shown: the project and its readers say it. */
const reader = ["editor", "user", "project"] as const;

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
const globs = z.array(z.string().min(1));
const rules = z.record(z.string(), z.enum([...severities, "off"]));
const accept = z.array(z.string());

/** What `.meta` says of each setting beside its description. */
interface SettingMeta {
  readonly description: string;
  readonly from: readonly SettingSource[];
  /** Name of the flag's value in help and README; absent for a switch and for what has no flag. */
  readonly value?: string;
  /** A file or folder: relative ones are taken from where the setting is written. */
  readonly isPath?: true;
}

/**
 * Every setting, once. A flag `--log-level` has an environment twin `IAIP_DSL_LOG_LEVEL` and a key `log-level` in the
 * user's own settings file; `from` says who may set it.
 */
export const settingsSchema = z.strictObject({
  concepts: z
    .string()
    .min(1)
    .optional()
    .meta({
      value: "DIR",
      description: "Vocabulary folder; the shipped one when absent. A project file may name one inside its own folder.",
      from: [...person, "project"],
      isPath: true,
    }),
  ledger: z.string().min(1).optional().meta({
    value: "FILE|URL|none",
    description:
      "Wisdom Ledger: an SQLite file, a postgres:// address, or none; a file in the user's data folder when absent.",
    from: person,
    isPath: true,
  }),
  "log-level": z
    .enum(logLevels)
    .default("warn")
    .meta({ value: "LEVEL", description: "Least level that is logged to stderr.", from: person }),
  strictness: z
    .enum(strictnesses)
    .default("standard")
    .meta({
      value: "LEVEL",
      description: "How much is said about wording: `gentle` only hints, `strict` says everything.",
      from: ["flag", "environment", ...reader],
    }),
  rules: rules.default({}).meta({ description: "Severity of single rules by id, or `off`.", from: reader }),
  accept: accept
    .default([])
    .meta({ description: "Words and phrases that are right here and never flagged.", from: reader }),
  ignore: globs
    .default([])
    .meta({ description: "Paths that are not read, as in a `.gitignore`.", from: ["user", "project"] }),
  overrides: z
    .array(
      z.strictObject({
        files: globs.min(1),
        strictness: z.enum(strictnesses).optional(),
        rules: rules.optional(),
        accept: accept.optional(),
      }),
    )
    .default([])
    .meta({
      description: "`rules`, `strictness` and `accept` for the `files` that fit these globs; later entries win.",
      from: ["user", "project"],
    }),
  "fail-on": z
    .enum([...severities, "none"])
    .default("warning")
    .meta({
      value: "SEVERITY",
      description: "Least severity of a finding at which `check` ends with exit code 1.",
      from: ["flag", "environment", "user", "project"],
    }),
  diagnostics: z
    .strictObject({
      enable: z.boolean().default(true).describe("Whether wording and concept files are checked in the editor."),
      mode: z
        .enum(["auto", "push", "pull"])
        .default("auto")
        .describe("`auto` pushes until the editor asks for diagnostics itself."),
      max: z.number().int().min(1).max(1000).default(200).describe("Most findings shown in one document."),
      debounce: z.number().int().min(0).max(5000).default(80).describe("Milliseconds of quiet before a check."),
    })
    .default({ enable: true, mode: "auto", max: 200, debounce: 80 })
    .meta({ description: "Checks in the editor.", from: reader }),
  maxFileSize: z
    .number()
    .int()
    .min(1)
    .default(2_097_152)
    .meta({ description: "Characters above which a document is not checked; the editor says so.", from: reader }),
  inlayHints: z
    .strictObject({ enable: z.boolean().default(false).describe("Show a concept's direction behind its name.") })
    .default({ enable: false })
    .meta({ description: "Inlay hints in the editor.", from: reader }),
  codeLens: z
    .strictObject({ enable: z.boolean().default(true).describe("Show references and uses above a concept file.") })
    .default({ enable: true })
    .meta({ description: "Code lenses in the editor.", from: reader }),
  semanticTokens: z
    .strictObject({ enable: z.boolean().default(true).describe("Color the names of concepts.") })
    .default({ enable: true })
    .meta({ description: "Semantic colors in the editor.", from: reader }),
  rename: z
    .strictObject({ prose: z.boolean().default(false).describe("Renaming a concept's name also changes it in prose.") })
    .default({ prose: false })
    .meta({ description: "Renaming in the editor.", from: reader }),
  grant: names.default([]).meta({
    value: "NAME,…",
    description: "Community protocols granted to the local caller; each opens the concepts it guards.",
    from: person,
  }),
  tools: names
    .default([])
    .meta({ value: "NAME,…", description: "Tools that are offered; all when absent.", from: person }),
  toolsets: names.default([]).meta({
    value: "NAME,…",
    description: "Groups of tools that are offered: concepts, terminology, ledger, kag; the first three when absent.",
    from: person,
  }),
  "read-only": flagValue.default(false).meta({ description: "Offer no tool that writes.", from: person }),
  "log-queries": flagValue.default(false).meta({
    description: "Also record which concepts the query tools returned, without the query's text.",
    from: person,
  }),
  "log-query-text": flagValue
    .default(false)
    .meta({ description: "With --log-queries: keep the query's text too.", from: person }),
  sessions: flagValue
    .default(false)
    .meta({ description: "HTTP: keep sessions for clients of the 2025 revisions.", from: person }),
  "token-file": z.string().min(1).optional().meta({
    value: "FILE",
    description: "HTTP: bearer tokens with their scopes; every request then needs one.",
    from: person,
    isPath: true,
  }),
  "oauth-issuer": z.string().min(1).optional().meta({
    value: "URL",
    description: "HTTP: accept JWTs of this issuer (OAuth 2.1 resource server).",
    from: person,
  }),
  "oauth-audience": z.string().min(1).optional().meta({
    value: "URL",
    description: "HTTP: audience that JWTs must name; the server's own address when absent.",
    from: person,
  }),
  "oauth-jwks": z.string().min(1).optional().meta({
    value: "URL",
    description: "HTTP: keys of the issuer; its .well-known address when absent.",
    from: person,
  }),
  "allow-anonymous": flagValue.default(false).meta({
    description: "HTTP: serve open content without a token beyond loopback, on a trusted network.",
    from: person,
  }),
  "allow-remote-editors": flagValue.default(false).meta({
    description:
      "LSP over TCP: listen beyond loopback; whoever reaches the port reads as you do, on a trusted network.",
    from: person,
  }),
  "allowed-hosts": names.default([]).meta({
    value: "HOST,…",
    description: "HTTP: Host headers that are accepted besides loopback; `*.svc` matches below.",
    from: person,
  }),
  "allowed-origins": names.default([]).meta({
    value: "ORIGIN,…",
    description: "HTTP: browser origins that are accepted, for CORS too.",
    from: person,
  }),
  "public-url": z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      value: "URL",
      description: "HTTP: the address clients know this server by, a path included, when a proxy stands before it.",
      from: person,
    }),
  "trusted-proxies": names.default([]).meta({
    value: "ADDRESS,…",
    description: "HTTP: proxies, by address or network (10.0.0.0/8), whose X-Forwarded headers are believed.",
    from: person,
  }),
  "tls-cert": z
    .string()
    .min(1)
    .optional()
    .meta({ value: "FILE", description: "HTTP: certificate chain, PEM.", from: person, isPath: true }),
  "tls-key": z
    .string()
    .min(1)
    .optional()
    .meta({ value: "FILE", description: "HTTP: private key, PEM.", from: person, isPath: true }),
});

export type Settings = Readonly<z.infer<typeof settingsSchema>>;
export type SettingName = keyof typeof settingsSchema.shape;

export const settingNames = Object.keys(settingsSchema.shape) as readonly SettingName[];

export const defaultSettings: Settings = settingsSchema.parse({});

export function settingMeta(name: SettingName): SettingMeta {
  return settingsSchema.shape[name].meta() as unknown as SettingMeta;
}

/** Whether a source may set it. */
export function maySet(source: SettingSource, name: SettingName): boolean {
  return settingMeta(name).from.includes(source);
}

/** The settings that a source may set. */
export function settingsFrom(source: SettingSource): readonly SettingName[] {
  return settingNames.filter((name) => maySet(source, name));
}

export function envName(name: string): string {
  return `IAIP_DSL_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Whether the value of a setting is a place on this disk: a ledger may also be a server's address, or none. */
export function isPath(name: SettingName, value: string): boolean {
  if (name === "ledger") return value !== "none" && !/^postgres(?:ql)?:\/\//.test(value);
  return settingMeta(name).isPath === true;
}

/**
 * The schema of what one source says: every key may be missing, at every depth, and nothing is filled in, so that
 * sources can be merged key by key.
 */
export const layerSchema = partial(settingsSchema) as z.ZodType<Readonly<Record<string, unknown>>>;

function partial(schema: z.ZodType): z.ZodType {
  const inner =
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (!(inner instanceof z.ZodObject)) return inner;
  const shape = Object.entries(inner.shape as Readonly<Record<string, z.ZodType>>);
  return z.strictObject(Object.fromEntries(shape.map(([key, value]) => [key, partial(value).optional()])));
}
