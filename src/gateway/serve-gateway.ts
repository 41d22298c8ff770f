import type { Readable, Writable } from "node:stream";
import type { Log } from "../base/log.ts";
import type { Caller } from "../core/concept/caller.ts";
import type { Audit } from "./client/audit.ts";
import { gatewayMethods } from "./client/gateway-methods.ts";
import { openStdioEndpoint } from "./client/stdio-endpoint.ts";
import { type GatewayConfig, managedServer, type ServerConfig } from "./config/config.ts";
import { conceptEnvironment, type Environment } from "./config/environment.ts";
import { Gateway } from "./gateway.ts";
import { type ServedHttp, type ServeHttpOptions, serveHttp } from "./serve-http.ts";
import { defaultTimeouts, type Timeouts } from "./upstream/timing.ts";
import { prepareServers } from "./upstream/upstream-set.ts";

export interface GatewayOptions {
  readonly config: GatewayConfig;
  readonly environment: Environment;
  /** How the concept server is started, where the file mounts it. */
  readonly conceptServer?: { readonly command: string; readonly args: readonly string[] };
  readonly version: string;
  readonly log: Log;
  readonly audit: Audit;
  readonly auditArguments: boolean;
  readonly timeouts?: Partial<Timeouts>;
  readonly now: () => number;
}

/** Checks everything that can be checked before anything is started. Throws `ConfigError`. */
export function makeGateway(options: GatewayOptions): Gateway {
  const { config, environment, conceptServer, log, version, audit, auditArguments, now } = options;
  const mounted =
    config.concepts && conceptServer !== undefined ? conceptUpstream(conceptServer, environment) : undefined;
  return new Gateway({
    prepared: prepareServers(config.servers, { environment, log, mounted }),
    methods: gatewayMethods,
    version,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    log,
    audit,
    auditArguments,
    now,
  });
}

/** Serves one client on a pair of streams until its stream ends. */
export async function serveGatewayStdio(
  gateway: Gateway,
  streams: { readonly input: Readable; readonly output: Writable },
  caller: Caller,
): Promise<void> {
  await openStdioEndpoint(gateway, streams, { caller, log: gateway.context.log }).closed;
  await gateway.close();
}

/** Serves any number of clients. It is ready when one upstream is: a dead one hurts only itself. */
export async function serveGatewayHttp(
  gateway: Gateway,
  options: Omit<ServeHttpOptions, "backend" | "isHealthy" | "isReady">,
): Promise<ServedHttp> {
  const served = await serveHttp({
    ...options,
    backend: gateway,
    isHealthy: () => true,
    isReady: () => gateway.status().some((one) => one.ready),
  });
  void gateway.shared;
  return {
    url: served.url,
    close: async () => {
      await served.close();
      await gateway.close();
    },
  };
}

/** The concept server reads the same settings as this process; what it may show is its callers' right, not ours. */
function conceptUpstream(
  server: { readonly command: string; readonly args: readonly string[] },
  own: Environment,
): ServerConfig {
  const env = conceptEnvironment(own);
  return managedServer({ name: "iaip-dsl", toolsPrefix: "iaip", takesGrants: true, ...server, env });
}
