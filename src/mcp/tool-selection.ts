import { nearest } from "../core/concept/nearest.ts";
import type { Surface, ToolDefinition } from "./surface.ts";

/** Groups of tools that can be offered together. */
export const toolsets: Readonly<Record<string, readonly string[]>> = {
  concepts: [
    "iaip_concept_lookup",
    "iaip_concept_relationship",
    "iaip_concept_search",
    "iaip_concept_context",
    "iaip_direction_concepts",
    "iaip_concept_suggest",
  ],
  terminology: ["iaip_validate_terminology"],
  ledger: ["iaip_wisdom_ledger_log"],
  kag: ["kag_solve", "kag_schema", "kag_reason", "kag_status"],
};
const usual = ["concepts", "terminology", "ledger"];

export interface ToolSelection {
  readonly tools: readonly string[];
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
}

/** What is wrong with an offer, as a sentence; `undefined` when every name exists and something is left. */
export function selectionFault(offer: ToolSelection): string | undefined {
  const tools = Object.values(toolsets).flat();
  const fault = unknownIn("tool", offer.tools, tools) ?? unknownIn("toolset", offer.toolsets, Object.keys(toolsets));
  if (fault) return fault;
  return tools.some((it) => isSelected(offer, it))
    ? undefined
    : "No tool is left to offer. Widen --tools or --toolsets, or leave out --read-only.";
}

/** Whether an offer holds a tool. Named tools are offered besides the named toolsets. */
export function isSelected({ tools, toolsets: sets, readOnly }: ToolSelection, name: string): boolean {
  if (readOnly && name === "iaip_wisdom_ledger_log") return false;
  if (tools.includes(name)) return true;
  if (tools.length > 0 && sets.length === 0) return false;
  return (sets.length === 0 ? usual : sets).some((it) => toolsets[it]?.includes(name));
}

/** The surface with only the offered tools, in their order; `more` are tools of other groups. */
export function selectTools(surface: Surface, offer: ToolSelection, more: readonly ToolDefinition[] = []): Surface {
  return { ...surface, tools: [...surface.tools, ...more].filter((it) => isSelected(offer, it.name)) };
}

function unknownIn(what: string, given: readonly string[], known: readonly string[]): string | undefined {
  const wrong = given.find((it) => !known.includes(it));
  if (wrong === undefined) return undefined;
  const near = nearest(wrong, known);
  return `There is no ${what} \`${wrong}\`. ${near ? `Did you mean \`${near}\`?` : `There are ${known.join(", ")}.`}`;
}
