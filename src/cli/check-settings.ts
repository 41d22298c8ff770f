import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import ignore from "ignore";
import { parse } from "yaml";
import { z } from "zod";
import { findProjectFile } from "../config.ts";
import { type Severity, type Strictness, severities, strictnesses } from "../core/concept/rule.ts";
import type { RuleOverrides } from "../core/terms/compile-rules.ts";
import { UsageError } from "./io.ts";

const rulesSchema = z.record(z.string(), z.enum([...severities, "off"]));
const globs = z.array(z.string().min(1));

/** The keys of `.iaip-dsl.yaml` that the terminology check reads. */
const checkSettingsSchema = z.object({
  strictness: z.enum(strictnesses).optional(),
  rules: rulesSchema.default({}),
  accept: z.array(z.string()).default([]),
  "fail-on": z.enum([...severities, "none"]).optional(),
  /** Paths that are not read, as in a `.gitignore`. */
  ignore: globs.default([]),
  /** Later entries win over earlier ones. */
  overrides: z
    .array(
      z.strictObject({
        files: globs.min(1),
        rules: rulesSchema.default({}),
        strictness: z.enum(strictnesses).optional(),
        accept: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});

/** How one file is read. */
export interface FileSettings {
  readonly strictness: Strictness;
  readonly overrides: RuleOverrides;
  readonly accept: ReadonlySet<string>;
}

export interface CheckSettings {
  readonly failOn: Severity | "none" | undefined;
  /** Whether the project leaves the file out. `path` is absolute. */
  ignores(path: string): boolean;
  forFile(path: string, strictness: Strictness | undefined): FileSettings;
}

/** Reads the nearest project file above `cwd`. Throws `UsageError`, naming the file and the key. */
export function readCheckSettings(cwd: string): CheckSettings {
  const file = findProjectFile(cwd);
  const root = file === undefined ? cwd : dirname(file);
  const read = checkSettingsSchema.safeParse(file === undefined ? {} : (parse(readFileSync(file, "utf8")) ?? {}));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new UsageError(`${file}: \`${issue?.path.join(".")}\` is not accepted. ${issue?.message}.`);
  }
  const settings = read.data;
  const below = (path: string): string | undefined => {
    const name = relative(root, path).replaceAll("\\", "/");
    return name === "" || name.startsWith("..") ? undefined : name;
  };
  const ignored = ignore().add([...settings.ignore]);
  const overrides = settings.overrides.map((entry) => ({ ...entry, matcher: ignore().add(entry.files) }));
  return {
    failOn: settings["fail-on"],
    ignores: (path) => {
      const name = below(path);
      return name !== undefined && ignored.ignores(name);
    },
    forFile: (path, strictness) => {
      const name = below(path);
      const own = overrides.filter((entry) => name !== undefined && entry.matcher.ignores(name));
      return {
        strictness:
          strictness ?? own.findLast((entry) => entry.strictness)?.strictness ?? settings.strictness ?? "standard",
        overrides: Object.assign({}, settings.rules, ...own.map((entry) => entry.rules)) as RuleOverrides,
        accept: new Set(
          [...settings.accept, ...own.flatMap((entry) => entry.accept)].map((text) => text.toLowerCase()),
        ),
      };
    },
  };
}
