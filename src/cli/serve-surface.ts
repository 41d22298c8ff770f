import type { Settings } from "../config.ts";
import type { QueryLog } from "../ledger/query-log.ts";
import { isOffered, type Offer, offeredSurface, offerFault, toolsets } from "../mcp/offered.ts";
import { withQueryLog } from "../mcp/query-logging.ts";
import type { Surface } from "../mcp/surface.ts";
import { surfaceFor } from "../mcp/surface-for.ts";
import { UsageError } from "./io.ts";
import type { Opened } from "./open.ts";
import { version } from "./version.ts";

/** The offer that the settings make. Throws `UsageError` for a name that does not exist. */
export function offerOf(settings: Settings): Offer {
  const offer = { tools: settings.tools, toolsets: settings.toolsets, readOnly: settings["read-only"] };
  const fault = offerFault(offer);
  if (fault) throw new UsageError(fault);
  return offer;
}

/** The surface of the present snapshot: the same object while the revision stays. */
export async function surfaceOf(
  { workspace, log }: Opened,
  offer: Offer,
  queries: QueryLog | undefined,
): Promise<() => Surface> {
  const offersKag = toolsets.kag!.some((it) => isOffered(offer, it));
  const kag = offersKag ? (await import("../kag/kag-surface.ts")).kagSurfaceOf(workspace, { version, log }) : undefined;
  let made: { readonly revision: string; readonly surface: Surface } | undefined;
  return () => {
    const { snapshot } = workspace;
    if (made?.revision === snapshot.revision) return made.surface;
    const offered = offeredSurface(surfaceFor(snapshot, version), offer, kag?.().tools);
    const surface = queries ? withQueryLog(offered, queries) : offered;
    made = { revision: snapshot.revision, surface };
    return surface;
  };
}
