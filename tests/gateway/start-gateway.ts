import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { parseConfig } from "../../src/gateway/config/config.ts";
import { makeGateway, serveGatewayHttp } from "../../src/gateway/serve-gateway.ts";
import type { ServedHttp } from "../../src/gateway/serve-http.ts";

export async function startGatewayHttp(
  servers: readonly object[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
  port = 0,
): Promise<ServedHttp> {
  const gateway = makeGateway({
    config: parseConfig(JSON.stringify({ servers }), "mcp-servers.yaml"),
    environment,
    version: "1",
    log: silentLog,
    audit: () => {},
    auditArguments: false,
    // A server that starts slowly on a busy machine is no failure of what is tested.
    timeouts: { listWait: 60_000, refreshWait: 60_000 },
    now: Date.now,
  });
  const access = { kind: "everyone", caller: localCaller() } as const;
  return serveGatewayHttp(gateway, { host: "127.0.0.1", port, access, log: silentLog, now: Date.now });
}
