import { nearest } from "../../core/concept/nearest.ts";
import type { EdgePattern, NodeLabel } from "../dsl/ast.ts";
import { DslProblem } from "../dsl/dsl-problem.ts";
import { nearestHint } from "./nearest-hint.ts";
import type { QueryGraph, QueryNode } from "./query-graph.ts";

/** Which nodes a pattern admits by its labels. */
export interface NodeTest {
  readonly types: ReadonlySet<string>;
  /** Nodes named one by one, as `Type/instance`. */
  readonly nodes: ReadonlySet<QueryNode>;
}

/** `undefined` for a pattern without labels. Types are full names; a short one is a `DslProblem` that says the full one. */
export function resolveNodeLabels(labels: readonly NodeLabel[], graph: QueryGraph): NodeTest | undefined {
  if (labels.length === 0) return undefined;
  const types = new Set<string>();
  const nodes = new Set<QueryNode>();
  for (const label of labels) {
    if (label.kind === "type") types.add(resolveType(label.name, label.at, graph));
    else for (const node of resolveInstances(label.all, graph)) nodes.add(node);
  }
  return { types, nodes };
}

/** Relation labels as the graph has them: case, hyphens and underscores of the query do not matter. */
export function resolveEdgeLabels(labels: EdgePattern["labels"], graph: QueryGraph): readonly string[] | undefined {
  if (labels.length === 0) return undefined;
  return [...new Set(labels.map(({ name, at }) => resolveEdgeLabel(name, at, graph)))];
}

function resolveEdgeLabel(name: string, at: number, graph: QueryGraph): string {
  if (graph.labels.has(name)) return name;
  const bare = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  const found = [...graph.labels].find((it) => plain(it) === plain(bare));
  if (found) return found;
  throw new DslProblem(at, `There is no relation '${name}'.`, nearestHint(bare, graph.labels, "there are"));
}

function resolveType(name: string, at: number, graph: QueryGraph): string {
  if (graph.types.has(name)) return name;
  const known = [...graph.types.keys()];
  const full = known.find((it) => plain(it.slice(it.indexOf(".") + 1)) === plain(name.slice(name.indexOf(".") + 1)));
  const near = full ?? nearest(name, known);
  const hint = near ? `types are written in full: ${near}` : `kag_schema lists the types: ${known.join(", ")}`;
  throw new DslProblem(at, `Cannot find the type '${name}'.`, hint);
}

type Instances = Extract<NodeLabel, { readonly kind: "instances" }>["all"];

/** By id or by name; an instance that is not there is none, not a problem. */
function resolveInstances(all: Instances, graph: QueryGraph): readonly QueryNode[] {
  const each = all.map(({ type, instance, at }) => {
    const full = resolveType(type, at, graph);
    const byId = graph.byId.get(instance);
    const found = [...(byId ? [byId] : []), ...(graph.byName.get(instance) ?? [])];
    return new Set(found.filter((it) => it.type === full));
  });
  const [first = new Set<QueryNode>(), ...rest] = each;
  return [...first].filter((node) => rest.every((it) => it.has(node)));
}

function plain(label: string): string {
  return label.toLowerCase().replaceAll(/[-_\s]/g, "");
}
