import { isDeepStrictEqual } from "node:util";
import { type Document, isScalar, parseAllDocuments, type Scalar, visit } from "yaml";
import { type Change, changed } from "../protocol/change.ts";
import type { YamlField } from "./yaml-fields.ts";

/**
 * Changes that give fields of a YAML text new values, each written as its value was written before where that reads
 * back as the same text, else in double quotes. The edited text is parsed again: `undefined` where anything else in it
 * would change, or where the text does not parse to begin with.
 */
export function replaceValues(
  text: string,
  fields: readonly YamlField[],
  value: string,
): readonly Change[] | undefined {
  if (fields.length === 0) return [];
  const expected = valuesWith(text, new Set(fields.map(sourceStart)), value);
  if (expected === undefined) return undefined;
  const changes = fields.map((field) => {
    const alone = valuesWith(text, new Set([sourceStart(field)]), value);
    return formsOf(field, value).find((it) => isDeepStrictEqual(valuesOf(changed(text, [it])), alone));
  });
  if (!changes.every((it) => it !== undefined)) return undefined;
  return isDeepStrictEqual(valuesOf(changed(text, changes)), expected) ? changes : undefined;
}

/** The values of a text's YAML documents; `undefined` where one does not parse. */
export function valuesOf(text: string): readonly unknown[] | undefined {
  return plain(parsed(text));
}

const sourceStart = (field: YamlField): number => field.valueStart - field.quote.length;

/** The ways to write a value at a field, the present one first. */
function formsOf({ valueStart, valueEnd, quote }: YamlField, value: string): readonly Change[] {
  const start = valueStart - quote.length;
  const end = valueEnd + quote.length;
  const double = JSON.stringify(value);
  const single = `'${value.replaceAll("'", "''")}'`;
  const own = quote === '"' ? double : quote === "'" ? single : value;
  return [own, double].map((newText) => ({ start, end, newText }));
}

/** The values that a text would have with another value at the scalars that start at some offsets. */
function valuesWith(text: string, starts: ReadonlySet<number>, value: string): readonly unknown[] | undefined {
  const documents = parsed(text);
  for (const document of documents ?? []) {
    visit(document, {
      Scalar(_key, node: Scalar) {
        if (isScalar(node) && node.range && starts.has(node.range[0])) node.value = value;
      },
    });
  }
  return plain(documents);
}

function parsed(text: string): readonly Document[] | undefined {
  try {
    const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: "silent" });
    return Array.isArray(documents) && documents.every((it) => it.errors.length === 0) ? documents : undefined;
  } catch {
    return undefined;
  }
}

function plain(documents: readonly Document[] | undefined): readonly unknown[] | undefined {
  try {
    return documents?.map((it): unknown => it.toJS({ maxAliasCount: 20 }));
  } catch {
    return undefined;
  }
}
