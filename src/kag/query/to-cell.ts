import { isEdge, isList, isNode, type Value } from "./value.ts";

export type Cell = string | number | boolean | null;

/** Plain values stay; nodes, edges, paths and lists become JSON text, as hosts of this language give them. */
export function toCell(value: Value): Cell {
  return typeof value === "object" && value !== null ? JSON.stringify(plain(value)) : value;
}

function plain(value: Value): unknown {
  if (isList(value)) return value.map(plain);
  if (isNode(value)) return { id: value.id, name: value.name, label: value.type, properties: value.properties };
  if (!isEdge(value)) return value;
  const { label, from, to, properties } = value;
  return { from: from.id, from_type: from.type, label, to: to.id, to_type: to.type, properties };
}
