import type { QueryEdge, QueryNode } from "./query-graph.ts";

/** Edges of a repeated edge and the elements of a named path are lists. */
export type Value = null | boolean | number | string | QueryNode | QueryEdge | readonly Value[];

/** What a query finds for each of its names. */
export type Row = readonly Value[];

export function isNode(value: Value): value is QueryNode {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "node";
}

export function isEdge(value: Value): value is QueryEdge {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "edge";
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Values of different kinds are never equal; lists are by their items; elements are by what they stand for. */
export function sameValue(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((it, index) => sameValue(it, right[index] as Value));
  }
  return isEdge(left) && isEdge(right) && left.relation === right.relation;
}

/** Text for functions and `+`: text stays, lists and elements have none. */
export function textOf(value: Value): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

export function propertyOf(value: Value, name: string): Value {
  if (isList(value)) return value.map((it) => propertyOf(it, name));
  if (isNode(value)) {
    if (name === "id") return value.id;
    if (name === "name") return value.name;
    if (name === "type" || name === "label") return value.type;
    return ownProperty(value, name);
  }
  if (!isEdge(value)) return null;
  if (name === "label" || name === "type") return value.label;
  if (name === "from") return value.from.id;
  if (name === "to") return value.to.id;
  return ownProperty(value, name);
}

function ownProperty(element: QueryNode | QueryEdge, name: string): Value {
  return Object.hasOwn(element.properties, name) ? (element.properties[name] as Value) : null;
}
