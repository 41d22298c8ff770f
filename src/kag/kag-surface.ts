import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { Surface } from "../mcp/surface.ts";
import { kagToolNames } from "./enabled-tools.ts";
import type { KagOptions } from "./kag-host.ts";
import { kagToolsFor } from "./kag-tools.ts";

export interface KagSurfaceOptions extends KagOptions {
  readonly version: string;
  /** Names of the tools that are offered; all four when absent. */
  readonly enabled?: ReadonlySet<string>;
}

/** Everything a client of this host sees: the four tools and nothing else. One object for each revision. */
export function kagSurfaceOf(source: { readonly snapshot: Snapshot }, options: KagSurfaceOptions): () => Surface {
  const { version, enabled = new Set<string>(kagToolNames) } = options;
  const toolsFor = kagToolsFor(options);
  let made: { readonly revision: string; readonly surface: Surface } | undefined;
  return () => {
    const { vocabulary, revision } = source.snapshot;
    if (made?.revision !== revision) {
      const tools = toolsFor(vocabulary).filter((it) => enabled.has(it.name));
      const surface: Surface = {
        name: "iaip-dsl",
        title: `${vocabulary.title}, as a knowledge graph`,
        version,
        instructions:
          "A host of the kag_* contracts, v1, over a reviewed vocabulary. Ask kag_solve in words; use kag_schema and then kag_reason for exact queries.",
        tools,
        resources: [],
        templates: [],
        prompts: [],
      };
      made = { revision, surface };
    }
    return made.surface;
  };
}
