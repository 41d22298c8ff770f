import type { z } from "zod";
import type { Concept } from "./concept.ts";
import { type FileKind, fileSchemas } from "./file-schema.ts";
import { nearest } from "./nearest.ts";
import { fileStart, type Problem, type Range } from "./problem.ts";
import type { Terminology } from "./rule.ts";
import type { Sources, Vocabulary } from "./vocabulary.ts";
import { type Path, type Places, readYaml } from "./yaml-document.ts";

/** What one file of a vocabulary folder says. `value` is absent where it could not be read. */
export type ParsedFile =
  | Parsed<"concept", Concept>
  | Parsed<"vocabulary", Vocabulary>
  | Parsed<"sources", Sources>
  | Parsed<"terminology", Terminology>;

interface Parsed<Kind extends string, T> {
  readonly kind: Kind;
  /** Path below the vocabulary folder, with `/`. */
  readonly file: string;
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
  /** Places of values, found anew from the text when first asked. */
  readonly places: Places;
}

export function kindOfFile(file: string): ParsedFile["kind"] {
  if (/^vocabulary\.ya?ml$/.test(file)) return "vocabulary";
  if (/^sources\.ya?ml$/.test(file)) return "sources";
  if (/^terminology\.ya?ml$/.test(file)) return "terminology";
  return "concept";
}

/** Never throws: a broken file is an ordinary input, answered with problems that have places. */
export function parseFile(file: string, text: string): ParsedFile {
  const kind = kindOfFile(file);
  const yaml = readYaml(file, text);
  const places = lazyPlaces(file, text);
  if (yaml.kind === "broken") return { kind, file, value: undefined, problems: yaml.problems, places };
  const result = fileSchemas[kind].safeParse(yaml.value);
  if (result.success) return { kind, file, value: result.data, problems: [], places } as ParsedFile;
  const problems = result.error.issues.flatMap((issue) => problemsOf(file, yaml.places, issue, kind));
  const value = fileSchemas[kind].safeParse(withoutUnknownKeys(yaml.value, result.error.issues)).data;
  return { kind, file, value, problems, places } as ParsedFile;
}

/** Keeps the text, not the parse: places are asked for rarely, and parses are large. */
export function lazyPlaces(file: string, text: string): Places {
  let places: Places | undefined;
  const get = (): Places => {
    if (places) return places;
    const yaml = readYaml(file, text);
    places = yaml.kind === "read" ? yaml.places : { value: () => fileStart, key: () => fileStart };
    return places;
  };
  return { value: (path) => get().value(path), key: (path) => get().key(path) };
}

type Issue = z.core.$ZodIssue;

function problemsOf(file: string, places: Places, issue: Issue, kind: FileKind): Problem[] {
  const path = issue.path as Path;
  const problem = (code: string, range: Range, message: string, fix?: string): Problem => ({
    code,
    severity: "error",
    file,
    range,
    message,
    ...(fix === undefined ? {} : { fix }),
  });
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(kind, path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const where = path.length ? ` in \`${path.join(".")}\`` : "";
      const help = near ? `Did you mean \`${near}\`?` : `Known here: ${known.join(", ")}.`;
      return problem(
        "field.unknown",
        places.key([...path, key]),
        `There is no field \`${key}\`${where}. ${help}`,
        near,
      );
    });
  }
  const name = path.length ? `\`${path.join(".")}\`` : "the file";
  const missing = issue.code === "invalid_type" && issue.input === undefined && path.length > 0;
  if (missing && isAbsent(issue)) {
    return [
      problem(
        "field.missing",
        places.key(path.slice(0, -1)),
        `The field ${name} is missing. Add it: ${expected(issue)}.`,
      ),
    ];
  }
  return [problem("field.invalid", places.value(path), `${name} is not valid: ${expected(issue)}.`)];
}

/** An unknown field is a problem, but no reason to lose the concept. */
function withoutUnknownKeys(value: unknown, issues: readonly Issue[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    let at = copy as Record<PropertyKey, unknown>;
    for (const step of issue.path) at = at[step] as Record<PropertyKey, unknown>;
    for (const key of issue.keys) delete at[key];
  }
  return copy;
}

function isAbsent(issue: Issue): boolean {
  return issue.message.includes("received undefined");
}

function expected(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `it takes ${issue.expected === "string" ? "text" : issue.expected === "array" ? "a list" : `a ${issue.expected}`}`;
    case "invalid_value":
      return `it takes ${issue.values.map((it) => `\`${String(it)}\``).join(", ")}`;
    case "too_small":
      return "it may not be empty";
    default:
      return issue.message;
  }
}

/** The field names a schema knows at `path`; empty where the shape is free. */
function knownKeys(kind: FileKind, path: Path): readonly string[] {
  let schema: unknown = fileSchemas[kind];
  for (const step of path)
    schema =
      typeof step === "number" ? unwrap(schema)?.element : (unwrap(schema)?.shape?.[step] ?? unwrap(schema)?.valueType);
  return Object.keys(unwrap(schema)?.shape ?? {});
}

interface Unwrapped {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly def?: { readonly innerType?: unknown };
}

function unwrap(schema: unknown): Unwrapped | undefined {
  let it = schema as Unwrapped | undefined;
  while (it?.def?.innerType) it = it.def.innerType as Unwrapped;
  return it;
}
