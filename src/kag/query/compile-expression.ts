import { assertNever } from "../../base/assert-never.ts";
import type { Expression } from "../dsl/ast.ts";
import { DslProblem } from "../dsl/dsl-problem.ts";
import { aggregateNames, findFunction, functionNames } from "./functions.ts";
import { type Meter, madeText } from "./meter.ts";
import { nearestHint } from "./nearest-hint.ts";
import { arithmetic, compare, logic } from "./operators.ts";
import type { QueryGraph } from "./query-graph.ts";
import { propertyOf, type Row, type Value } from "./value.ts";

export type SlotKind = "node" | "edge" | "edges" | "path";

/** What an expression may speak of. */
export interface Scope {
  readonly graph: QueryGraph;
  readonly params: ReadonlyMap<string, Value>;
  readonly slots: ReadonlyMap<string, { readonly slot: number; readonly kind: SlotKind }>;
  readonly meter: Meter;
}

export interface Compiled {
  /** The slots it reads; none when its value is the same for every row. */
  readonly reads: ReadonlySet<number>;
  readonly evaluate: (row: Row) => Value;
}

/** Throws `DslProblem` for names, properties, parameters and functions that do not exist. */
export function compileExpression(expression: Expression, scope: Scope): Compiled {
  const reads = new Set<number>();
  return { reads, evaluate: compile(expression, scope, reads) };
}

type Evaluate = (row: Row) => Value;

function compile(expression: Expression, scope: Scope, reads: Set<number>): Evaluate {
  const inner = (it: Expression): Evaluate => compile(it, scope, reads);
  switch (expression.kind) {
    case "literal": {
      const { value } = expression;
      return () => value;
    }
    case "parameter": {
      const value = parameter(expression.name, expression.at, scope);
      return () => value;
    }
    case "alias": {
      const { slot } = aliasSlot(expression.name, expression.at, scope);
      reads.add(slot);
      return (row) => row[slot] ?? null;
    }
    case "property":
      return compileProperty(expression, scope, inner);
    case "list": {
      const items = expression.items.map(inner);
      return (row) => items.map((it) => it(row));
    }
    case "call":
      return compileCall(expression, inner, scope.meter);
    case "not": {
      const of = inner(expression.of);
      return (row) => {
        const value = of(row);
        return typeof value === "boolean" ? !value : null;
      };
    }
    case "negate": {
      const of = inner(expression.of);
      return (row) => {
        const value = of(row);
        return typeof value === "number" ? -value : null;
      };
    }
    case "is": {
      const { value, negated } = expression;
      const of = inner(expression.of);
      return (row) => (of(row) === value) !== negated;
    }
    case "logic":
      return logic(expression.operator, inner(expression.left), inner(expression.right));
    case "compare":
      return compare(expression, inner(expression.left), inner(expression.right), scope.meter);
    case "arithmetic":
      return arithmetic(expression, inner(expression.left), inner(expression.right));
    default:
      return assertNever(expression);
  }
}

function parameter(name: string, at: number, { params }: Scope): Value {
  const value = params.get(name);
  if (value !== undefined) return value;
  const given = [...params.keys()].map((it) => `$${it}`).join(", ") || "none";
  throw new DslProblem(at, `No value was given for $${name}.`, `pass it in params; given: ${given}`);
}

function aliasSlot(name: string, at: number, { slots }: Scope) {
  const found = slots.get(name);
  if (found) return found;
  throw new DslProblem(at, `MATCH names no '${name}'.`, nearestHint(name, slots.keys(), "it names"));
}

type PropertyExpression = Extract<Expression, { readonly kind: "property" }>;

function compileProperty(expression: PropertyExpression, scope: Scope, inner: (it: Expression) => Evaluate): Evaluate {
  const { of, name, at } = expression;
  if (of.kind === "alias") checkProperty(aliasSlot(of.name, of.at, scope).kind, name, at, scope.graph);
  const value = inner(of);
  return (row) => propertyOf(value(row), name);
}

function checkProperty(kind: SlotKind, name: string, at: number, graph: QueryGraph): void {
  const known = kind === "node" ? graph.nodeProperties : kind === "path" ? undefined : graph.edgeProperties;
  if (known?.has(name)) return;
  const what = kind === "node" ? "concept" : kind === "path" ? "path" : "relation";
  throw new DslProblem(at, `A ${what} has no property '${name}'.`, known && nearestHint(name, known, "it has"));
}

type CallExpression = Extract<Expression, { readonly kind: "call" }>;

function compileCall({ name, args, at }: CallExpression, inner: (it: Expression) => Evaluate, meter: Meter): Evaluate {
  const found = findFunction(name);
  if (!found) {
    const hint = aggregateNames.has(name.toLowerCase())
      ? "there are no totals over rows; row_count holds how many rows there are"
      : `there are ${functionNames}`;
    throw new DslProblem(at, `There is no function '${name}'.`, hint);
  }
  const [least, most] = found.takes;
  if (args.length < least || args.length > most) {
    const takes = least === most ? `${least}` : `${least} to ${most}`;
    throw new DslProblem(at, `${name} takes ${takes} ${most === 1 ? "argument" : "arguments"}, not ${args.length}.`);
  }
  const values = args.map(inner);
  return (row) => {
    const given = values.map((it) => it(row));
    meter.read(given, at);
    return !found.nullable && given.includes(null) ? null : madeText(found.call(given), at);
  };
}
