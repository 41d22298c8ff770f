import { z } from "zod";
import { editorSettingsSchema } from "./settings.ts";

export interface SettingRow {
  /** `diagnostics.max` */
  readonly name: string;
  readonly description: string;
  readonly fallback: unknown;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** JSON Schema of the editor's part of `.iaip-dsl.yaml`, for any YAML editor. Other readers' keys are left alone. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(editorSettingsSchema, { io: "input", target: "draft-7" });
}

/** Every option once, in the order of the schema. */
export function settingRows(): readonly SettingRow[] {
  return rowsOf(settingsJsonSchema(), "");
}

/** The options as a Markdown table. */
export function settingsTable(): string {
  const rows = settingRows().map(
    ({ name, description, fallback }) =>
      `| \`${name}\` | \`${JSON.stringify(fallback)}\` | ${description.replaceAll("|", "\\|")} |`,
  );
  return ["| Option | Default | What it decides |", "|---|---|---|", ...rows].join("\n");
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
