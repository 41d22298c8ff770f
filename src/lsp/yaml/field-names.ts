import { isMap, isPair, isScalar, type Pair, parseAllDocuments, visit } from "yaml";
import { type FileKind, jsonSchemaOf } from "../../core/concept/parse-file.ts";
import { longestFile } from "../../core/concept/yaml-document.ts";
import type { CallerView } from "../../core/snapshot/view.ts";

/** A place where the name of a field may be written. */
export interface FieldPlace {
  /** Where the name begins, and where it ends behind the caret. */
  readonly start: number;
  readonly end: number;
  /** Keys from the top of the file down to the mapping, list places left out. */
  readonly path: readonly string[];
  /** The names that the mapping has already. */
  readonly present: ReadonlySet<string>;
}

export interface FieldName {
  readonly name: string;
  readonly required: boolean;
}

const mark = "iaip-caret";

/** Whether a field's name belongs at an offset: the text is read with one written there. */
export function fieldPlaceAt(text: string, offset: number): FieldPlace | undefined {
  if (text.length > longestFile) return undefined;
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const lineEnd = text.indexOf("\n", offset);
  const after = text.slice(offset, lineEnd < 0 ? text.length : lineEnd);
  const typed = /^[\s-]*?(?:- +)*([\w-]*)$/.exec(before)?.[1] ?? /[{,]\s*([\w-]*)$/.exec(before)?.[1];
  const rest = /^([\w-]*)\s*(?:[,}#].*)?$/.exec(after)?.[1];
  if (typed === undefined || rest === undefined) return undefined;
  const [start, end] = [offset - typed.length, offset + rest.length];
  const found = mappingWith(`${text.slice(0, start)}${mark}: 0${text.slice(end)}`);
  return found && { start, end, ...found };
}

function mappingWith(text: string): Pick<FieldPlace, "path" | "present"> | undefined {
  try {
    for (const document of parseAllDocuments(text, { prettyErrors: false, logLevel: "silent", uniqueKeys: false })) {
      let found: Pick<FieldPlace, "path" | "present"> | undefined;
      visit(document, {
        Pair(_key, pair, ancestors) {
          if (nameOf(pair) !== mark) return undefined;
          const mapping = ancestors.at(-1);
          const names = isMap(mapping) ? mapping.items.map(nameOf).filter((it) => it !== mark) : [];
          found = { path: ancestors.filter((it) => isPair(it)).map(nameOf), present: new Set(names) };
          return visit.BREAK;
        },
      });
      if (found !== undefined) return found;
    }
  } catch {
    // Nested too deep to be a concept file.
  }
  return undefined;
}

const nameOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : "");

/** The fields that a mapping of a vocabulary file takes, the required ones first. */
export function fieldNames(view: CallerView, kind: FileKind, path: readonly string[]): readonly FieldName[] {
  let schema: Schema | undefined = view.once(schemas)[kind];
  for (const step of path) {
    const inner: Schema | undefined = schema?.properties?.[step] ?? asSchema(schema?.additionalProperties);
    schema = asSchema(inner?.items) ?? inner;
  }
  const required = new Set(schema?.required ?? schema?.anyOf?.[0]?.required ?? []);
  const names = Object.keys(schema?.properties ?? {}).map((name) => ({ name, required: required.has(name) }));
  return [...names.filter((it) => it.required), ...names.filter((it) => !it.required)];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

const asSchema = (value: unknown): Schema | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;

function schemas(): Readonly<Record<FileKind, Schema>> {
  return {
    concept: jsonSchemaOf("concept"),
    vocabulary: jsonSchemaOf("vocabulary"),
    sources: jsonSchemaOf("sources"),
    terminology: jsonSchemaOf("terminology"),
  };
}
