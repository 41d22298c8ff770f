import type { Compiled } from "./compile-expression.ts";
import { distancesTo, followEdges } from "./follow-edges.ts";
import type { Meter } from "./meter.ts";
import type { Operation } from "./order-pattern.ts";
import type { Component } from "./plan-query.ts";
import type { QueryEdge, QueryGraph, QueryNode } from "./query-graph.ts";
import type { NodeTest } from "./resolve-label.ts";
import type { Row, Value } from "./value.ts";
import type { Work } from "./work.ts";

type Expand = Extract<Operation, { readonly kind: "expand" }>;
/** What to do with a match; work of its own, or nothing more. */
type Then = () => Work<void> | undefined;

/** Finds every match of one component by backtracking, keeps the first `keep` and counts them all. */
export class ComponentMatcher {
  readonly rows: Row[] = [];
  count = 0;
  readonly #component: Component;
  readonly #graph: QueryGraph;
  readonly #keep: number;
  readonly #row: Value[];
  /** The last operation may be counted without being walked, once enough rows are kept. */
  readonly #plainEnd: boolean;
  readonly #meter: Meter;

  constructor(
    component: Component,
    graph: QueryGraph,
    { slotCount, meter }: { readonly slotCount: number; readonly meter: Meter },
    keep: number,
  ) {
    this.#meter = meter;
    this.#component = component;
    this.#graph = graph;
    this.#keep = keep;
    this.#row = Array.from<Value>({ length: slotCount }).fill(null);
    this.#plainEnd = component.optional.length === 0 && component.last.length === 0;
  }

  *run(): Work<void> {
    yield* this.#run(this.#component.required.operations, 0, () => this.#optional(0));
  }

  *#run(operations: readonly Operation[], at: number, then: Then): Work<void> {
    const operation = operations[at];
    if (!operation) {
      const more = then();
      if (more) yield* more;
      return;
    }
    const next: Then = at + 1 === operations.length ? then : () => this.#run(operations, at + 1, then);
    if (operation.kind === "scan") yield* this.#scan(operation, next);
    else if (operation.kind === "expand") yield* this.#expand(operation, next, next === then);
    else if (passes(this.#row[operation.slot], operation.tests) && this.#holds(operation.filters)) {
      const more = next();
      if (more) yield* more;
    }
  }

  *#scan({ slot, candidates, tests, filters }: Extract<Operation, { kind: "scan" }>, next: Then): Work<void> {
    for (const node of candidates) {
      if (this.#pause()) yield;
      if (!passes(node, tests)) continue;
      this.#row[slot] = node;
      if (!this.#holds(filters)) continue;
      const more = next();
      if (more) yield* more;
    }
  }

  *#expand(operation: Expand, next: Then, isLast: boolean): Work<void> {
    if (operation.step.hops) return yield* this.#repeat(operation, next);
    if (isLast && this.#plainEnd && this.#countWithoutWalking(operation)) return;
    const { step, to, bound, tests, filters } = operation;
    const { start, reversed, end } = this.#cheaperEnd(operation);
    for (const { edge, node } of followEdges(this.#graph, step, start, reversed)) {
      if (this.#pause()) yield;
      if (bound ? node !== end : !passes(node, tests)) continue;
      this.#row[step.slot] = edge;
      if (!bound) this.#row[to] = node;
      if (!this.#holds(filters)) continue;
      const more = next();
      if (more) yield* more;
    }
  }

  /** Where both ends are known, the one with fewer edges is the one to look at. */
  #cheaperEnd({ step, from, to, reversed, bound }: Expand) {
    const near = this.#row[from] as QueryNode;
    const far = this.#row[to] as QueryNode;
    const turn =
      bound && step.perNodeLimit === undefined && this.#degree(far, step.labels) < this.#degree(near, step.labels);
    return turn ? { start: far, reversed: !reversed, end: near } : { start: near, reversed, end: far };
  }

  #degree(node: QueryNode, labels: readonly string[] | undefined): number {
    const count = (label?: string) =>
      this.#graph.edges(node, "out", label).length + this.#graph.edges(node, "in", label).length;
    return labels ? labels.reduce((sum, it) => sum + count(it), 0) : count();
  }

  #countWithoutWalking({ step, from, reversed, bound, tests, filters }: Expand): boolean {
    if (this.rows.length < this.#keep || bound || tests.length > 0 || filters.length > 0) return false;
    if (step.direction === "any" || step.perNodeLimit !== undefined) return false;
    const side = (step.direction === "out") !== reversed ? "out" : "in";
    const node = this.#row[from] as QueryNode;
    for (const label of step.labels ?? [undefined]) this.count += this.#graph.edges(node, side, label).length;
    return true;
  }

  /** Follows a repeated edge; no relation is used twice within it. */
  *#repeat({ step, from, to, reversed, bound, tests, filters }: Expand, next: Then): Work<void> {
    const { least, most } = step.hops ?? { least: 1, most: 1 };
    const start = this.#row[from] as QueryNode;
    const end = bound ? (this.#row[to] as QueryNode) : undefined;
    const distances = end && most > 1 ? distancesTo(this.#graph, step, end, reversed) : undefined;
    const edges: QueryEdge[] = [];
    const arrive = (node: QueryNode): Work<void> | undefined => {
      if (edges.length < least || (end ? node !== end : !passes(node, tests))) return undefined;
      this.#row[step.slot] = reversed ? edges.toReversed() : [...edges];
      if (!end) this.#row[to] = node;
      return this.#holds(filters) ? next() : undefined;
    };
    const follow = function* (this: ComponentMatcher, node: QueryNode): Work<void> {
      const more = arrive(node);
      if (more) yield* more;
      if (edges.length === most) return;
      for (const { edge, node: far } of followEdges(this.#graph, step, node, reversed)) {
        if (this.#pause()) yield;
        if (edges.some((it) => it.relation === edge.relation)) continue;
        if (distances && edges.length + 1 + (distances.get(far) ?? Number.POSITIVE_INFINITY) > most) continue;
        this.#row[step.slot] = edge;
        if (!this.#holds(step.each)) continue;
        edges.push(edge);
        yield* follow(far);
        edges.pop();
      }
    }.bind(this);
    yield* follow(start);
  }

  /** Optional paths one after the other, each found or left null; then the row is complete. */
  #optional(index: number): Work<void> | undefined {
    const group = this.#component.optional[index];
    if (!group) {
      this.#complete();
      return undefined;
    }
    return this.#tryOptional(group, () => this.#optional(index + 1));
  }

  *#tryOptional({ slots, program }: Component["optional"][number], then: Then): Work<void> {
    let matched = false;
    yield* this.#run(program.operations, 0, () => {
      matched = true;
      return then();
    });
    for (const slot of slots) this.#row[slot] = null;
    const more = matched ? undefined : then();
    if (more) yield* more;
  }

  #complete(): void {
    for (const { slot, elements } of this.#component.paths) {
      const path = elements.map((it) => this.#row[it] ?? null);
      this.#row[slot] = path.includes(null) ? null : path;
    }
    if (!this.#holds(this.#component.last)) return;
    this.count++;
    if (this.rows.length < this.#keep) this.rows.push([...this.#row]);
  }

  #holds(conditions: readonly Compiled[]): boolean {
    for (const it of conditions) if (it.evaluate(this.#row) !== true) return false;
    return true;
  }

  #pause(): boolean {
    this.#meter.startRow();
    return this.#meter.step();
  }
}

function passes(value: Value | undefined, tests: readonly NodeTest[]): boolean {
  const node = value as QueryNode | null | undefined;
  return node != null && tests.every(({ types, nodes }) => types.has(node.type) || nodes.has(node));
}
