/**
 * What OPENKG WebUI makes of a `kag_solve` result, after the facts in src/kag/README.md: a peer of our own, so that a
 * change here that its readers would feel fails a test.
 */
export interface Folded {
  readonly excerpt: string;
  readonly sources: readonly { readonly name: string; readonly url: string }[];
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly type: string;
    readonly description: string;
  }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label: string }[];
  readonly hasGraphTab: boolean;
}

const solveTool = "mcp__kag-bridge__kag_solve";

/** `undefined` when the interface would show nothing of this result. */
export function foldSolve(tool: string, text: string): Folded | undefined {
  if (tool !== solveTool || !text.startsWith("{")) return undefined;
  const solved = peeled(text);
  const graphs = objects(solved.subgraph);
  const nodes = new Map<string, Folded["nodes"][number]>();
  for (const graph of graphs) {
    for (const node of objects(graph.result_nodes)) {
      if (typeof node.id !== "string" || node.id === "" || nodes.has(node.id) || nodes.size === 60) continue;
      const properties = (node.properties ?? {}) as Readonly<Record<string, unknown>>;
      nodes.set(node.id, {
        id: node.id,
        label: String(node.name ?? "").replaceAll(/^["']|["']$/g, ""),
        type: String(node.label ?? ""),
        description: String(properties.content ?? "").slice(0, 160),
      });
    }
  }
  const edges = new Map<string, Folded["edges"][number]>();
  for (const graph of graphs) {
    for (const edge of objects(graph.result_edges)) {
      const [from, to] = [String(edge._from ?? ""), String(edge.to ?? "")];
      const pair = [from, to].sort().join("\u0000");
      if (from === to || !nodes.has(from) || !nodes.has(to) || edges.has(pair) || edges.size === 120) continue;
      edges.set(pair, { from, to, label: String(edge.label ?? "") });
    }
  }
  return {
    excerpt: String(solved.answer ?? "")
      .replaceAll(/<reference\b[^>]*>\s*<\/reference>/g, "")
      .trim(),
    sources: sourcesOf(solved),
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    hasGraphTab: edges.size > 0,
  };
}

/** A lone `{"result": "<json>"}` is opened once. */
function peeled(text: string): Readonly<Record<string, unknown>> {
  const outer = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const isWrapped = Object.keys(outer).length === 1 && typeof outer.result === "string";
  return isWrapped ? (JSON.parse(outer.result as string) as Readonly<Record<string, unknown>>) : outer;
}

function sourcesOf(solved: Readonly<Record<string, unknown>>): Folded["sources"] {
  return objects(solved.reference)
    .flatMap((it) => objects(it.info))
    .map((it) => ({ name: String(it.document_name ?? it.name ?? ""), url: String(it.url ?? "") }))
    .filter((it) => it.name !== "" || it.url !== "")
    .slice(0, 40);
}

function objects(given: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(given) ? given.filter((it) => typeof it === "object" && it !== null) : [];
}
