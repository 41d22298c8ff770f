import { DslProblem, printDslProblem } from "./dsl/dsl-problem.ts";
import { parseQuery } from "./dsl/parse-query.ts";
import type { QueryGraph } from "./query/query-graph.ts";
import { resolveQuery } from "./query/resolve-query.ts";
import { runQuery } from "./query/run-query.ts";
import type { Cell } from "./query/to-cell.ts";
import type { Value } from "./query/value.ts";
import { drive } from "./query/work.ts";

/** Most rows that are returned. */
export const maxRows = 200;
const maxColumns = 100;

export type Reasoned =
  | {
      readonly kind: "finish";
      readonly header: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
      readonly count: number;
    }
  | { readonly kind: "error" | "timeout"; readonly message: string };

export interface Bounds {
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
}

/** Answers one query; never throws for what the query says. Whatever takes long lets others run in between. */
export async function reason(
  graph: QueryGraph,
  query: string,
  params: ReadonlyMap<string, Value>,
  bounds: Bounds,
): Promise<Reasoned> {
  try {
    const parsed = parseQuery(query);
    const extra = parsed.returns[maxColumns];
    if (extra) throw new DslProblem(extra.expression.at, `RETURN takes at most ${maxColumns} columns.`);
    const resolved = resolveQuery(parsed, graph, params);
    const found = await drive(runQuery(resolved, graph, maxRows), bounds);
    if (!found) return { kind: "timeout", message: tooLong(bounds.milliseconds) };
    return { kind: "finish", header: resolved.header, rows: found.rows, count: found.count };
  } catch (error) {
    if (!(error instanceof DslProblem)) throw error;
    return { kind: "error", message: printDslProblem(query, error) };
  }
}

function tooLong(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 100) / 10;
  return `The query was given up after ${seconds} s. Hint: name a concept (WHERE n.id = '…'), a type or a relation to start from, and use fewer paths or hops.`;
}
