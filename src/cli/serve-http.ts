import type { Settings } from "../config.ts";
import { isLoopback } from "../mcp/http/host-guard.ts";
import { serveMcpHttp } from "../mcp/http/serve.ts";
import type { Surface } from "../mcp/surface.ts";
import type { Front } from "./fronts.ts";
import { UsageError } from "./io.ts";
import type { Opened } from "./open.ts";

/** Opens the HTTP door with the access that the settings say. Without tokens it binds loopback only. */
export async function startHttp(
  front: Extract<Front, { kind: "net" }>,
  settings: Settings,
  { workspace, ledger, caller, log, surface }: Opened & { readonly surface: () => Surface },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (!isLoopback(front.host) && !settings["allow-anonymous"])
    throw new UsageError(
      `${front.host} is not loopback: give --token-file FILE, or --allow-anonymous on a trusted network.`,
    );
  return await serveMcpHttp({
    host: front.host,
    port: front.port,
    access: { kind: "everyone", caller },
    allowHosts: settings["allowed-hosts"],
    allowOrigins: settings["allowed-origins"],
    surface,
    source: workspace,
    ledger,
    log,
  });
}
