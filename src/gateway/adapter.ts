import type { JsonRpcMessage } from "../base/json-rpc.ts";
import { isRecord } from "../base/json-rpc.ts";
import { adapterMethods, passOn, repairEnvelope } from "./client/adapter-methods.ts";
import { managedServer } from "./config/config.ts";
import type { Environment } from "./config/environment.ts";
import { Gateway } from "./gateway.ts";
import { type ServedHttp, type ServeHttpOptions, serveHttp } from "./serve-http.ts";
import { defaultTimeouts, type Timeouts } from "./upstream/timing.ts";
import { prepareServers } from "./upstream/upstream-set.ts";

export interface AdapterOptions
  extends Omit<ServeHttpOptions, "backend" | "isHealthy" | "isReady" | "statusOf" | "repair"> {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Beside what the allow-list of `environment.ts` hands on. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that are handed on as secrets. Throws `ConfigError` for an empty one. */
  readonly envFrom?: readonly string[];
  readonly environment: Environment;
  /** Milliseconds without an answer or progress. */
  readonly timeout: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly version: string;
}

/** The waits between starts of a server that keeps ending: one second, doubled up to thirty. */
const adapterTimeouts: Timeouts = { ...defaultTimeouts, firstRetry: 1_000, lastRetry: 30_000 };

/**
 * Any stdio server over HTTP: `POST /` and `/mcp`, `/healthz`, `/readyz`. Clients that take no requests share
 * one process; answers are matched by id, so none of them can get another's.
 */
export async function serveAdapter(options: AdapterOptions): Promise<ServedHttp> {
  const { name, command, args, env, envFrom = [], environment, log, now } = options;
  const timeout = options.timeout / 1_000;
  const mounted = managedServer({ name, toolsPrefix: "adapted", command, args, env, envFrom, timeout });
  const gateway = new Gateway({
    prepared: prepareServers([], { environment, log, mounted }),
    methods: adapterMethods,
    otherwise: passOn,
    version: options.version,
    timeouts: { ...adapterTimeouts, ...options.timeouts },
    log,
    audit: () => {},
    auditArguments: false,
    now,
  });
  const phase = () => gateway.shared.get(name)?.health.phase;
  const served = await serveHttp({
    ...options,
    backend: gateway,
    repair: repairEnvelope,
    statusOf,
    isHealthy: () => phase() === "ready" || phase() === "connecting",
    isReady: () => phase() === "ready",
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

/** 503 where the server is not running, 502 where it took the request and gave no answer. */
function statusOf(answer: JsonRpcMessage): { readonly status: number; readonly body: unknown } | undefined {
  const data = answer.error?.data;
  if (!isRecord(data) || typeof data.upstream !== "string") return undefined;
  return { status: data.kind === "unavailable" ? 503 : 502, body: { error: answer.error?.message } };
}
