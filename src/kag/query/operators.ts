import type { ArithmeticOperator, Expression, LogicOperator } from "../dsl/ast.ts";
import { DslProblem } from "../dsl/dsl-problem.ts";
import { rememberingCompiler } from "./functions.ts";
import { type Meter, madeText } from "./meter.ts";
import { isList, type Row, sameValue, textOf, type Value } from "./value.ts";

type Evaluate = (row: Row) => Value;
type Comparison = Extract<Expression, { readonly kind: "compare" }>;

/** Three-valued: what is no truth value counts as null. */
export function logic(operator: LogicOperator, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === "xor") {
    return (row) => {
      const [one, other] = [truth(left(row)), truth(right(row))];
      return one === null || other === null ? null : one !== other;
    };
  }
  const decides = operator === "or";
  return (row) => {
    const one = truth(left(row));
    if (one === decides) return decides;
    const other = truth(right(row));
    if (other === decides) return decides;
    return one === null || other === null ? null : !decides;
  };
}

/** A comparison with null is null. */
export function compare(
  { operator, right: written, at }: Comparison,
  left: Evaluate,
  right: Evaluate,
  meter: Meter,
): Evaluate {
  const constant = operator === "in" && isConstant(written) ? right([]) : null;
  if (isList(constant)) return memberOf(constant, left);
  const decide = operator === "rlike" ? matching(written) : comparisons[operator];
  return (row) => {
    const one = left(row);
    const other = right(row);
    if (one === null || other === null) return null;
    meter.read([one, other], at);
    return decide(one, other);
  };
}

/** Membership in a list that is the same for every row takes the same time however long the list is. */
function memberOf(list: readonly Value[], left: Evaluate): Evaluate {
  const plain = new Set(list);
  const elements = list.filter((it) => typeof it === "object");
  return (row) => {
    const value = left(row);
    if (value === null) return null;
    return plain.has(value) || elements.some((it) => sameValue(value, it));
  };
}

function isConstant(written: Expression): boolean {
  return (
    written.kind === "parameter" ||
    written.kind === "literal" ||
    (written.kind === "list" && written.items.every(isConstant))
  );
}

export function arithmetic(
  { operator, at }: Extract<Expression, { readonly kind: "arithmetic" }>,
  left: Evaluate,
  right: Evaluate,
): Evaluate {
  return (row) => {
    const one = left(row);
    const other = right(row);
    if (operator === "+" && (typeof one === "string" || typeof other === "string")) {
      const [before, after] = [textOf(one), textOf(other)];
      return before === null || after === null ? null : madeText(before + after, at);
    }
    if (typeof one !== "number" || typeof other !== "number") return null;
    const result = calculate(operator, one, other);
    return Number.isFinite(result) ? result : null;
  };
}

function truth(value: Value): boolean | null {
  return typeof value === "boolean" ? value : null;
}

type Decide = (left: Value, right: Value) => boolean | null;

const comparisons: Readonly<Record<Exclude<Comparison["operator"], "rlike">, Decide>> = {
  "=": sameValue,
  "!=": (left, right) => !sameValue(left, right),
  "<": (left, right) => ordered(left, right, (it) => it < 0),
  "<=": (left, right) => ordered(left, right, (it) => it <= 0),
  ">": (left, right) => ordered(left, right, (it) => it > 0),
  ">=": (left, right) => ordered(left, right, (it) => it >= 0),
  /** One value counts as a list of itself. */
  in: (left, right) => (isList(right) ? right.some((it) => sameValue(left, it)) : sameValue(left, right)),
  like: (left, right) => like(textOf(left), textOf(right)),
};

/** Numbers with numbers, text with text (by code unit); anything else has no order. */
function ordered(left: Value, right: Value, holds: (difference: number) => boolean): boolean | null {
  if (typeof left === "number" && typeof right === "number") return holds(left - right);
  if (typeof left !== "string" || typeof right !== "string") return null;
  return holds(left < right ? -1 : left > right ? 1 : 0);
}

/** `%` stands for any run of characters, everything else for itself. */
function like(text: string | null, pattern: string | null): boolean | null {
  if (text === null || pattern === null) return null;
  const parts = pattern.split("%");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, from);
    if (found < 0 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}

function matching(written: Expression): Decide {
  const compile = rememberingCompiler();
  if (written.kind === "literal" && typeof written.value === "string" && !compile(written.value)) {
    const hint = "patterns are RE2's: no look-around, no back-references, at most 1000 characters";
    throw new DslProblem(written.at, "The pattern cannot be read.", hint);
  }
  return (left, right) => {
    const text = textOf(left);
    if (text === null || typeof right !== "string") return null;
    const find = compile(right);
    return find ? find(text) !== null : null;
  };
}

function calculate(operator: ArithmeticOperator, left: number, right: number): number {
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  return operator === "/" ? left / right : left % right;
}
