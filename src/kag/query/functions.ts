import { RE2JS } from "re2js";
import { isEdge, isList, isNode, sameValue, textOf, type Value } from "./value.ts";

export interface QueryFunction {
  /** Fewest and most arguments. */
  readonly takes: readonly [least: number, most: number];
  /** A null argument gives null unless the function says otherwise. */
  readonly nullable?: true;
  call(args: readonly Value[]): Value;
}

/** Found in any case, with or without underscores: `str_contains`, `StrContains`. */
export function findFunction(name: string): QueryFunction | undefined {
  const key = name.toLowerCase().replaceAll("_", "");
  return key === "regexmatch" ? regexMatch() : functions.get(key);
}

/** As listed in the documentation and in hints. */
export const functionNames =
  "abs, cast_type, ceil, concat, contains_any, exist, floor, id, in_str, is_blank, label, lower, regex_match, split_part, str_contains, str_length, sub_str, trim, upper";

/** Totals over rows: they exist for rules, not for RETURN. */
export const aggregateNames: ReadonlySet<string> = new Set("count sum avg min max collect concatagg".split(" "));

/** A pattern that runs in time linear in the text, whatever it is; `undefined` when it cannot be read. */
export function compilePattern(pattern: string): ((text: string) => string | null) | undefined {
  if (pattern.length > 1_000) return undefined;
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => {
      const matcher = compiled.matcher(text);
      return matcher.find() ? matcher.group() : null;
    };
  } catch {
    return undefined;
  }
}

/** `compilePattern`, compiling only when the pattern differs from the one before. */
export function rememberingCompiler(): typeof compilePattern {
  let last: { readonly pattern: string; readonly compiled: ReturnType<typeof compilePattern> } | undefined;
  return (pattern) => {
    if (last?.pattern !== pattern) last = { pattern, compiled: compilePattern(pattern) };
    return last.compiled;
  };
}

const text1 = (call: (text: string) => Value): QueryFunction => ({
  takes: [1, 1],
  call: ([value = null]) => {
    const text = textOf(value);
    return text === null ? null : call(text);
  },
});

const number1 = (call: (value: number) => number): QueryFunction => ({
  takes: [1, 1],
  call: ([value]) => (typeof value === "number" ? call(value) : null),
});

const ceil = number1(Math.ceil);
const length: QueryFunction = {
  takes: [1, 1],
  call: ([value = null]) => (isList(value) ? value.length : (textOf(value)?.length ?? null)),
};
const contains: QueryFunction = {
  takes: [2, 2],
  call: ([whole = null, part = null]) => {
    if (isList(whole)) return whole.some((it) => sameValue(it, part));
    const [text, sought] = [textOf(whole), textOf(part)];
    return text === null || sought === null ? null : text.includes(sought);
  },
};
/** Positions start at 1. */
const slice: QueryFunction = {
  takes: [2, 3],
  call: ([value = null, from, count]) => {
    const text = textOf(value);
    if (text === null || typeof from !== "number" || (count !== undefined && typeof count !== "number")) return null;
    return text.slice(Math.max(0, from - 1), count === undefined ? undefined : Math.max(0, from - 1 + count));
  },
};
/** Where the part begins, counted from 1; 0 when it is not there. */
const position: QueryFunction = {
  takes: [2, 2],
  call: ([value = null, part = null]) => {
    const [text, sought] = [textOf(value), textOf(part)];
    return text === null || sought === null ? null : text.indexOf(sought) + 1;
  },
};
const cast: QueryFunction = {
  takes: [2, 2],
  call: ([value = null, type]) => {
    const text = textOf(value);
    if (text === null || typeof type !== "string") return null;
    if (/^(string|varchar)$/i.test(type)) return text;
    if (!/^(int|integer|bigint|long|float|double)$/i.test(type) || text.trim() === "") return null;
    const number = Number(text);
    if (!Number.isFinite(number)) return null;
    return /^(float|double)$/i.test(type) ? number : Math.trunc(number);
  },
};

const functions: ReadonlyMap<string, QueryFunction> = new Map<string, QueryFunction>([
  ["abs", number1(Math.abs)],
  ["floor", number1(Math.floor)],
  ["ceil", ceil],
  ["ceiling", ceil],
  ["lower", text1((it) => it.toLowerCase())],
  ["upper", text1((it) => it.toUpperCase())],
  ["trim", text1((it) => it.trim())],
  ["strlength", length],
  ["length", length],
  ["size", length],
  ["strcontains", contains],
  ["contains", contains],
  ["substr", slice],
  ["instr", position],
  ["casttype", cast],
  ["cast", cast],
  ["exist", { takes: [1, 1], nullable: true, call: ([value = null]) => value !== null }],
  [
    "isblank",
    { takes: [1, 1], nullable: true, call: ([value = null]) => value === null || textOf(value)?.trim() === "" },
  ],
  ["concat", { takes: [1, 16], nullable: true, call: (args) => args.map((it) => textOf(it) ?? "null").join("") }],
  ["containsany", { takes: [2, 2], call: ([value, parts]) => containsAny(value ?? null, parts ?? null) }],
  ["splitpart", { takes: [3, 3], call: ([value = null, by, part]) => splitPart(textOf(value), by, part) }],
  ["id", { takes: [1, 1], call: ([value = null]) => (isNode(value) ? value.id : null) }],
  [
    "label",
    { takes: [1, 1], call: ([value = null]) => (isNode(value) ? value.type : isEdge(value) ? value.label : null) },
  ],
  [
    "type",
    { takes: [1, 1], call: ([value = null]) => (isNode(value) ? value.type : isEdge(value) ? value.label : null) },
  ],
]);

function containsAny(value: Value, parts: Value): Value {
  const sought = isList(parts) ? parts : [parts];
  if (isList(value)) return value.some((it) => sought.some((part) => sameValue(it, part)));
  const text = textOf(value);
  return text === null ? null : sought.some((part) => text.includes(textOf(part) ?? "\u0000"));
}

function splitPart(text: string | null, by: Value | undefined, part: Value | undefined): Value {
  if (text === null || typeof by !== "string" || typeof part !== "number" || by === "") return null;
  return text.split(by)[part - 1] ?? null;
}

/** Remembers the last pattern, which is nearly always the same for every row. */
function regexMatch(): QueryFunction {
  const compile = rememberingCompiler();
  return {
    takes: [2, 2],
    call: ([value = null, pattern]) => {
      const text = textOf(value);
      return text === null || typeof pattern !== "string" ? null : (compile(pattern)?.(text) ?? null);
    },
  };
}
