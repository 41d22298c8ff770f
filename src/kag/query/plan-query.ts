import type { Compiled } from "./compile-expression.ts";
import { orderPattern, type Program } from "./order-pattern.ts";
import type { QueryGraph } from "./query-graph.ts";
import type { Condition, Pattern, ResolvedQuery } from "./resolve-query.ts";

/** Parts of the query that share no name: each is matched alone, and every match of one goes with every one of another. */
export interface Plan {
  readonly components: readonly Component[];
  /** Conditions that read nothing of the pattern; when one does not hold, there are no rows. */
  readonly constants: readonly Compiled[];
}

export interface Component {
  /** The slots it fills. */
  readonly slots: readonly number[];
  readonly required: Program;
  readonly optional: readonly { readonly slots: readonly number[]; readonly program: Program }[];
  readonly paths: ResolvedQuery["paths"];
  /** Conditions that read what optional paths found, or a whole path. */
  readonly last: readonly Compiled[];
}

export function planQuery(query: ResolvedQuery, graph: QueryGraph): Plan {
  const requiredSlots = slotsOf(query.required);
  const all = [...query.required.conditions, ...query.where];
  const early = all.filter((it) => it.reads.size > 0 && [...it.reads].every((slot) => requiredSlots.has(slot)));
  const late = all.filter((it) => it.reads.size > 0 && !early.includes(it));
  const group = groupSlots(query, [...early, ...late]);
  const roots = [...new Set(Array.from({ length: query.slotCount }, (_, slot) => group(slot)))];
  const components = roots.map((root) => component(query, early, late, (slot) => group(slot) === root, graph));
  return {
    components: components.sort((a, b) => a.required.estimate - b.required.estimate),
    constants: all.filter((it) => it.reads.size === 0),
  };
}

function component(
  query: ResolvedQuery,
  early: readonly Condition[],
  late: readonly Condition[],
  holds: (slot: number) => boolean,
  graph: QueryGraph,
): Component {
  const own = (it: Compiled): boolean => [...it.reads].some(holds);
  const required = narrow({ ...query.required, conditions: early }, holds, own);
  const bound = slotsOf(required);
  const program = orderPattern(required, new Set(), graph);
  const optional = query.optional.map((it) => narrow(it, holds)).filter((it) => it.nodes.size > 0);
  return {
    slots: Array.from({ length: query.slotCount }, (_, slot) => slot).filter(holds),
    required: program,
    optional: optional.map((pattern) => {
      const fresh = [...slotsOf(pattern)].filter((slot) => !bound.has(slot));
      const ordered = orderPattern(pattern, new Set(bound), graph);
      for (const slot of fresh) bound.add(slot);
      return { slots: fresh, program: ordered };
    }),
    paths: query.paths.filter(({ slot }) => holds(slot)),
    last: late.filter(own),
  };
}

function narrow(
  pattern: Pattern,
  holds: (slot: number) => boolean,
  own: (it: Condition) => boolean = () => true,
): Pattern {
  return {
    nodes: new Map([...pattern.nodes].filter(([slot]) => holds(slot))),
    steps: pattern.steps.filter(({ slot }) => holds(slot)),
    conditions: pattern.conditions.filter(own),
  };
}

function slotsOf({ nodes, steps }: Pattern): Set<number> {
  return new Set([...nodes.keys(), ...steps.map(({ slot }) => slot)]);
}

/** Which slots are one group: those of one edge, one path, one optional path, and those that one condition reads. */
function groupSlots(query: ResolvedQuery, conditions: readonly Condition[]): (slot: number) => number {
  const parents = Array.from({ length: query.slotCount }, (_, slot) => slot);
  const find = (slot: number): number => {
    let root = slot;
    while (parents[root] !== root) root = parents[root] as number;
    return root;
  };
  const join = (slots: Iterable<number>): void => {
    const [first, ...rest] = slots;
    for (const slot of rest) parents[find(slot)] = find(first as number);
  };
  for (const { left, slot, right } of query.required.steps) join([left, slot, right]);
  for (const pattern of query.optional)
    join([...slotsOf(pattern), ...pattern.conditions.flatMap((it) => [...it.reads])]);
  for (const { slot, elements } of query.paths) join([slot, ...elements]);
  for (const { reads } of conditions) join(reads);
  return find;
}
