import type { PlainSourceLanguage } from "./format.ts";
import type { CommentSpan } from "./passage.ts";

/** One thing that begins at a mark and hides what is in it: a comment, a string. */
interface Construct {
  /** A pattern for its opening mark. */
  readonly open: string;
  readonly kind: "line" | "block" | "string";
  /** The mark that ends it, or what makes it of the opening one; a line comment ends with its line. */
  readonly close?: string | ((opening: string) => string);
  readonly nested?: boolean;
  /** A backslash takes the next unit. */
  readonly escapes?: boolean;
  readonly multiline?: boolean;
  /** A string that is a comment where it stands alone. */
  readonly doc?: boolean;
  /** Only where this fits what stands before it on its line. */
  readonly behind?: RegExp;
}

const slashes: Construct = { open: "//", kind: "line" };
const hash: Construct = { open: "#", kind: "line" };
const hashBehindBlank: Construct = { ...hash, behind: /(?:^|[\s;&|(){}])$/ };
const dashes: Construct = { open: "--", kind: "line" };
const stars: Construct = { open: "/\\*", kind: "block", close: "*/" };
const nestedStars: Construct = { ...stars, nested: true };
const double: Construct = { open: '"', kind: "string", close: '"', escapes: true };
const single: Construct = { open: "'", kind: "string", close: "'", escapes: true };
/** One character; a lifetime of Rust or a digit separator of C++ is none. */
const character: Construct = {
  ...single,
  open: "'(?=(?:\\\\[^\\n]{1,9}|[^'\\\\\\n]|[\\ud800-\\udbff][\\udc00-\\udfff])')",
};
const longString: Construct = { open: '"', kind: "string", close: '"', escapes: true, multiline: true };
const longSingle: Construct = { ...longString, open: "'", close: "'" };
const backtick: Construct = { open: "`", kind: "string", close: "`", multiline: true };
const tripleDouble: Construct = { open: '"""', kind: "string", close: '"""', escapes: true, multiline: true };
const tripleSingle: Construct = { ...tripleDouble, open: "'''", close: "'''" };
const doc: Construct = { ...tripleDouble, open: '[rRuU]{0,2}"""', doc: true };
const docSingle: Construct = { ...doc, open: "[rRuU]{0,2}'''", close: "'''" };
const heredoc: Construct = {
  open: "<<[-~]?['\"]?[A-Z_]\\w{0,40}['\"]?",
  kind: "string",
  close: (opening) => `\n${/[A-Z_]\w*/.exec(opening)?.[0] ?? ""}`,
  multiline: true,
};

/** How each language marks comments and strings. A grammar would know more and, on hostile text, never end. */
const constructs: Readonly<Record<PlainSourceLanguage, readonly Construct[]>> = {
  python: [hash, doc, docSingle, double, single],
  go: [slashes, stars, backtick, double, character],
  rust: [
    slashes,
    nestedStars,
    { open: 'r#{0,8}"', kind: "string", close: (opening) => `"${opening.slice(1, -1)}`, multiline: true },
    longString,
    character,
  ],
  java: [slashes, stars, tripleDouble, double, character],
  cpp: [
    slashes,
    stars,
    {
      open: 'R"[^()\\s\\\\]{0,16}\\(',
      kind: "string",
      close: (opening) => `)${opening.slice(2, -1)}"`,
      multiline: true,
    },
    double,
    character,
  ],
  csharp: [slashes, stars, { open: '@"', kind: "string", close: '"', multiline: true }, double, character],
  kotlin: [slashes, nestedStars, tripleDouble, double, character],
  swift: [slashes, nestedStars, tripleDouble, double],
  scala: [slashes, nestedStars, tripleDouble, double, character],
  dart: [slashes, nestedStars, tripleDouble, tripleSingle, double, single],
  php: [slashes, { ...hash, open: "#(?!\\[)" }, stars, { ...longString }, longSingle],
  ruby: [
    hashBehindBlank,
    { open: "^=begin\\b", kind: "block", close: "\n=end" },
    heredoc,
    longString,
    longSingle,
    backtick,
  ],
  shellscript: [hashBehindBlank, heredoc, longString, { ...longSingle, escapes: false }],
  powershell: [
    { open: "<#", kind: "block", close: "#>" },
    hashBehindBlank,
    longString,
    { ...longSingle, escapes: false },
  ],
  perl: [
    hashBehindBlank,
    { open: "^=(?:pod|head\\d|over|item|begin|encoding)\\b", kind: "block", close: "\n=cut" },
    double,
    single,
  ],
  r: [hash, longString, longSingle],
  julia: [{ open: "#=", kind: "block", close: "=#", nested: true }, hash, { ...tripleDouble, doc: true }, double],
  elixir: [hash, { ...tripleDouble, doc: true }, double],
  haskell: [
    { open: "\\{-", kind: "block", close: "-}", nested: true },
    { ...dashes, open: "--(?=[\\s\\w|^-])" },
    double,
  ],
  lua: [
    { open: "--\\[=*\\[", kind: "block", close: (opening) => opening.slice(2).replaceAll("[", "]") },
    dashes,
    { open: "\\[=*\\[", kind: "string", close: (opening) => opening.replaceAll("[", "]"), multiline: true },
    double,
    single,
  ],
  sql: [dashes, stars, { open: "'", kind: "string", close: "'", multiline: true }, double],
  clojure: [{ open: ";", kind: "line" }, longString],
  toml: [hash, tripleDouble, { ...tripleSingle, escapes: false }, double, { ...single, escapes: false }],
  ini: [{ open: "^[ \\t]*[;#]", kind: "line" }],
  terraform: [hash, slashes, stars, double],
  graphql: [hash, { ...tripleDouble, doc: true }, double],
  protobuf: [slashes, stars, double],
  dockerfile: [{ open: "^[ \\t]*#", kind: "line" }],
  makefile: [hashBehindBlank],
  css: [stars, double, single],
  scss: [{ ...slashes, behind: /(?:^|[\s;{}])$/ }, stars, double, single],
};

const compiled = new Map(
  Object.entries(constructs).map(([language, list]) => [
    language,
    { list, pattern: list.map((it) => `(${it.open})`).join("|") },
  ]),
);

/** The comments of a source file, and the strings that are its documentation. Linear, whatever the text. */
export function sourceComments(text: string, language: string): readonly CommentSpan[] {
  const syntax = compiled.get(language);
  if (syntax === undefined) return [];
  const pattern = new RegExp(syntax.pattern, "gm");
  const spans: CommentSpan[] = [];
  /** Marks that are known not to close any more. */
  const unclosed = new Set<string>();
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const groups = match;
    const construct = syntax.list.find((_, index) => groups[index + 1] !== undefined);
    if (construct === undefined) break;
    if (
      construct.behind !== undefined &&
      !construct.behind.test(text.slice(Math.max(0, match.index - 1), match.index) || "\n")
    ) {
      pattern.lastIndex = match.index + 1;
      continue;
    }
    const opening = match[0];
    const end = endOf(text, match.index + opening.length, opening, construct, unclosed);
    if (construct.kind !== "string" || (construct.doc === true && standsAlone(text, match.index, end)))
      spans.push({ kind: construct.kind, start: match.index, end });
    pattern.lastIndex = Math.max(end, match.index + 1);
  }
  return spans;
}

/** Distinct closing marks that may be looked for in vain. */
const maxUnclosed = 40;

function endOf(text: string, from: number, opening: string, construct: Construct, unclosed: Set<string>): number {
  const line = lineEnd(text, from);
  if (construct.kind === "line") return line;
  const close = typeof construct.close === "function" ? construct.close(opening) : (construct.close ?? "");
  if (construct.kind === "block") return blockEnd(text, from, opening, close, construct.nested === true);
  if (construct.multiline === true && (unclosed.has(close) || unclosed.size > maxUnclosed)) return from;
  const limit = construct.multiline === true ? text.length : line;
  for (let at = from; at < limit; at += 1) {
    if (construct.escapes === true && text[at] === "\\") at += 1;
    else if (text.startsWith(close, at)) return at + close.length;
  }
  if (construct.multiline === true) unclosed.add(close);
  // What never closes was no string.
  return construct.multiline === true ? from : line;
}

function blockEnd(text: string, from: number, opening: string, close: string, nested: boolean): number {
  let depth = 1;
  let at = from;
  while (depth > 0) {
    const next = text.indexOf(close, at);
    if (next < 0) return text.length;
    if (nested) depth += text.slice(at, next).split(opening).length - 1;
    depth -= 1;
    at = next + close.length;
  }
  return at;
}

/** A string that is a statement of its own: nothing but blanks on its line, and no open expression before it. */
function standsAlone(text: string, start: number, end: number): boolean {
  let at = start - 1;
  while (at >= 0 && (text[at] === " " || text[at] === "\t")) at -= 1;
  if (at >= 0 && text[at] !== "\n" && !/@(?:doc|moduledoc|typedoc)$/.test(text.slice(Math.max(0, at - 12), at + 1)))
    return false;
  while (at >= 0 && /\s/.test(text[at] ?? "")) at -= 1;
  if (at >= 0 && /[([{,=+\\%|]/.test(text[at] ?? "")) return false;
  return !/^[ \t]*[.+%,)\]}]/.test(text.slice(end, end + 80));
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : text[newline - 1] === "\r" && newline > at ? newline - 1 : newline;
}
