import type { Snapshot } from "../core/snapshot/snapshot.ts";
import { instructions, surfaceTitle } from "./instructions.ts";
import { prompts } from "./prompts.ts";
import { resources, templates } from "./resources.ts";
import type { Surface } from "./surface.ts";
import { allTools } from "./tools/all-tools.ts";

/** Everything clients see of the vocabulary; the tools' enums follow it. Made once a revision, by the caller. */
export function surfaceFor(
  { vocabulary }: Pick<Snapshot, "vocabulary">,
  version: string,
  docs?: (rule: string) => string,
): Surface {
  return {
    name: "iaip-dsl",
    title: surfaceTitle(vocabulary),
    version,
    instructions,
    tools: allTools.map((it) => it.make({ vocabulary, docs })),
    resources,
    templates,
    prompts,
  };
}
