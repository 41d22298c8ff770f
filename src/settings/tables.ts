import { z } from "zod";
import {
  envName,
  maySet,
  type SettingName,
  settingMeta,
  settingNames,
  settingsFrom,
  settingsSchema,
} from "./schema.ts";

export interface SettingInfo {
  readonly name: SettingName;
  /** Absent for what is set in files and editors only. */
  readonly flag?: string;
  readonly env?: string;
  /** Name of the flag's value; absent for a switch. */
  readonly value?: string;
  readonly description: string;
  readonly fallback: string;
}

/** One row per setting, for help and for the README's table. */
export function settingInfo(name: SettingName): SettingInfo {
  const { description, value } = settingMeta(name);
  const fallback: unknown = settingsSchema.shape[name].safeParse(undefined).data;
  const isPlain = typeof fallback === "string" || typeof fallback === "number" || typeof fallback === "boolean";
  return {
    name,
    description,
    fallback: isPlain ? String(fallback) : "",
    ...(maySet("flag", name) ? { flag: `--${name}` } : {}),
    ...(maySet("environment", name) ? { env: envName(name) } : {}),
    ...(value === undefined ? {} : { value }),
  };
}

/** Who may set what: one row per setting, one column per source. */
export function sourcesTable(): string {
  const heads = ["setting", "flag", "environment", "your own file", "project file", "editor"];
  const columns = ["flag", "environment", "user", "project", "editor"] as const;
  const rows = settingNames.map((name) => {
    const cells = columns.map((source) => {
      if (!maySet(source, name)) return "no";
      return name === "concepts" && source === "project" ? "a folder inside the project" : "yes";
    });
    return `| ${[`\`${name}\``, ...cells].join(" | ")} |`;
  });
  return [`| ${heads.join(" | ")} |`, `|${heads.map(() => " --- |").join("")}`, ...rows].join("\n");
}

export interface SettingRow {
  /** `diagnostics.max` */
  readonly name: string;
  readonly description: string;
  readonly fallback: unknown;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** JSON Schema of a project file `.iaip-dsl.yaml`, for any YAML editor. */
export function projectFileSchema(): Readonly<Record<string, unknown>> {
  return jsonSchemaOf(settingsFrom("project"));
}

/** Every setting of an editor once, groups opened, in the order of the schema. */
export function editorSettingRows(): readonly SettingRow[] {
  return rowsOf(jsonSchemaOf(settingsFrom("editor")), "");
}

/** The settings of an editor as a Markdown table. */
export function editorSettingsTable(): string {
  const rows = editorSettingRows().map(
    ({ name, description, fallback }) =>
      `| \`${name}\` | \`${JSON.stringify(fallback)}\` | ${description.replaceAll("|", "\\|")} |`,
  );
  return ["| Option | Default | What it decides |", "|---|---|---|", ...rows].join("\n");
}

function jsonSchemaOf(names: readonly SettingName[]): Readonly<Record<string, unknown>> {
  const picked = Object.fromEntries(names.map((name) => [name, settingsSchema.shape[name]]));
  return z.toJSONSchema(z.strictObject(picked), {
    io: "input",
    target: "draft-7",
    // What only this program reads of a setting is no keyword of JSON Schema.
    override: ({ jsonSchema }) => {
      for (const key of ["from", "value", "isPath"]) delete jsonSchema[key];
    },
  });
}

function rowsOf(schema: unknown, prefix: string): readonly SettingRow[] {
  const properties = propertiesOf(schema);
  return Object.entries(properties).flatMap(([key, value]): readonly SettingRow[] => {
    const name = `${prefix}${key}`;
    const inner = rowsOf(value, `${name}.`);
    if (inner.length > 0) return inner;
    const { description, default: fallback, ...rest } = value;
    return [{ name, description: String(description), fallback, schema: { ...rest, default: fallback } }];
  });
}

function propertiesOf(schema: unknown): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const read = z.looseObject({ properties: z.record(z.string(), z.record(z.string(), z.unknown())) }).safeParse(schema);
  return read.success ? read.data.properties : {};
}
