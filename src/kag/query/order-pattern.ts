import type { Compiled } from "./compile-expression.ts";
import { type Candidates, candidatesOf } from "./node-candidates.ts";
import type { QueryGraph } from "./query-graph.ts";
import type { NodeTest } from "./resolve-label.ts";
import type { Condition, Pattern, Step } from "./resolve-query.ts";

/** How to match a pattern: one operation after the other, each for every row that the one before it finds. */
export interface Program {
  readonly operations: readonly Operation[];
  /** Roughly how many rows the whole comes to. */
  readonly estimate: number;
}

/** `filters` are the conditions that can first be decided once the operation is done. */
export type Operation = { readonly filters: readonly Compiled[] } & (
  | {
      readonly kind: "scan";
      readonly slot: number;
      readonly candidates: Candidates["nodes"];
      readonly tests: readonly NodeTest[];
    }
  /** From `from` to `to`, against the pattern's direction when `reversed`; `bound` when `to` is known already. */
  | {
      readonly kind: "expand";
      readonly step: Step;
      readonly from: number;
      readonly to: number;
      readonly reversed: boolean;
      readonly bound: boolean;
      readonly tests: readonly NodeTest[];
    }
  /** Nodes that were found before must also pass these. */
  | { readonly kind: "test"; readonly slot: number; readonly tests: readonly NodeTest[] }
);

type Bare = Operation extends infer T ? (T extends Operation ? Omit<T, "filters"> : never) : never;
interface Choice {
  readonly cost: number;
  readonly operation: Bare;
  readonly binds: readonly number[];
}

/**
 * Starts from the most selective node and always takes the cheapest next operation. `bound` are slots filled before;
 * it gains the pattern's own.
 */
export function orderPattern(pattern: Pattern, bound: Set<number>, graph: QueryGraph): Program {
  const operations: Operation[] = [];
  const waiting = new Set<Condition>(pattern.conditions);
  const candidates = new Map([...pattern.nodes].map(([slot]) => [slot, candidatesOf(slot, pattern, graph)]));
  const steps = new Set(pattern.steps);
  let estimate = 1;

  const push = ({ operation, binds, cost }: Choice): void => {
    for (const slot of binds) bound.add(slot);
    const filters = [...waiting].filter((it) => [...it.reads].every((slot) => bound.has(slot)));
    for (const filter of filters) waiting.delete(filter);
    operations.push({ ...operation, filters } as Operation);
    estimate *= Math.max(cost, 0.01);
  };

  for (const [slot, tests] of pattern.nodes) {
    if (bound.has(slot)) push({ operation: { kind: "test", slot, tests }, binds: [], cost: 1 });
  }
  for (;;) {
    const choices = [
      ...[...steps].flatMap((it) => expansions(it, bound, pattern, candidates, graph)),
      ...[...candidates].flatMap(([slot, it]) => (bound.has(slot) ? [] : [scan(slot, it, pattern)])),
    ];
    const best = choices.reduce<Choice | undefined>((a, b) => (a && a.cost <= b.cost ? a : b), undefined);
    if (!best) break;
    if (best.operation.kind === "expand") steps.delete(best.operation.step);
    push(best);
  }
  if (waiting.size > 0) {
    // What no operation of this pattern can decide reads slots of a later one, which are null here.
    const last = operations.at(-1);
    if (last) operations[operations.length - 1] = { ...last, filters: [...last.filters, ...waiting] };
  }
  return { operations, estimate };
}

function scan(slot: number, { nodes }: Candidates, pattern: Pattern): Choice {
  const operation: Bare = { kind: "scan", slot, candidates: nodes, tests: pattern.nodes.get(slot) ?? [] };
  return { cost: nodes.length, operation, binds: [slot] };
}

function expansions(
  step: Step,
  bound: ReadonlySet<number>,
  pattern: Pattern,
  candidates: ReadonlyMap<number, Candidates>,
  graph: QueryGraph,
): readonly Choice[] {
  const degree = fanOut(step, graph);
  const choice = (from: number, to: number, reversed: boolean): Choice => {
    const known = bound.has(to) || from === to;
    const share = (candidates.get(to)?.nodes.length ?? 0) / Math.max(1, graph.nodes.length);
    const tests = known ? [] : (pattern.nodes.get(to) ?? []);
    return {
      cost: known ? 0 : degree * share,
      operation: { kind: "expand", step, from, to, reversed, bound: known, tests },
      binds: known ? [step.slot] : [step.slot, to],
    };
  };
  const forward = bound.has(step.left) ? [choice(step.left, step.right, false)] : [];
  // A limit counts from the node on the left, so such an edge is followed from there only.
  const backward = bound.has(step.right) && step.perNodeLimit === undefined;
  return backward && forward.length === 0 ? [choice(step.right, step.left, true)] : forward;
}

function fanOut({ labels, direction, hops, perNodeLimit }: Step, graph: QueryGraph): number {
  const edges = labels ? labels.reduce((sum, it) => sum + graph.count(it), 0) : graph.count();
  const once = ((direction === "any" ? 2 : 1) * edges) / Math.max(1, graph.nodes.length);
  const limited = Math.min(once, perNodeLimit ?? Number.POSITIVE_INFINITY);
  return hops ? Math.max(1, limited) ** Math.min(hops.most, 4) : limited;
}
