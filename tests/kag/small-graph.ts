import { buildQueryGraph } from "../../src/kag/query/query-graph.ts";
import { readParams } from "../../src/kag/query/read-params.ts";
import { type Bounds, reason } from "../../src/kag/reason.ts";

/** People, places and tools, small enough to know by heart. */
export const smallGraph = buildQueryGraph({
  types: ["Ns.Person", "Ns.Place", "Ns.Tool", "Ns.Empty"],
  labels: [
    { id: "knows", inverse: undefined, symmetric: true },
    { id: "lives-in", inverse: "home-of", symmetric: false },
    { id: "uses", inverse: "used-by", symmetric: false },
  ],
  nodes: [
    { id: "ada", name: "Ada", type: "Ns.Person", properties: { age: 36, aliases: ["A. L.", "countess"] } },
    { id: "ben", name: "Ben", type: "Ns.Person", properties: { age: 41 } },
    { id: "cy", name: "Cy", type: "Ns.Person", properties: {} },
    { id: "hill", name: "Hill", type: "Ns.Place", properties: { note: 'it\'s a `steep` "hill"' } },
    { id: "pen", name: "Pen", type: "Ns.Tool", properties: {} },
  ],
  relations: [
    { from: "ada", label: "knows", to: "ben", properties: {} },
    { from: "ben", label: "knows", to: "cy", properties: {} },
    { from: "ada", label: "lives-in", to: "hill", properties: { since: 1833 } },
    { from: "ben", label: "lives-in", to: "hill", properties: {} },
    { from: "cy", label: "uses", to: "pen", properties: {} },
  ],
  nodeProperties: ["age", "aliases", "note"],
  edgeProperties: ["since"],
});

export const noHurry: Bounds = { clock: () => 0, milliseconds: 1 };

export async function ask(query: string, params: unknown = {}) {
  const read = readParams(params);
  if (read.kind === "wrong") throw new Error(read.message);
  return reason(smallGraph, query, read.params, noHurry);
}

/** The rows of a query that must succeed. */
export async function rows(query: string, params: unknown = {}): Promise<readonly (readonly unknown[])[]> {
  const told = await ask(query, params);
  if (told.kind !== "finish") throw new Error(`${query}: ${told.message}`);
  return told.rows;
}

/** The first column, sorted. */
export async function column(query: string, params: unknown = {}): Promise<readonly string[]> {
  return (await rows(query, params)).map(([first]) => String(first)).sort();
}

/** The message of a query that must fail. */
export async function failure(query: string, params: unknown = {}): Promise<string> {
  const told = await ask(query, params);
  if (told.kind === "finish") throw new Error(`${query} was answered`);
  return told.message;
}
