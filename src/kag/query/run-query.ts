import { DslProblem } from "../dsl/dsl-problem.ts";
import { ComponentMatcher } from "./match-component.ts";
import { planQuery } from "./plan-query.ts";
import type { QueryGraph } from "./query-graph.ts";
import type { ResolvedQuery } from "./resolve-query.ts";
import { type Cell, toCell } from "./to-cell.ts";
import type { Row, Value } from "./value.ts";
import type { Work } from "./work.ts";

export interface Found {
  readonly rows: readonly (readonly Cell[])[];
  /** How many rows there are, returned or not. */
  readonly count: number;
}

/** Work in small portions; the rows come in an order that is the same each time. */
export function* runQuery(query: ResolvedQuery, graph: QueryGraph, maxRows: number): Work<Found> {
  const { components, constants } = planQuery(query, graph);
  if (constants.some((it) => it.evaluate([]) !== true)) return { rows: [], count: 0 };
  const matchers: { readonly rows: readonly Row[]; readonly slots: readonly number[] }[] = [];
  let count = 1;
  for (const component of components) {
    const matcher = new ComponentMatcher(component, graph, query, maxRows);
    yield* matcher.run();
    count *= matcher.count;
    if (count === 0) return { rows: [], count };
    matchers.push({ rows: matcher.rows, slots: component.slots });
  }
  if (count > Number.MAX_SAFE_INTEGER) {
    throw new DslProblem(0, "The pattern has more matches than can be counted.", "let its paths share a name");
  }
  const rows: (readonly Cell[])[] = [];
  let characters = 0;
  for (let index = 0; index < Math.min(count, maxRows); index++) {
    const row = combine(matchers, index, query.slotCount);
    const cells: Cell[] = [];
    for (const { evaluate } of query.returns) {
      query.meter.startRow();
      cells.push(toCell(evaluate(row)));
    }
    characters += JSON.stringify(cells).length;
    if (characters > maxCharacters && rows.length > 0) break;
    rows.push(cells);
    yield;
  }
  return { rows, count };
}

/** Most characters of rows that are returned, as JSON; fewer rows are when they are long. */
const maxCharacters = 1_048_576;

/** The combination with this number: the last component changes fastest. */
function combine(
  parts: readonly { readonly rows: readonly Row[]; readonly slots: readonly number[] }[],
  index: number,
  slotCount: number,
): Row {
  const row = Array.from<Value>({ length: slotCount }).fill(null);
  let rest = index;
  for (const { rows, slots } of parts.toReversed()) {
    const found = rows[rest % rows.length] ?? [];
    rest = Math.floor(rest / rows.length);
    for (const slot of slots) row[slot] = found[slot] ?? null;
  }
  return row;
}
