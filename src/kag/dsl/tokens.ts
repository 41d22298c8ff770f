import { DslProblem } from "./dsl-problem.ts";

export type TokenKind = "word" | "quoted" | "string" | "number" | "parameter" | "mark" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The word, the text between the quotes with escapes read, the number as written, the mark, or `""` at the end. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Comments and white space are dropped. Arrows come as single marks, since `<-` may also be a comparison. */
export function tokenize(query: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const token = readToken(query, at);
    if (token.kind !== "blank") tokens.push({ ...token, kind: token.kind });
    at = token.end;
  }
  tokens.push({ kind: "end", text: "", at: query.length, end: query.length });
  return tokens;
}

type Read = Omit<Token, "kind"> & { readonly kind: TokenKind | "blank" };

const blank = /[\s\u180e]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//y;
const word = /[\p{ID_Start}\p{Pc}][\p{ID_Continue}\p{Sc}]*/uy;
const quoted = /(?:`[^`]*`)+/y;
const text = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y;
const number = /0[xX][\da-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE]-?\d+)?/y;
const mark = /&&|\|\||==|!=|<>|<=|>=|[()[\]{}:,.|/+*%<>=!?$&;-]/y;

function readToken(query: string, at: number): Read {
  const found = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(query)?.[0];
  };
  const make = (kind: Read["kind"], raw: string, value = raw): Read => ({
    kind,
    text: value,
    at,
    end: at + raw.length,
  });

  const space = found(blank);
  if (space) return make("blank", space);
  const name = found(word);
  if (name) return make("word", name);
  const back = found(quoted);
  if (back) return make("quoted", back, back.slice(1, -1).replaceAll("``", "`"));
  const string = found(text);
  if (string) return make("string", string, readEscapes(string.slice(1, -1), at + 1));
  const digits = found(number);
  if (digits) return make("number", digits);
  if (query[at] === "$") return readParameter(query, at);
  const sign = found(mark);
  if (sign) return make("mark", sign);
  throw unreadable(query, at);
}

function readParameter(query: string, at: number): Read {
  word.lastIndex = at + 1;
  const name = word.exec(query)?.[0];
  if (!name) throw new DslProblem(at, "A name must follow '$'.", "write $ids and pass the value in params");
  return { kind: "parameter", text: name, at, end: at + 1 + name.length };
}

function unreadable(query: string, at: number): DslProblem {
  const shown = String.fromCodePoint(query.codePointAt(at) ?? 0);
  if (shown === '"' || shown === "'") return new DslProblem(at, `The text that opens with ${shown} never closes.`);
  if (shown === "`") return new DslProblem(at, "The name that opens with a back-quote never closes.");
  return new DslProblem(at, `'${shown}' has no meaning here.`, "put names with other characters in back-quotes");
}

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function readEscapes(raw: string, at: number): string {
  return raw.replace(
    /\\(?:U([\da-fA-F]{8})|u([\da-fA-F]{4})|([\s\S]))/g,
    (whole, long, short, one: string, from: number) => {
      if (long === undefined && short === undefined) return escapes[one.toLowerCase()] ?? one;
      const point = Number.parseInt(long ?? short, 16);
      if (point > 0x10ffff) throw new DslProblem(at + from, `'${whole}' is no character.`);
      return String.fromCodePoint(point);
    },
  );
}
