import { DslProblem, tellDslProblem } from "./dsl/dsl-problem.ts";
import { parseQuery } from "./dsl/parse-query.ts";
import type { Work } from "./query/match-component.ts";
import type { QueryGraph } from "./query/query-graph.ts";
import { resolveQuery } from "./query/resolve-query.ts";
import { type Found, runQuery } from "./query/run-query.ts";
import { toCell } from "./query/to-cell.ts";
import type { Value } from "./query/value.ts";

/** Most rows that are told. */
export const maxRows = 200;
/** Most characters of rows that are told, as JSON; fewer rows are when they are long. */
const mostCharacters = 1_048_576;
const mostColumns = 100;

export type Cell = string | number | boolean | null;

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

/** Answers one query; never throws for what the query says. Long ones let others run in between. */
export async function reason(
  graph: QueryGraph,
  query: string,
  params: ReadonlyMap<string, Value>,
  bounds: Bounds,
): Promise<Reasoned> {
  try {
    const parsed = parseQuery(query);
    const extra = parsed.returns[mostColumns];
    if (extra) throw new DslProblem(extra.expression.at, `RETURN tells at most ${mostColumns} columns.`);
    const resolved = resolveQuery(parsed, graph, params);
    const found = await drive(runQuery(resolved, graph, maxRows), bounds);
    if (!found) return { kind: "timeout", message: tooLong(bounds.milliseconds) };
    return { kind: "finish", header: resolved.header, rows: cells(found), count: found.count };
  } catch (error) {
    if (!(error instanceof DslProblem)) throw error;
    return { kind: "error", message: tellDslProblem(query, error) };
  }
}

/** Longest time between two turns of the event loop, in milliseconds. */
const sliceMs = 8;

/** `undefined` when the time is up. */
async function drive(work: Work<Found>, { clock, milliseconds, signal }: Bounds): Promise<Found | undefined> {
  const start = clock();
  let slice = start;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const now = clock();
    if (now - start >= milliseconds) return undefined;
    if (now - slice < sliceMs) continue;
    await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    slice = clock();
  }
}

function cells({ rows }: Found): readonly (readonly Cell[])[] {
  const told: (readonly Cell[])[] = [];
  let characters = 0;
  for (const row of rows) {
    const line = row.map(toCell);
    characters += JSON.stringify(line).length;
    if (characters > mostCharacters && told.length > 0) break;
    told.push(line);
  }
  return told;
}

function tooLong(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 100) / 10;
  return `The query was given up after ${seconds} s. Hint: name a concept (WHERE n.id = '…'), a type or a relation to start from, and use fewer paths or hops.`;
}
