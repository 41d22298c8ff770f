import type { Snapshot } from "../../../core/snapshot/snapshot.ts";
import { kagToolNames } from "../../../kag/enabled-tools.ts";
import type { QueryLog } from "../../../ledger/query-log.ts";
import { instructions } from "../../../mcp/instructions.ts";
import type { ServerInfo } from "../../../mcp/protocol/capabilities.ts";
import { withQueryLog } from "../../../mcp/query-logging.ts";
import type { Surface } from "../../../mcp/surface.ts";
import {
  isSelected,
  type SelectableTool,
  selectionFault,
  selectTools,
  type ToolSelection,
} from "../../../mcp/tool-selection.ts";
import type { Settings } from "../../../settings/schema.ts";
import { UsageError } from "../../kit/io.ts";
import type { Opened } from "../../kit/open.ts";
import { version } from "../../kit/version.ts";

const kagTools: readonly SelectableTool[] = kagToolNames.map((name) => ({ name, toolset: "kag", scope: "read" }));

/** The tools that the settings select. Throws `UsageError` for a name that does not exist. */
export async function toolSelectionOf(settings: Settings): Promise<ToolSelection> {
  const selection = { tools: settings.tools, toolsets: settings.toolsets, readOnly: settings["read-only"] };
  if (selection.tools.length + selection.toolsets.length === 0) return selection;
  // Read only where names are given: a server that offers the usual tools starts without their code.
  const { allTools } = await import("../../../mcp/tools/all-tools.ts");
  const fault = selectionFault(selection, [...allTools, ...kagTools]);
  if (fault) throw new UsageError(fault);
  return selection;
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
  selection: ToolSelection,
  queries: QueryLog | undefined,
  served: string | undefined,
): () => Surface {
  let make: ((snapshot: Snapshot) => Surface) | undefined;
  workspace.beside(async () => {
    const hasKag = kagTools.some((it) => isSelected(selection, it));
    const [{ surfaceFor }, { ruleDocs }, kag] = await Promise.all([
      import("../../../mcp/surface-for.ts"),
      import("../../kit/rule-docs.ts"),
      hasKag ? import("../../../kag/kag-surface.ts") : undefined,
    ]);
    const docs = served === undefined ? ruleDocs(import.meta.url) : (rule: string) => `${served}/rules/${rule}`;
    const kagSurface = kag?.kagSurfaceOf(workspace, { version, log });
    make = (snapshot) => selectTools(surfaceFor(snapshot, version, docs), selection, kagSurface?.().tools);
  });
  let made: { readonly revision: string; readonly surface: Surface } | undefined;
  return () => {
    const { snapshot } = workspace;
    if (made?.revision === snapshot.revision) return made.surface;
    if (!make) throw new Error("the surface is asked for before the vocabulary is ready");
    const selected = make(snapshot);
    made = { revision: snapshot.revision, surface: queries ? withQueryLog(selected, queries) : selected };
    return made.surface;
  };
}
