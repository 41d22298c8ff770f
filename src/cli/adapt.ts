import { stderrLog } from "../base/log.ts";
import { localCaller } from "../core/caller.ts";
import { serveAdapter } from "../gateway/adapter.ts";
import { isLoopback } from "../mcp/http/host-guard.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { untilTold } from "./until-told.ts";
import { version } from "./version.ts";

export interface AdaptArgs {
  /** The server to start and its arguments, one each: commas and spaces are safe. */
  readonly command: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly name?: string | undefined;
  /** Seconds. */
  readonly timeout: number;
  /** Variables handed on to the server beyond the allow-list, by name. */
  readonly passEnv: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Lets callers in without a token where the host is not loopback. */
  readonly allowAnonymous: boolean;
  readonly verbose: boolean;
}

/** Serves a stdio server over HTTP until the process is told to stop. */
export async function runAdapt(args: AdaptArgs, io: Io): Promise<number> {
  const [command, ...rest] = args.command;
  if (command === undefined)
    throw new UsageError("Name the server to start, after --: adapt --port 8080 -- COMMAND ARG…");
  if (!isLoopback(args.host) && !args.allowAnonymous)
    throw new UsageError(`${args.host} is not loopback: give --allow-anonymous where the network is trusted.`);
  const log = stderrLog(args.verbose ? "debug" : "info");
  const served = await serveAdapter({
    name: args.name ?? "stdio",
    command,
    args: rest,
    env: handedOn(args.passEnv, io.env),
    environment: io.env,
    timeout: args.timeout * 1_000,
    host: args.host,
    port: args.port,
    access: { kind: "everyone", caller: localCaller() },
    allowHosts: args.allowedHosts,
    allowOrigins: args.allowedOrigins,
    version,
    log,
    now: Date.now,
  });
  log("info", `serving ${command} at ${served.url}/mcp`);
  await untilTold();
  await served.close();
  return exitCodes.ok;
}

/** By name, and in the form in which Sympozium carries a deployment's variables: `STDIO_ENV_KEY` becomes `KEY`. */
function handedOn(names: readonly string[], env: Io["env"]): Record<string, string> {
  const carried = Object.entries(env).flatMap(([name, value]) => {
    return name.startsWith("STDIO_ENV_") && value !== undefined ? [[name.slice("STDIO_ENV_".length), value]] : [];
  });
  const named = names.map((name) => {
    const value = env[name];
    if (value === undefined || value === "") throw new UsageError(`The variable ${name} (--pass-env) is empty.`);
    return [name, value];
  });
  return Object.fromEntries([...carried, ...named]);
}
