import type { Command } from "commander";
import { parseAddress, parsePort } from "../../kit/address.ts";
import { accessSettings, type Commands, readSettingsOf, textOf, type Values, withSettings } from "../../kit/command.ts";
import { UsageError } from "../../kit/io.ts";

/** The host's side of MCP: many servers as one, and any stdio server over HTTP. */
export function addHosts(program: Command, { io, done }: Commands): void {
  const gateway = withSettings(program.command("gateway"), ["log-level", ...accessSettings])
    .description("Serve many MCP servers as one, with prefixes, filters and probing.")
    .option("--config <file>", "the servers, as mcp-servers.yaml has them")
    .option("--http <HOST:PORT>", "serve over HTTP; stdio when absent")
    .option("--audit <file>", "write one JSON line for each call")
    .option("--list-wait <seconds>", "how long lists wait for servers that are starting", "5")
    .option("--audit-arguments", "keep the calls' arguments in it too", false)
    .action(async (flags: Values) => {
      const { runGateway } = await import("./gateway.ts");
      const http = flags.http === undefined ? undefined : parseAddress("--http", String(flags.http));
      const audit = { audit: textOf(flags.audit), auditArguments: flags.auditArguments === true };
      done(
        await runGateway(
          { config: textOf(flags.config), http, ...audit, listWait: seconds("--list-wait", flags.listWait) },
          (await readSettingsOf(flags, io, "nothing")).settings,
          io,
        ),
      );
    });
  withSettings(gateway.command("probe"), ["log-level"])
    .description("Ask each server for its tools and print its state.")
    .option("--config <file>", "the servers, as mcp-servers.yaml has them")
    .option("--json", "print JSON", false)
    .option("--watch", "go on asking and print what changes", false)
    .action(async (_: Values, command: Command) => {
      const flags = command.optsWithGlobals<Values>();
      const { runGatewayProbe } = await import("./gateway-probe.ts");
      const args = { config: textOf(flags.config), json: flags.json === true, watch: flags.watch === true };
      done(await runGatewayProbe(args, (await readSettingsOf(flags, io, "nothing")).settings, io));
    });
  withSettings(program.command("adapt"), ["log-level", ...accessSettings])
    .description("Serve any stdio MCP server over HTTP: adapt --port 8080 -- COMMAND ARG…")
    .argument("<command...>", "the server to start and its arguments, after --")
    .option("--host <host>", "where to listen", "127.0.0.1")
    .option("--port <port>", "0 takes a free one", "8080")
    .option("--name <name>", "how logs and errors name it")
    .option("--timeout <seconds>", "without an answer or progress", "120")
    .option("--pass-env <names>", "variables handed on to it, with commas", "")
    .action(async (command: readonly string[], flags: Values) => {
      const { runAdapt } = await import("./adapt.ts");
      const where = {
        host: textOf(flags.host),
        port: parsePort("--port", String(flags.port)),
        timeout: whole("--timeout", flags.timeout),
      };
      const passEnv = String(flags.passEnv)
        .split(",")
        .filter((it) => it !== "");
      done(
        await runAdapt(
          { command, name: textOf(flags.name), ...where, passEnv },
          (await readSettingsOf(flags, io, "nothing")).settings,
          io,
        ),
      );
    });
}

function whole(flag: string, value: unknown): number {
  if (!/^\d{1,6}$/.test(String(value)))
    throw new UsageError(`${flag} takes a whole number; ${JSON.stringify(value)} was given.`);
  return Number(value);
}

function seconds(flag: string, value: unknown): number {
  const number = Number(value);
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(String(value)))
    throw new UsageError(`${flag} takes a number of seconds; ${JSON.stringify(value)} was given.`);
  return number;
}
