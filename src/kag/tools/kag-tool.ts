import type { CallerView } from "../../core/snapshot/view.ts";
import type { RequestContext } from "../../mcp/request-context.ts";
import type { JsonSchema, ToolAnswer, ToolDefinition } from "../../mcp/surface.ts";
import type { KagHost } from "../kag-host.ts";

type Given = Readonly<Record<string, unknown>>;

interface Draft {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** The frozen return; a string when an argument is wrong, naming it. */
  answer(request: {
    readonly context: RequestContext;
    readonly view: CallerView;
    readonly given: Given;
  }): Promise<object | string> | object | string;
}

/** A tool whose return is one block of JSON. Arguments that cannot be read are refused with the reason. */
export function defineKagTool({ answer, properties, required, ...rest }: Draft): ToolDefinition {
  return {
    ...rest,
    inputSchema: { type: "object", properties, ...(required ? { required } : {}) },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "read",
    toolset: "kag",
    async call(context, args): Promise<ToolAnswer> {
      const { view } = context;
      const object = typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
      const answered = await answer({ context, view, given: object as Given });
      if (typeof answered !== "string") return { kind: "verbatim", text: JSON.stringify(answered) };
      return { kind: "refused", text: `${rest.name}: ${answered}`, didYouMean: [], candidates: [] };
    },
  };
}

export const projectIdSchema: JsonSchema = {
  type: "string",
  default: "",
  description: "The project to ask; the one this host is bound to when empty.",
};

/** The answer to a wrong project: an object with nothing but `error`. */
export function wrongProject(host: KagHost, view: CallerView, given: Given): { readonly error: string } | undefined {
  const named = textArgument(given.project_id)?.trim() ?? "";
  const bound = host.projectId(view);
  if (named === "" || named === bound) return undefined;
  return {
    error: `This host is bound to project ${bound} (namespace ${host.namespace(view)}); project_id ${named.slice(0, 100)} is another.`,
  };
}

/** Numbers and truth values count as the text they are written as. */
export function textArgument(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  return typeof given === "number" || typeof given === "boolean" ? String(given) : undefined;
}
