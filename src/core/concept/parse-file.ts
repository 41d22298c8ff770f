import { z } from "zod";
import { withArticle } from "../../base/english.ts";
import { boundaryDefaults, type Concept, conceptSchema, notPlaced } from "./concept.ts";
import { nearest } from "./nearest.ts";
import { fileStart, type Problem, type Range } from "./problem.ts";
import { type Terminology, terminologySchema } from "./rule.ts";
import { type Sources, sourcesSchema, type Vocabulary, vocabularySchema } from "./vocabulary.ts";
import { type Path, type Places, readYaml } from "./yaml-document.ts";

/** The shape of each kind of vocabulary file. */
const fileSchemas = {
  concept: conceptSchema,
  vocabulary: vocabularySchema,
  sources: sourcesSchema,
  terminology: terminologySchema,
} as const;

export type FileKind = keyof typeof fileSchemas;

/** JSON Schema, draft 7 as YAML editors read it, of one kind of vocabulary file, as people write it (defaults left out are fine). */
export function jsonSchemaOf(kind: FileKind): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(fileSchemas[kind], { io: "input", target: "draft-7", unrepresentable: "any" });
  return { title: `iaip-dsl ${kind} file`, ...(kind === "concept" ? withBoundary(schema) : schema) };
}

/** A boundary file needs a name, a place and whom to ask, and no more. */
function withBoundary({ required = [], ...schema }: z.core.JSONSchema.BaseSchema): Readonly<Record<string, unknown>> {
  const optional: readonly string[] = [...Object.keys(boundaryDefaults), "by_line"];
  return {
    ...schema,
    anyOf: [
      { required },
      {
        properties: { tier: { const: "boundary" } },
        required: ["tier", ...required.filter((it) => !optional.includes(it))],
      },
    ],
  };
}

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
  /** Set where there is no value and the text asks for reserve all the same: nobody hears of the file's problems. */
  readonly guarded?: true;
}

/** More problems of one file are left out: the first ones show what is wrong. */
const maxProblems = 100;

export function kindOfFile(file: string): ParsedFile["kind"] {
  if (/^vocabulary\.ya?ml$/i.test(file)) return "vocabulary";
  if (/^sources\.ya?ml$/i.test(file)) return "sources";
  if (/^terminology\.ya?ml$/i.test(file)) return "terminology";
  return "concept";
}

/** Never throws: a broken file is an ordinary input, answered with problems that have places. */
export function parseFile(file: string, text: string): ParsedFile {
  const kind = kindOfFile(file);
  const yaml = readYaml(file, text);
  const places = lazyPlaces(file, text);
  const guarded = kind === "concept" && asksForReserve(text) ? { guarded: true } : {};
  if (yaml.kind === "broken")
    return { kind, file, value: undefined, problems: yaml.problems, places, ...guarded } as ParsedFile;
  const given = kind === "concept" ? completed(yaml.value) : yaml.value;
  const result = fileSchemas[kind].safeParse(given);
  if (result.success) {
    const { value, problems } =
      kind === "concept" ? placed(file, yaml.places, result.data as Concept) : { value: result.data, problems: [] };
    return { kind, file, value, problems: [...yaml.problems, ...problems], places } as ParsedFile;
  }
  const found = result.error.issues
    .slice(0, maxProblems)
    .flatMap((issue) => problemsOf(file, yaml.places, issue, kind));
  const problems = [...yaml.problems, ...found.slice(0, maxProblems)];
  const value = fileSchemas[kind].safeParse(withoutUnknownKeys(given, result.error.issues)).data;
  return { kind, file, value, problems, places, ...(value === undefined ? guarded : {}) } as ParsedFile;
}

/** Whether the text of a concept file withholds its content or its existence, as far as that shows without a parse. */
function asksForReserve(text: string): boolean {
  return /\bexistence["']?\s*:\s*["']?withheld|\baccess["']?\s*:\s*["']?(?:restricted|ceremony_required)/.test(text);
}

/** A boundary file carries a name and whom to ask; the rest is the same for all of them. */
function completed(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { tier, holder } = value as { readonly tier?: unknown; readonly holder?: unknown };
  if (tier !== "boundary") return value;
  return { ...boundaryDefaults, ...(typeof holder === "string" ? { by_line: holder } : {}), ...value };
}

/** A boundary that says more than its name is cut back to it. */
function bounded(
  file: string,
  places: Places,
  concept: Concept,
): { readonly value: Concept; readonly problems: readonly Problem[] } {
  const { id, name, names, aliases, category, node_type, peoples, holder, by_line, withdrawn, existence, governance } =
    concept;
  const { protocols } = governance;
  const bare = { id, name, names, aliases, category, node_type, peoples, holder, by_line, withdrawn, existence };
  const rest = { tier: "boundary", sources: concept.sources, governance: { protocols }, ...boundaryDefaults };
  const value = conceptSchema.parse({ ...bare, ...rest });
  const written = Object.keys(value).filter(
    (it): it is keyof Concept =>
      JSON.stringify(value[it as keyof Concept]) !== JSON.stringify(concept[it as keyof Concept]),
  );
  const problems = written
    .filter((it) => !["direction", "direction_basis", "status", "family", "ocap"].includes(it))
    .map((it): Problem => {
      const message = `\`${id}\` is a boundary and carries \`${it}\`. A boundary file carries a name and whom to ask: remove the field.`;
      return { code: "boundary.elaborated", severity: "error", file, range: places.key([it]), message };
    });
  return { value, problems };
}

/** What a schema alone cannot say: who must have a definition, and where nothing is placed. */
function placed(
  file: string,
  places: Places,
  concept: Concept,
): { readonly value: Concept; readonly problems: readonly Problem[] } {
  if (concept.tier === "boundary") return bounded(file, places, concept);
  const value = concept.direction_basis === notPlaced ? { ...concept, direction: notPlaced } : concept;
  if (concept.tier !== "full" || concept.definition !== null || concept.withdrawn !== null)
    return { value, problems: [] };
  const message =
    "The field `definition` is missing. Add it: it takes text. A file that only names whom to ask is a `tier: pointer`.";
  return { value, problems: [{ code: "field.missing", severity: "error", file, range: places.key([]), message }] };
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
    return issue.keys.slice(0, maxProblems).map((key) => {
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
      return `it takes ${issue.expected === "string" ? "text" : issue.expected === "array" ? "a list" : withArticle(issue.expected)}`;
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
