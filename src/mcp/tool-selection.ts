import { nearest } from "../core/concept/nearest.ts";
import type { Surface, ToolDefinition } from "./surface.ts";

/** What a selection is made by. */
export type SelectableTool = Pick<ToolDefinition, "name" | "toolset" | "scope">;

export interface ToolSelection {
  readonly tools: readonly string[];
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
}

/** Groups that are offered when none is named. */
const usualToolsets = ["concepts", "terminology", "ledger"];

/** What is wrong with a selection, as a sentence; `undefined` when every name exists and something is left. */
export function selectionFault(selection: ToolSelection, all: readonly SelectableTool[]): string | undefined {
  const names = all.map(({ name }) => name);
  const toolsets = [...new Set(all.map(({ toolset }) => toolset))];
  const fault = unknownIn("tool", selection.tools, names) ?? unknownIn("toolset", selection.toolsets, toolsets);
  if (fault) return fault;
  return all.some((it) => isSelected(selection, it))
    ? undefined
    : "No tool is left to offer. Widen --tools or --toolsets, or leave out --read-only.";
}

/** Whether a selection holds a tool. Named tools are offered besides the named toolsets. */
export function isSelected({ tools, toolsets, readOnly }: ToolSelection, tool: SelectableTool): boolean {
  if (readOnly && tool.scope === "log") return false;
  if (tools.includes(tool.name)) return true;
  if (tools.length > 0 && toolsets.length === 0) return false;
  return (toolsets.length === 0 ? usualToolsets : toolsets).includes(tool.toolset);
}

/** The surface with only the selected tools, in their order; `more` are tools of other groups. */
export function selectTools(surface: Surface, selection: ToolSelection, more: readonly ToolDefinition[] = []): Surface {
  return { ...surface, tools: [...surface.tools, ...more].filter((it) => isSelected(selection, it)) };
}

function unknownIn(what: string, given: readonly string[], known: readonly string[]): string | undefined {
  const wrong = given.find((it) => !known.includes(it));
  if (wrong === undefined) return undefined;
  const near = nearest(wrong, known);
  return `There is no ${what} \`${wrong}\`. ${near ? `Did you mean \`${near}\`?` : `There are ${known.join(", ")}.`}`;
}
