import type { ToolDefinition } from "../../mcp/surface.ts";
import { clipped } from "../clipped.ts";
import type { KagHost } from "../kag-host.ts";
import { defineKagTool } from "./kag-tool.ts";

export function kagStatus(host: KagHost): ToolDefinition {
  return defineKagTool({
    name: "kag_status",
    title: "Status of this host",
    description:
      "Tells whether this host can answer: its project, its namespace, and whether a model is configured that composes " +
      "what kag_solve answers (without one the answer is extractive and deterministic). Never an error, never a secret. " +
      "Contract v1.",
    properties: {},
    answer({ view }) {
      const { problems } = view;
      if (view.concepts.size === 0) {
        const [first] = problems.filter((it) => it.severity === "error");
        return {
          bridge: "error",
          error: clipped(first?.message ?? "No vocabulary is loaded: it has no concept.", 200),
        };
      }
      const project = host.projectId(view);
      return {
        bridge: "ok",
        project,
        project_id: project,
        namespace: host.namespace(view),
        llm_configured: host.model !== undefined,
        vectorizer_configured: false,
        spg_server: {
          url: "",
          reachable: false,
          detail: "not used: this host answers from its own concept graph",
        },
      };
    },
  });
}
