import { stderrLog } from "../../../base/log.ts";
import { localCaller } from "../../../core/concept/caller.ts";
import { serveAdapter } from "../../../gateway/adapter.ts";
import type { Settings } from "../../../settings/schema.ts";
import { httpGuards } from "../../kit/http-guards.ts";
import { type Io, UsageError } from "../../kit/io.ts";
import { runServer } from "../../kit/run-server.ts";
import { version } from "../../kit/version.ts";

export interface AdaptArgs {
  /** The server to start and its arguments, one each: commas and spaces are safe. */
  readonly command: readonly string[];
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** 8080 by default; 0 takes a free one. */
  readonly port?: number | undefined;
  /** How logs and errors name the server. */
  readonly name?: string | undefined;
  /** Seconds without an answer or progress; 120 by default. */
  readonly timeout?: number | undefined;
  /** Variables handed on to the server beyond the allow-list, by name. */
  readonly passEnv?: readonly string[] | undefined;
}

/** How long the server may take to end, in milliseconds. */
const maxCloseMs = 5_000;

/** Serves a stdio server over HTTP until the process is told to stop. Whoever passes the guards may call every tool. */
export async function runAdapt(args: AdaptArgs, settings: Settings, io: Io): Promise<number> {
  const [command, ...rest] = args.command;
  if (command === undefined)
    throw new UsageError("Name the server to start after --: adapt --port 8080 -- COMMAND ARG….");
  const { host = "127.0.0.1", port = 8080, name = "stdio", timeout = 120 } = args;
  const envFrom = passed(args.passEnv ?? [], io.env);
  const log = stderrLog(settings["log-level"]);
  return runServer({
    log,
    endpoints: [
      async () => {
        const { access, ...guards } = await httpGuards(settings, host, log);
        const { url, close } = await serveAdapter({
          ...guards,
          access: access.kind === "everyone" ? { kind: "everyone", caller: localCaller() } : access,
          name,
          command,
          args: rest,
          env: deploymentEnv(io.env),
          envFrom,
          environment: io.env,
          timeout: timeout * 1_000,
          host,
          port,
          version,
          log,
          now: Date.now,
        });
        return { name, address: `${url}/mcp`, close };
      },
    ],
    started: async ([endpoint]) => {
      io.stderr.write(`iaip-dsl: ${command} is served at ${endpoint?.address}\n`);
      return undefined;
    },
    behind: [],
    maxCloseMs,
  });
}

/** In the form in which Sympozium carries a deployment's variables: `STDIO_ENV_KEY` becomes `KEY`. */
function deploymentEnv(env: Io["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      return name.startsWith("STDIO_ENV_") && value !== undefined ? [[name.slice("STDIO_ENV_".length), value]] : [];
    }),
  );
}

function passed(names: readonly string[], env: Io["env"]): readonly string[] {
  const empty = names.find((name) => (env[name] ?? "").trim() === "");
  if (empty !== undefined) throw new UsageError(`The variable ${empty} (--pass-env) is empty.`);
  return names;
}
