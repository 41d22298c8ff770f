import { DslProblem } from "./dsl-problem.ts";
import { unexpectedHint } from "./hints.ts";
import type { Token } from "./tokens.ts";

const maxOperators = 1_000;
const maxElements = 100;

/** Where the parser stands in its tokens. */
export class TokenCursor {
  readonly query: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  #operators = 0;
  #elements = 0;

  constructor(query: string, tokens: readonly Token[]) {
    this.query = query;
    this.#tokens = tokens;
  }

  /** The token `ahead` of the next one; the end token stands after the last. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)] as Token;
  }

  take(): Token {
    const token = this.peek();
    this.#next++;
    return token;
  }

  isMark(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "mark" && token.text === text;
  }

  /** Keywords are read in any case. */
  isWord(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "word" && token.text.toLowerCase() === text;
  }

  takeMark(text: string): Token | undefined {
    return this.isMark(text) ? this.take() : undefined;
  }

  takeWord(text: string): Token | undefined {
    return this.isWord(text) ? this.take() : undefined;
  }

  expectMark(text: string, where: string): Token {
    return this.takeMark(text) ?? this.fail(`'${text}' ${where}`);
  }

  /** A name as it was written: a word that is no keyword, or anything in back-quotes. */
  takeName(): Token | undefined {
    const token = this.peek();
    if (token.kind === "quoted") return this.take();
    return token.kind === "word" && !keywords.has(token.text.toLowerCase()) ? this.take() : undefined;
  }

  /** Where the token before the next one ends. */
  get lastEnd(): number {
    return this.#tokens[this.#next - 1]?.end ?? 0;
  }

  fail(expected: string): never {
    const { kind, text, at } = this.peek();
    const found = kind === "end" ? "the query ends" : `'${text}' stands there`;
    throw new DslProblem(at, `Expected ${expected}, but ${found}.`, unexpectedHint(kind === "word" ? text : ""));
  }

  /** Counts an operator; so many make an expression that no stack holds, and are always better said with a list. */
  countOperator(): void {
    if (++this.#operators <= maxOperators) return;
    const message = `The query has more than ${maxOperators} operators.`;
    throw new DslProblem(this.peek().at, message, "write n.id in $ids and pass the list in params");
  }

  /** Counts a node or an edge of the pattern: planning takes more than linear time in them. */
  countElement(): void {
    if (++this.#elements <= maxElements) return;
    const message = `The pattern has more than ${maxElements} nodes and edges.`;
    throw new DslProblem(this.peek().at, message, "ask in several queries, or repeat an edge with -[p]->{1,3}");
  }

  /** Keeps nested expressions within what the stack holds. */
  nested<T>(parse: () => T): T {
    if (++this.#depth > 200) throw new DslProblem(this.peek().at, "The expression is nested more than 200 deep.");
    const parsed = parse();
    this.#depth--;
    return parsed;
  }
}

const keywords: ReadonlySet<string> = new Set(
  "match where return and or xor not in like rlike is true false null as optional per_node_limit".split(" "),
);
