/** One `key: value` of a YAML file, found by its line, so that half-written files have fields too. */
export interface YamlField {
  /** Keys from the top of the file down to this one, list places left out: `["relations", "to"]`. */
  readonly path: readonly string[];
  /** The value as written on the key's line, without quotes and comment; empty when it stands below or is missing. */
  readonly value: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Where the lines that belong to the field end. */
  readonly end: number;
  readonly indent: number;
}

/** The fields of a file in reading order. Block scalars and flow collections are values, not looked into. Linear. */
export function yamlFields(text: string): readonly YamlField[] {
  const fields: { -readonly [K in keyof YamlField]: YamlField[K] }[] = [];
  const open: { readonly key: string; readonly indent: number; readonly at: number }[] = [];
  let blockIndent = -1;
  for (const line of linesOf(text)) {
    const indent = line.text.length - line.text.trimStart().length;
    if (line.text.trim() === "") continue;
    if (blockIndent >= 0 && indent > blockIndent) {
      extend(fields, open, line.end);
      continue;
    }
    blockIndent = -1;
    const match =
      /^([ \t]*(?:-[ \t]+)*)("[^"]*"|'[^']*'|[^\s#:'"[{-][^#:]*?|[^\s#:'"[{][^#:]*?)[ \t]*:(?=[ \t]|$)[ \t]*(.*)$/.exec(
        line.text,
      );
    if (match === null) {
      extend(fields, open, line.end);
      continue;
    }
    const column = (match[1] ?? "").length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= column) open.pop();
    const key = unquote(match[2] ?? "");
    const keyStart = line.start + column;
    const rest = match[3] ?? "";
    const value = readValue(rest);
    const valueStart = line.start + line.text.length - rest.length + value.skip;
    open.push({ key, indent: column, at: fields.length });
    if (/^[|>]/.test(rest)) blockIndent = column;
    fields.push({
      path: open.map((it) => it.key),
      value: value.text,
      keyStart,
      keyEnd: keyStart + (match[2] ?? "").length,
      valueStart,
      valueEnd: valueStart + value.written,
      end: line.end,
      indent: column,
    });
    extend(fields, open, line.end);
  }
  return fields;
}

/** The field on whose line an offset stands: its key, its value, or the blank where a value may be written. */
export function fieldAt(text: string, offset: number): YamlField | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const next = text.indexOf("\n", offset);
  const lineEnd = next < 0 ? text.length : next;
  return yamlFields(text).find((it) => it.keyStart >= lineStart && it.keyStart <= lineEnd);
}

/** Whether an offset stands in the field's value, its end included. */
export function isInValue(field: YamlField, offset: number): boolean {
  return offset >= field.valueStart && offset <= Math.max(field.valueEnd, field.valueStart);
}

function extend(fields: { end: number }[], open: readonly { readonly at: number }[], end: number): void {
  for (const { at } of open) {
    const field = fields[at];
    if (field !== undefined) field.end = end;
  }
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function* linesOf(text: string): Iterable<Line> {
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf("\n", start);
    const stop = found < 0 ? text.length : found;
    const end = text[stop - 1] === "\r" && stop > start ? stop - 1 : stop;
    yield { text: text.slice(start, end), start, end };
    start = stop + 1;
  }
}

function readValue(rest: string): { readonly text: string; readonly skip: number; readonly written: number } {
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(rest);
  if (quoted !== null) {
    const inner = quoted[1] ?? quoted[2] ?? "";
    return { text: inner, skip: 1, written: inner.length };
  }
  if (/^[|>&*!{[]/.test(rest)) return { text: "", skip: 0, written: 0 };
  const plain = rest.replace(/(?:^|\s+)#.*$/, "").trimEnd();
  return { text: plain, skip: 0, written: plain.length };
}

const unquote = (key: string): string => key.replace(/^["']|["']$/g, "");
