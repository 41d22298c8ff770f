import type { ToolDefinition } from "../../mcp/surface.ts";
import type { KagHost } from "../kag-host.ts";
import { typeNames } from "../type-names.ts";
import { defineKagTool, projectIdSchema, wrongProject } from "./kag-tool.ts";
import type { VocabularyTerms } from "./vocabulary-terms.ts";

export function kagSchema(host: KagHost, terms: VocabularyTerms): ToolDefinition {
  return defineKagTool({
    name: "kag_schema",
    title: "Types of the concept graph",
    description:
      "Lists the node types of the bound project by their full names, which kag_reason needs. Each category of the " +
      `vocabulary is one type: ${terms.types}. Relations are not part of this return; kag_reason knows ${terms.relations}. ` +
      "Contract v1.",
    properties: { project_id: projectIdSchema },
    answer({ view, given }) {
      const wrong = wrongProject(host, view, given);
      if (wrong) return wrong;
      const namespace = host.namespace(view);
      const types = typeNames(view.vocabulary, namespace);
      return {
        project_id: host.projectId(view),
        namespace,
        spg_types: Object.fromEntries([...types.values()].map((it) => [it, { spg_type_enum: "CONCEPT_TYPE" }])),
      };
    },
  });
}
