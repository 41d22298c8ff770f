import type { EdgePattern, Expression, NodePattern, PathPattern, Query } from "../dsl/ast.ts";
import { DslProblem } from "../dsl/dsl-problem.ts";
import { type Compiled, compileExpression, type Scope, type SlotKind } from "./compile-expression.ts";
import { Meter } from "./meter.ts";
import type { QueryGraph } from "./query-graph.ts";
import { type NodeTest, resolveEdgeLabels, resolveNodeLabels } from "./resolve-label.ts";
import type { Value } from "./value.ts";

/** A query with every name looked up. A row has one slot for each node, edge and named path of the pattern. */
export interface ResolvedQuery {
  readonly slotCount: number;
  readonly meter: Meter;
  /** The paths that must match, as one pattern. */
  readonly required: Pattern;
  /** Each matches or leaves its own slots null, in order. */
  readonly optional: readonly Pattern[];
  readonly paths: readonly { readonly slot: number; readonly elements: readonly number[] }[];
  readonly returns: readonly Compiled[];
  readonly header: readonly string[];
  /** Conditions after MATCH: kept apart since they see what the optional paths found. */
  readonly where: readonly Condition[];
}

export interface Pattern {
  readonly nodes: ReadonlyMap<number, readonly NodeTest[]>;
  readonly steps: readonly Step[];
  readonly conditions: readonly Condition[];
}

export interface Step {
  readonly slot: number;
  readonly left: number;
  readonly right: number;
  readonly direction: EdgePattern["direction"];
  /** `undefined` for every relation. */
  readonly labels: readonly string[] | undefined;
  readonly perNodeLimit: number | undefined;
  readonly hops: EdgePattern["hops"];
  /** Conditions on each edge of a repeated edge. */
  readonly each: readonly Compiled[];
}

export interface Condition extends Compiled {
  /** For the planner: the condition says that a node's id or name is one of these. */
  readonly key?: { readonly slot: number; readonly property: "id" | "name"; readonly values: readonly Value[] };
}

export function resolveQuery(query: Query, graph: QueryGraph, params: ReadonlyMap<string, Value>): ResolvedQuery {
  const slots = new Slots();
  const placed = query.paths.map((path) => ({ path, slots: slots.place(path) }));
  const meter = new Meter();
  const scope: Scope = { graph, params, slots: slots.named, meter };
  const required = placed.filter(({ path }) => !path.optional);
  const optional = placed.filter(({ path }) => path.optional);
  return {
    slotCount: slots.count,
    meter,
    required: resolvePattern(required, scope),
    optional: optional.map((it) => resolvePattern([it], scope)),
    paths: placed.flatMap(({ slots: { path, elements } }) => (path === undefined ? [] : [{ slot: path, elements }])),
    returns: query.returns.map(({ expression }) => compileExpression(expression, scope)),
    header: query.returns.map(({ header }) => header),
    where: conditions(query.where, scope),
  };
}

interface Placed {
  readonly path: PathPattern;
  readonly slots: { readonly path: number | undefined; readonly elements: readonly number[] };
}

/** Gives each element its slot; a node's name may come again, an edge's and a path's may not. */
class Slots {
  readonly named = new Map<string, { readonly slot: number; readonly kind: SlotKind }>();
  count = 0;

  place(path: PathPattern): Placed["slots"] {
    const elements: number[] = [];
    for (const [index, node] of path.nodes.entries()) {
      elements.push(this.#slot(node.alias, "node", node.at));
      const edge = path.edges[index];
      if (edge) elements.push(this.#slot(edge.alias, edge.hops ? "edges" : "edge", edge.at));
    }
    return { elements, path: path.name === undefined ? undefined : this.#slot(path.name, "path", path.at) };
  }

  #slot(alias: string | undefined, kind: SlotKind, at: number): number {
    const known = alias === undefined ? undefined : this.named.get(alias);
    if (known && (kind !== "node" || known.kind !== "node")) {
      throw new DslProblem(at, `'${alias}' already names something else.`, "give every edge and path its own name");
    }
    if (known) return known.slot;
    const slot = this.count++;
    if (alias !== undefined) this.named.set(alias, { slot, kind });
    return slot;
  }
}

function resolvePattern(placed: readonly Placed[], scope: Scope): Pattern {
  const nodes = new Map<number, NodeTest[]>();
  const steps: Step[] = [];
  const found: Condition[] = [];
  for (const { path, slots } of placed) {
    for (const [index, node] of path.nodes.entries()) {
      const slot = slots.elements[2 * index] as number;
      const test = resolveNodeLabels(node.labels, scope.graph);
      nodes.set(slot, [...(nodes.get(slot) ?? []), ...(test ? [test] : [])]);
      found.push(...conditions(node.where, scope));
    }
    for (const [index, edge] of path.edges.entries()) {
      const [left, slot, right] = slots.elements.slice(2 * index, 2 * index + 3) as [number, number, number];
      const inside = conditions(edge.where, edge.hops ? insideRepeat(edge, slot, scope) : scope);
      if (!edge.hops) found.push(...inside);
      const labels = resolveEdgeLabels(edge.labels, scope.graph);
      const { direction, perNodeLimit, hops } = edge;
      steps.push({ slot, left, right, direction, labels, perNodeLimit, hops, each: hops ? inside : [] });
    }
  }
  return { nodes, steps, conditions: found };
}

/** Inside a repeated edge its name stands for one edge at a time, and nothing else is known there. */
function insideRepeat(edge: EdgePattern, slot: number, scope: Scope): Scope {
  return { ...scope, slots: new Map(edge.alias === undefined ? [] : [[edge.alias, { slot, kind: "edge" }]]) };
}

function conditions(where: NodePattern["where"], scope: Scope): readonly Condition[] {
  if (!where) return [];
  if (where.kind === "logic" && where.operator === "and") {
    return [...conditions(where.left, scope), ...conditions(where.right, scope)];
  }
  const compiled = compileExpression(where, scope);
  const key = keyOf(where, scope);
  return [key ? { ...compiled, key } : compiled];
}

/** `n.id = 'x'`, `'x' = n.id`, `n.name in $names`. */
function keyOf(where: Expression, scope: Scope): Condition["key"] {
  if (where.kind !== "compare" || (where.operator !== "=" && where.operator !== "in")) return undefined;
  const { operator, left, right } = where;
  return keyed(left, right, scope) ?? (operator === "=" ? keyed(right, left, scope) : undefined);
}

function keyed(of: Expression, to: Expression, scope: Scope): Condition["key"] {
  if (of.kind !== "property" || of.of.kind !== "alias" || (of.name !== "id" && of.name !== "name")) return undefined;
  const named = scope.slots.get(of.of.name);
  if (named?.kind !== "node") return undefined;
  const constant = compileExpression(to, scope);
  if (constant.reads.size > 0) return undefined;
  const value = constant.evaluate([]);
  return { slot: named.slot, property: of.name, values: Array.isArray(value) ? value : [value] };
}
