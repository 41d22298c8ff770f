import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Log, stderrLog } from "../../../base/log.ts";
import { localCaller } from "../../../core/concept/caller.ts";
import type { Audit } from "../../../gateway/client/audit.ts";
import { ConfigError, type GatewayConfig, parseConfig } from "../../../gateway/config/config.ts";
import type { Gateway } from "../../../gateway/gateway.ts";
import { makeGateway, serveGatewayHttp, serveGatewayStdio } from "../../../gateway/serve-gateway.ts";
import type { Settings } from "../../../settings/schema.ts";
import type { Address } from "../../kit/address.ts";
import { httpGuards } from "../../kit/http-guards.ts";
import { exitCodes, type Io, UsageError } from "../../kit/io.ts";
import { type Endpoint, runServer } from "../../kit/run-server.ts";
import { version } from "../../kit/version.ts";

export interface GatewayArgs {
  /** `mcp-servers.yaml`; `$MCP_CONFIG_PATH`, or the file of that name here, when absent. */
  readonly config?: string | undefined;
  /** Absent: stdio. */
  readonly http?: Address | undefined;
  /** A file to which a line is added for every call; `-` is stderr. */
  readonly audit?: string | undefined;
  readonly auditArguments?: boolean | undefined;
  /** Seconds that lists wait for servers that are starting. */
  readonly listWait?: number | undefined;
}

/** How long upstreams that are processes may take to end, in milliseconds. */
const maxCloseMs = 5_000;

/** Serves every configured upstream as one MCP server. Without a file, or with no server in it, there is nothing to do. */
export async function runGateway(args: GatewayArgs, settings: Settings, io: Io): Promise<number> {
  const gateway = openConfigured(args, settings, io);
  if (gateway === undefined) return exitCodes.ok;
  const { log } = gateway.context;
  const target = args.http;
  return runServer({
    log,
    endpoints: [() => (target === undefined ? onStdio(gateway, settings, io) : onHttp(target, gateway, settings))],
    started: async ([endpoint]) => {
      if (target !== undefined) io.stderr.write(`iaip-dsl: the gateway is at ${endpoint?.address}\n`);
      return undefined;
    },
    behind: [() => gateway.close()],
    maxCloseMs,
  });
}

async function onStdio(gateway: Gateway, settings: Settings, { stdin, stdout }: Io): Promise<Endpoint> {
  const closed = serveGatewayStdio(gateway, { input: stdin, output: stdout }, localCaller(settings.grant));
  return { name: "gateway", address: "stdio", closed, close: () => void stdin.destroy() };
}

async function onHttp({ host, port }: Address, gateway: Gateway, settings: Settings): Promise<Endpoint> {
  const { log } = gateway.context;
  const guards = await httpGuards(settings, host, log);
  const { url, close } = await serveGatewayHttp(gateway, { ...guards, host, port, log, now: Date.now });
  return { name: "gateway", address: `${url}/mcp`, close };
}

/** The gateway of the file, with nothing started; `undefined`, said on stderr, where there is nothing to serve. */
export function openConfigured(args: GatewayArgs, settings: Settings, io: Io): Gateway | undefined {
  const file = resolve(io.cwd, args.config ?? io.env.MCP_CONFIG_PATH ?? "mcp-servers.yaml");
  try {
    const config = readConfig(file);
    if (config === undefined || (config.servers.length === 0 && !config.concepts)) {
      io.stderr.write(
        `iaip-dsl: ${file} ${config === undefined ? "does not exist" : "names no servers"}: nothing to serve.\n`,
      );
      return undefined;
    }
    const log = stderrLog(settings["log-level"]);
    return makeGateway({
      config,
      environment: io.env,
      conceptServer: { command: process.execPath, args: [process.argv[1] ?? "", "serve", "--mcp", "stdio"] },
      version,
      log,
      audit: auditTo(args.audit, io, log),
      auditArguments: args.auditArguments === true,
      ...(args.listWait === undefined ? {} : { timeouts: { listWait: args.listWait * 1_000 } }),
      now: Date.now,
    });
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

function readConfig(file: string): GatewayConfig | undefined {
  try {
    return existsSync(file) ? parseConfig(readFileSync(file, "utf8"), file) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The file is opened before anything is served. A line that cannot be written later is said, and the call stands. */
function auditTo(where: string | undefined, io: Io, log: Log): Audit {
  if (where === undefined) return () => {};
  if (where === "-") return (event) => io.stderr.write(`${JSON.stringify({ audit: event })}\n`);
  const file = resolve(io.cwd, where);
  const add = (text: string) => appendFileSync(file, text, { mode: 0o600 });
  try {
    add("");
  } catch (error) {
    throw new UsageError(`--audit ${where}: the file cannot be written: ${(error as Error).message}`);
  }
  return (event) => {
    try {
      add(`${JSON.stringify(event)}\n`);
    } catch (error) {
      log("error", "a call is missing from the audit file", { file, reason: (error as Error).message, ...event });
    }
  };
}
