import { isMap, isScalar, isSeq, type Node, type Pair, parseAllDocuments, type Scalar } from "yaml";
import { longestFile } from "../../core/concept/yaml-document.ts";

/** One `key: value` of a YAML file, or one scalar of a list, whose key is then `-`. */
export interface YamlField {
  /** Keys from the top of the file down to this one, list places left out: `["relations", "to"]`, `["aliases", "-"]`. */
  readonly path: readonly string[];
  /** A scalar's value; empty for collections, block scalars and what is missing. */
  readonly value: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** Where the value stands, or where it may be written; without its quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The quotes around the value, if any. */
  readonly quote: "" | "'" | '"';
  /** Where the field ends. */
  readonly end: number;
}

/** The fields of a file, every YAML document of it, in reading order. A file with faults has the fields that can be read. */
export function yamlFields(text: string): readonly YamlField[] {
  if (text.length > longestFile) return [];
  const fields: YamlField[] = [];
  for (const document of parseDocuments(text)) collect(text, document, [], fields);
  return fields.sort((a, b) => a.keyStart - b.keyStart);
}

/** The field at an offset: the innermost whose value holds it, else the one on whose line it stands. */
export function fieldAt(text: string, offset: number): YamlField | undefined {
  const fields = yamlFields(text);
  const inside = fields.filter((it) => isInValue(it, offset) || (offset >= it.keyStart && offset <= it.keyEnd)).at(-1);
  if (inside !== undefined) return inside;
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return fields.filter((it) => it.keyStart >= lineStart && it.keyStart <= offset).at(-1);
}

/** Whether an offset stands in the field's value, its end included. */
export function isInValue(field: YamlField, offset: number): boolean {
  return offset >= field.valueStart && offset <= field.valueEnd;
}

function parseDocuments(text: string): readonly (Node | null)[] {
  try {
    const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: "silent", uniqueKeys: false });
    return Array.isArray(documents) ? documents.map((it) => it.contents) : [];
  } catch {
    return [];
  }
}

function collect(text: string, node: Node | null | undefined, path: readonly string[], fields: YamlField[]): void {
  if (isMap(node)) {
    for (const pair of node.items) addPair(text, pair, path, fields);
  } else if (isSeq(node)) {
    for (const item of node.items) {
      if (isScalar(item) && item.range) fields.push(itemField(item, item.range, path));
      else collect(text, isMap(item) || isSeq(item) ? item : undefined, path, fields);
    }
  }
}

function addPair(text: string, pair: Pair, above: readonly string[], fields: YamlField[]): void {
  const { key } = pair;
  if (!isScalar(key) || !key.range) return;
  const path = [...above, String(key.value)];
  const keySpan = { keyStart: key.range[0], keyEnd: key.range[1] };
  const value = isMap(pair.value) || isSeq(pair.value) || isScalar(pair.value) ? pair.value : undefined;
  if (isScalar(value) && value.range && value.range[1] > value.range[0]) {
    fields.push({ path, ...keySpan, ...scalarSpan(value, value.range), end: value.range[1] });
    return;
  }
  const after = afterColon(text, key.range[1]);
  const end = isScalar(value) ? after : (value?.range?.[1] ?? after);
  fields.push({ path, ...keySpan, value: "", quote: "", valueStart: after, valueEnd: after, end });
  collect(text, value, path, fields);
}

type Extent = readonly [number, number, number];

function itemField(item: Scalar, range: Extent, above: readonly string[]): YamlField {
  const span = scalarSpan(item, range);
  return { path: [...above, "-"], keyStart: range[0], keyEnd: range[0], ...span, end: range[1] };
}

function scalarSpan(
  scalar: Scalar,
  [start, end]: Extent,
): Pick<YamlField, "value" | "quote" | "valueStart" | "valueEnd"> {
  const { type } = scalar;
  if (type === "BLOCK_FOLDED" || type === "BLOCK_LITERAL")
    return { value: "", quote: "", valueStart: start, valueEnd: end };
  const quote = type === "QUOTE_DOUBLE" ? '"' : type === "QUOTE_SINGLE" ? "'" : "";
  const inner = start + quote.length;
  return {
    value: String(scalar.value ?? ""),
    quote,
    valueStart: inner,
    valueEnd: Math.max(inner, end - quote.length),
  };
}

/** Where the value of a key without one may be written. */
function afterColon(text: string, keyEnd: number): number {
  const match = /^["']?[ \t]*:[ \t]?/.exec(text.slice(keyEnd, keyEnd + 20));
  return keyEnd + (match?.[0].length ?? 0);
}
