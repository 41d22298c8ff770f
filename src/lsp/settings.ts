import { z } from "zod";
import { isRecord } from "../base/json-rpc.ts";

export const ruleLevels = ["error", "warning", "information", "hint", "off"] as const;

/**
 * What a person can decide about the editor's side: the same keys in the project file `.iaip-dsl.yaml`, in
 * `initializationOptions` and in the editor's `iaip-dsl` settings. The nearest to the file wins, key by key.
 */
export const editorSettingsSchema = z.object({
  strictness: z
    .enum(["gentle", "standard", "strict"])
    .default("standard")
    .describe("How much is said about wording: `gentle` only hints, `strict` says everything."),
  rules: z.record(z.string(), z.enum(ruleLevels)).default({}).describe("Severity of single rules by id, or `off`."),
  accept: z.array(z.string()).default([]).describe("Words and phrases that are right here and never flagged."),
  diagnostics: z
    .object({
      enable: z.boolean().default(true).describe("Whether wording and concept files are checked in the editor."),
      mode: z
        .enum(["auto", "push", "pull"])
        .default("auto")
        .describe("`auto` pushes until the editor asks for diagnostics itself."),
      max: z.number().int().min(1).max(1000).default(200).describe("Most findings shown in one document."),
      debounce: z.number().int().min(0).max(5000).default(80).describe("Milliseconds of quiet before a check."),
    })
    .default({ enable: true, mode: "auto", max: 200, debounce: 80 }),
  maxFileSize: z
    .number()
    .int()
    .min(1)
    .default(2_097_152)
    .describe("Characters above which a document is not checked; the editor says so."),
  inlayHints: z
    .object({ enable: z.boolean().default(false).describe("Show a concept's direction behind its name.") })
    .default({ enable: false }),
  codeLens: z
    .object({ enable: z.boolean().default(true).describe("Show references and uses above a concept file.") })
    .default({ enable: true }),
  semanticTokens: z
    .object({ enable: z.boolean().default(true).describe("Color the names of concepts.") })
    .default({ enable: true }),
  rename: z
    .object({ prose: z.boolean().default(false).describe("Renaming a concept's name also changes it in prose.") })
    .default({ prose: false }),
});

export type EditorSettings = z.infer<typeof editorSettingsSchema>;

export const defaultSettings: EditorSettings = editorSettingsSchema.parse({});

export interface ReadSettings {
  readonly settings: EditorSettings;
  /** One sentence for each value that could not be used; the default stands in for it. */
  readonly problems: readonly string[];
}

/**
 * Puts layers together, later ones over earlier ones, key by key. `null`, missing and malformed layers are ordinary
 * input: what cannot be used is named, and the rest counts.
 */
export function readSettings(layers: readonly unknown[]): ReadSettings {
  const problems: string[] = [];
  let merged: Readonly<Record<string, unknown>> = {};
  for (const layer of layers) if (isRecord(layer)) merged = merge(merged, withoutFaults(layer, problems));
  const result = editorSettingsSchema.safeParse(merged);
  return { settings: result.success ? result.data : defaultSettings, problems };
}

/** Drops each value that the schema refuses, so that one mistake does not cost the other settings. */
function withoutFaults(
  layer: Readonly<Record<string, unknown>>,
  problems: string[],
): Readonly<Record<string, unknown>> {
  let kept = structuredClone(pick(layer, Object.keys(editorSettingsSchema.shape)));
  for (let round = 0; round < 50; round += 1) {
    const result = editorSettingsSchema.safeParse(kept);
    const issue = result.success ? undefined : result.error.issues[0];
    if (issue === undefined) return kept;
    problems.push(`The setting \`${issue.path.join(".")}\` is not used: ${issue.message}.`);
    kept = withoutPath(kept, issue.path);
  }
  return {};
}

function withoutPath(
  record: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
): Readonly<Record<string, unknown>> {
  const [key, ...rest] = path;
  const copy = { ...record };
  const inner = copy[String(key)];
  if (rest.length > 0 && isRecord(inner)) copy[String(key)] = withoutPath(inner, rest);
  else delete copy[String(key)];
  return copy;
}

function merge(
  under: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value === null || value === undefined) continue;
    if (Array.isArray(value) && Array.isArray(below)) merged[key] = [...below, ...value];
    else merged[key] = isRecord(value) && isRecord(below) ? merge(below, value) : value;
  }
  return merged;
}

function pick(record: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys.filter((key) => record[key] !== undefined && record[key] !== null).map((key) => [key, record[key]]),
  );
}
