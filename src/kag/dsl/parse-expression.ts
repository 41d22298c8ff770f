import type { ComparisonOperator, Expression } from "./ast.ts";
import { DslProblem } from "./dsl-problem.ts";
import type { TokenCursor } from "./token-cursor.ts";

/** From the loosest to the tightest: `or` and `xor`, `and`, `not`, comparison, `+ -`, `* / %`, sign, value. */
export function parseExpression(cursor: TokenCursor): Expression {
  return cursor.nested(() => {
    let left = parseAnd(cursor);
    for (;;) {
      const at = cursor.peek().at;
      const operator = cursor.takeWord("xor")
        ? "xor"
        : cursor.takeWord("or") || cursor.takeMark("||")
          ? "or"
          : undefined;
      if (!operator) return left;
      cursor.countOperator();
      left = { kind: "logic", operator, left, right: parseAnd(cursor), at };
    }
  });
}

function parseAnd(cursor: TokenCursor): Expression {
  let left = parseNot(cursor);
  for (;;) {
    const at = cursor.peek().at;
    if (!cursor.takeWord("and") && !cursor.takeMark("&&")) return left;
    cursor.countOperator();
    left = { kind: "logic", operator: "and", left, right: parseNot(cursor), at };
  }
}

function parseNot(cursor: TokenCursor): Expression {
  const at = cursor.peek().at;
  if (!cursor.takeWord("not") && !cursor.takeMark("!")) return parseTest(cursor);
  return cursor.nested(() => ({ kind: "not", of: parseNot(cursor), at }));
}

function parseTest(cursor: TokenCursor): Expression {
  const compared = parseComparison(cursor);
  const { at } = cursor.peek();
  if (!cursor.takeWord("is")) return compared;
  const negated = cursor.takeWord("not") !== undefined;
  const value = takeTruth(cursor);
  if (value === undefined) cursor.fail("true, false or null after IS");
  return { kind: "is", of: compared, value, negated, at };
}

function parseComparison(cursor: TokenCursor): Expression {
  const left = parseSum(cursor);
  const { at } = cursor.peek();
  const negatedIn = cursor.isWord("not") && cursor.isWord("in", 1);
  if (negatedIn) cursor.take();
  const operator = takeComparison(cursor);
  if (!operator) return left;
  const right = parseSum(cursor);
  if (right.kind === "literal" && right.value === null && (operator === "=" || operator === "!=")) {
    return { kind: "is", of: left, value: null, negated: operator === "!=", at };
  }
  const compared: Expression = { kind: "compare", operator, left, right, at };
  return negatedIn ? { kind: "not", of: compared, at } : compared;
}

const comparisons: ReadonlyMap<string, ComparisonOperator> = new Map([
  ...(["=", "!=", "<", "<=", ">", ">=", "in", "like", "rlike"] as const).map((it) => [it, it] as const),
  ["==", "="] as const,
  ["<>", "!="] as const,
]);

function takeComparison(cursor: TokenCursor): ComparisonOperator | undefined {
  const { kind, text } = cursor.peek();
  if (kind !== "mark" && kind !== "word") return undefined;
  const operator = comparisons.get(text.toLowerCase());
  if (operator) cursor.take();
  return operator;
}

function parseSum(cursor: TokenCursor): Expression {
  let left = parseProduct(cursor);
  for (;;) {
    const { at } = cursor.peek();
    const operator = cursor.takeMark("+") ? "+" : cursor.takeMark("-") ? "-" : undefined;
    if (!operator) return left;
    cursor.countOperator();
    left = { kind: "arithmetic", operator, left, right: parseProduct(cursor), at };
  }
}

function parseProduct(cursor: TokenCursor): Expression {
  let left = parseSigned(cursor);
  for (;;) {
    const { at } = cursor.peek();
    const operator = cursor.takeMark("*") ? "*" : cursor.takeMark("/") ? "/" : cursor.takeMark("%") ? "%" : undefined;
    if (!operator) return left;
    cursor.countOperator();
    left = { kind: "arithmetic", operator, left, right: parseSigned(cursor), at };
  }
}

function parseSigned(cursor: TokenCursor): Expression {
  const { at } = cursor.peek();
  if (cursor.takeMark("-")) return cursor.nested(() => ({ kind: "negate", of: parseSigned(cursor), at }));
  cursor.takeMark("+");
  return parseProperties(cursor);
}

function parseProperties(cursor: TokenCursor): Expression {
  let value = parseValue(cursor);
  while (cursor.takeMark(".")) {
    cursor.countOperator();
    const { kind, text, at } = cursor.peek();
    if (kind !== "word" && kind !== "quoted") cursor.fail("a property after '.'");
    cursor.take();
    if (cursor.isMark("("))
      throw new DslProblem(at, `'.${text}(' is not accepted.`, `write ${text}(…) around the value`);
    value = { kind: "property", of: value, name: text, at };
  }
  return value;
}

function parseValue(cursor: TokenCursor): Expression {
  const { kind, text, at } = cursor.peek();
  if (kind === "string") return { kind: "literal", value: cursor.take().text, at };
  if (kind === "number") return { kind: "literal", value: Number(cursor.take().text), at };
  if (kind === "parameter") return { kind: "parameter", name: cursor.take().text, at };
  const truth = takeTruth(cursor);
  if (truth !== undefined) return { kind: "literal", value: truth, at };
  if (cursor.takeMark("[")) return { kind: "list", items: parseItems(cursor, "]"), at };
  if (cursor.takeMark("(")) {
    const inner = parseExpression(cursor);
    cursor.expectMark(")", "to close the parenthesis");
    return inner;
  }
  const name = cursor.takeName() ?? cursor.fail("a value");
  if (cursor.takeMark("(")) return { kind: "call", name: text, args: parseItems(cursor, ")"), at };
  return { kind: "alias", name: name.text, at };
}

function parseItems(cursor: TokenCursor, close: ")" | "]"): readonly Expression[] {
  const items: Expression[] = [];
  if (cursor.takeMark(close)) return items;
  do items.push(parseExpression(cursor));
  while (cursor.takeMark(","));
  cursor.expectMark(close, "to close the list");
  return items;
}

function takeTruth(cursor: TokenCursor): boolean | null | undefined {
  if (cursor.takeWord("true")) return true;
  if (cursor.takeWord("false")) return false;
  return cursor.takeWord("null") ? null : undefined;
}
