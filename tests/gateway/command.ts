import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/caller.ts";
import { parseConfig } from "../../src/gateway/config.ts";
import { makeGateway, serveGatewayHttp } from "../../src/gateway/serve-gateway.ts";
import type { ServedHttp } from "../../src/gateway/serve-http.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = `${root}node_modules/.cache/iaip-dsl`;

/** The gateway's commands as one file that Node can run: `node FILE gateway|adapt|probe …`. */
export async function bundledCli(): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const outfile = `${cache}/gateway-${process.pid}.mjs`;
  await build({
    absWorkingDir: root,
    entryPoints: ["tests/gateway/fixtures/cli.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    define: { __VERSION__: '"test"' },
    logLevel: "error",
  });
  return outfile;
}

export async function startGatewayHttp(
  servers: readonly object[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ServedHttp> {
  const gateway = makeGateway({
    config: parseConfig(JSON.stringify({ servers }), "mcp-servers.yaml"),
    environment,
    version: "1",
    log: silentLog,
    audit: () => {},
    auditArguments: false,
    now: Date.now,
  });
  const access = { kind: "everyone", caller: localCaller() } as const;
  return serveGatewayHttp(gateway, { host: "127.0.0.1", port: 0, access, log: silentLog, now: Date.now });
}
