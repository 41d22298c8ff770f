import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { QueryLog } from "../ledger/query-log.ts";
import { instructions } from "../mcp/instructions.ts";
import type { ServerInfo } from "../mcp/protocol/capabilities.ts";
import { withQueryLog } from "../mcp/query-logging.ts";
import type { Surface } from "../mcp/surface.ts";
import { isSelected, selectionFault, selectTools, type ToolSelection, toolsets } from "../mcp/tool-selection.ts";
import type { Settings } from "../settings/schema.ts";
import { UsageError } from "./io.ts";
import type { Opened } from "./open.ts";
import { version } from "./version.ts";

/** The offer that the settings make. Throws `UsageError` for a name that does not exist. */
export function toolSelectionOf(settings: Settings): ToolSelection {
  const offer = { tools: settings.tools, toolsets: settings.toolsets, readOnly: settings["read-only"] };
  const fault = selectionFault(offer);
  if (fault) throw new UsageError(fault);
  return offer;
}

/** What the handshake tells, before there is a vocabulary to make a surface of. */
export const serverInfo: ServerInfo = {
  name: "iaip-dsl",
  title: "IAIP vocabulary",
  version,
  instructions,
  hasResources: true,
  hasPrompts: true,
};

/**
 * The surface of the present snapshot: the same object while the revision stays. Its code is read with the vocabulary,
 * so it may be asked for once that is `ready`. `served` is the address at which pages are served, if they are.
 */
export function surfaceOf(
  { workspace, log }: Opened,
  offer: ToolSelection,
  queries: QueryLog | undefined,
  served: string | undefined,
): () => Surface {
  let make: ((snapshot: Snapshot) => Surface) | undefined;
  workspace.beside(async () => {
    const offersKag = toolsets.kag!.some((it) => isSelected(offer, it));
    const [{ surfaceFor }, { ruleDocs }, kag] = await Promise.all([
      import("../mcp/surface-for.ts"),
      import("./explain.ts"),
      offersKag ? import("../kag/kag-surface.ts") : undefined,
    ]);
    const docs = served === undefined ? ruleDocs(import.meta.url) : (rule: string) => `${served}/rules/${rule}`;
    const kagSurface = kag?.kagSurfaceOf(workspace, { version, log });
    make = (snapshot) => selectTools(surfaceFor(snapshot, version, docs), offer, kagSurface?.().tools);
  });
  let made: { readonly revision: string; readonly surface: Surface } | undefined;
  return () => {
    const { snapshot } = workspace;
    if (made?.revision === snapshot.revision) return made.surface;
    if (!make) throw new Error("the surface is asked for before the vocabulary is ready");
    const offered = make(snapshot);
    made = { revision: snapshot.revision, surface: queries ? withQueryLog(offered, queries) : offered };
    return made.surface;
  };
}
