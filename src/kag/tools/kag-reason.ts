import type { ToolDefinition } from "../../mcp/surface.ts";
import { clipped } from "../clipped.ts";
import type { KagHost } from "../kag-host.ts";
import { readParams } from "../query/read-params.ts";
import { maxRows, type Reasoned, reason } from "../reason.ts";
import { defineKagTool, projectIdSchema, textArgument, wrongProject } from "./kag-tool.ts";
import type { VocabularyTerms } from "./vocabulary-terms.ts";

/** Most characters of an error, as the contract has it. */
const longestError = 600;

export function kagReason(host: KagHost, terms: VocabularyTerms): ToolDefinition {
  return defineKagTool({
    name: "kag_reason",
    title: "Query the concept graph",
    description:
      "Runs one read-only query, MATCH … WHERE … RETURN …, over the concept graph and returns a table. Node types are full " +
      `names (kag_schema lists them); relations are bare names: ${terms.relations}. Nodes have id, name, definition, ` +
      "category, direction, by_line and more; edges have label, by_analogy, source. There is no LIMIT, ORDER BY or " +
      `DISTINCT: at most ${maxRows} rows are returned, row_count is the true count. Example: MATCH (n:${terms.firstType})` +
      `-[p:${terms.firstRelation}]->(o) WHERE n.id in $ids RETURN n.id, o.name with params {"ids": ["…"]}. Contract v1.`,
    properties: {
      dsl: { type: "string", description: "The query." },
      params: {
        type: "object",
        description: "Values for $name placeholders, lists as lists or as their JSON text.",
      },
      project_id: projectIdSchema,
    },
    required: ["dsl"],
    async answer({ context, view, given }) {
      const wrong = wrongProject(host, view, given);
      if (wrong) return wrong;
      const dsl = textArgument(given.dsl);
      if (dsl === undefined) return "`dsl` is required and takes a query such as MATCH (n) RETURN n.id, n.name.";
      const read = readParams(given.params);
      if (read.kind === "wrong") return read.message;
      const started = host.clock();
      const bounds = { clock: host.clock, milliseconds: host.reasonMs, signal: context.signal };
      const { namespace, query } = await host.graph(view);
      const reasoned = await reason(query, dsl, read.params, bounds);
      return returned(reasoned, Math.round(host.clock() - started), namespace);
    },
  });
}

const statuses = { finish: "FINISH", error: "ERROR", timeout: "TIMEOUT" } as const;

function returned(reasoned: Reasoned, cost_ms: number, namespace: string) {
  const status = statuses[reasoned.kind];
  if (reasoned.kind === "finish") {
    const { header, rows, count } = reasoned;
    return { status, header, rows, row_count: count, truncated: rows.length < count, cost_ms, namespace };
  }
  const error = clipped(reasoned.message, longestError);
  return { status, header: [], rows: [], row_count: 0, truncated: false, cost_ms, namespace, error };
}
