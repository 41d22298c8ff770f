import { Command, CommanderError } from "commander";
import { settingsFrom } from "../settings/schema.ts";
import { addReading } from "./commands/check/add-check.ts";
import { addConcepts } from "./commands/concepts/add-concepts.ts";
import { addHosts } from "./commands/gateway/add-gateway.ts";
import { addLedger } from "./commands/ledger/add-ledger.ts";
import { addKagFlags, kagArgs } from "./commands/serve/kag-flags.ts";
import {
  answerSettings,
  type Commands,
  readSettingsOf,
  settingsOf,
  textOf,
  type Values,
  vocabularySettings,
  withSettings,
} from "./kit/command.ts";
import { exitCodes, type Io, UsageError, visibleStream } from "./kit/io.ts";
import { version } from "./kit/version.ts";

/** Runs one command line and gives its exit code. Each command's code is loaded when it is called. */
export async function run(argv: readonly string[], given: Io): Promise<number> {
  const io = { ...given, stderr: visibleStream(given.stderr) };
  let code: number = exitCodes.ok;
  const program = makeProgram({
    io,
    done: (result) => {
      code = result;
    },
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    return explain(error, io);
  }
}

function explain(error: unknown, io: Io): number {
  if (error instanceof CommanderError) {
    const isHelp = error.exitCode === 0 || error.code === "commander.help";
    return isHelp ? exitCodes.ok : exitCodes.usage;
  }
  if (error instanceof UsageError) {
    io.stderr.write(`iaip-dsl: ${error.message}\n`);
    return exitCodes.usage;
  }
  const stack = (error as Error).stack ?? String(error);
  io.stderr.write(`iaip-dsl: this is a fault of the program, please report it. ${stack}\n`);
  return exitCodes.fault;
}

/** All that a flag sets, but what only `check` reads. */
const serverSettings = settingsFrom("flag").filter((it) => it !== "fail-on");

/** The whole command tree; also read by the README's tables. */
export function makeProgram(commands: Commands): Command {
  const program = new Command("iaip-dsl");
  program
    .description("One shared vocabulary for people in editors (LSP) and agents (MCP), in the same words.")
    .version(version)
    .showHelpAfterError("Run with --help for what is accepted.")
    .addHelpText(
      "after",
      "\nExit codes: 0 done; 1 findings, problems or a refusal; 2 wrong usage or settings; 3 a fault of the program.",
    );
  addServers(program, commands);
  addReading(program, commands);
  addConcepts(program, commands);
  addLedger(program, commands);
  addHosts(program, commands);
  return quiet(program, commands.io);
}

function addServers(program: Command, { io, done }: Commands): void {
  withSettings(program.command("serve"), serverSettings)
    .description("Serve agents over MCP and editors over LSP, from one vocabulary.")
    .option("--mcp <where>", "stdio, http:HOST:PORT (which has /sse too; sse:HOST:PORT is the same) or none", "none")
    .option("--lsp <where>", "stdio, tcp:HOST:PORT or none", "none")
    .option("--greet", "say on stderr what is served and how to connect", false)
    .action(async (flags: Values) => {
      const { runServe } = await import("./commands/serve/serve.ts");
      const args = { mcp: String(flags.mcp), lsp: String(flags.lsp), greet: flags.greet === true };
      done(await runServe(args, await readSettingsOf(flags, io, "nothing"), io));
    });
  withSettings(program.command("lsp"), [...answerSettings, "strictness", "allow-remote-editors"])
    .description("Serve one editor over LSP; what editors start.")
    .option("--stdio", "on stdin and stdout, which is the default")
    .option("--node-ipc", "over Node's channel to the parent process")
    .option("--socket <port>", "connect out to a client that listens on this port")
    .option("--pipe <path>", "connect out to a client that listens on this pipe")
    .option("--listen <HOST:PORT>", "listen for any number of editors")
    .option("--clientProcessId <pid>", "end when this process ends")
    .action(async (flags: Values) => {
      const { runLsp } = await import("./commands/serve/lsp.ts");
      done(await runLsp(flags, await readSettingsOf(flags, io, "editor"), io));
    });
  withSettings(program.command("call"), answerSettings)
    .description("Call one tool and print its answer.")
    .argument("[tool]", "a tool's name")
    .argument("[json]", "its arguments as a JSON object")
    .option("--json", "print the structured answer", false)
    .option("--stream", 'read {"tool","arguments"} a line from stdin and print one structured answer a line', false)
    .action(async (tool: string | undefined, json: string | undefined, flags: Values) => {
      const { runCall } = await import("./commands/serve/call.ts");
      const args = { tool, json, structured: flags.json === true, stream: flags.stream === true };
      done(await runCall(args, await settingsOf(flags, io), io));
    });
  addKagFlags(withSettings(program.command("kag"), vocabularySettings)).action(
    async (_mode: unknown, flags: Values) => {
      const { runKag } = await import("./commands/serve/kag.ts");
      done(await runKag(kagArgs(flags), (await readSettingsOf(flags, io, "nothing")).settings, io));
    },
  );
  addTokens(program, { io, done });
}

function addTokens(program: Command, { io, done }: Commands): void {
  const token = program.command("token").description("Keep the file of bearer tokens for HTTP.");
  withSettings(token.command("create"), ["token-file"])
    .description("Make a token and print it once; the file keeps its hash.")
    .requiredOption("--name <name>", "who it is for")
    .option("--scopes <list>", "read, log, steward", "read,log")
    .option("--protocols <list>", "community protocols it opens", "")
    .option("--expires <date>", "a day or a moment, ISO 8601")
    .action(async (flags: Values) => {
      const { runToken } = await import("./commands/serve/token.ts");
      const expires = textOf(flags.expires);
      const named = { name: String(flags.name), scopes: list(flags.scopes), protocols: list(flags.protocols) };
      const args = { action: "create" as const, ...named, ...(expires === undefined ? {} : { expires }) };
      done(await runToken(args, await settingsOf(flags, io), io));
    });
  withSettings(token.command("list"), ["token-file"])
    .description("List tokens, without their secrets.")
    .action(async (flags: Values) => {
      const { runToken } = await import("./commands/serve/token.ts");
      done(await runToken({ action: "list" }, await settingsOf(flags, io), io));
    });
  withSettings(token.command("revoke"), ["token-file"])
    .description("Take a token back; running servers refuse it at once.")
    .argument("<token>", "its id or name")
    .action(async (which: string, flags: Values) => {
      const { runToken } = await import("./commands/serve/token.ts");
      done(await runToken({ action: "revoke", token: which }, await settingsOf(flags, io), io));
    });
}

function list(value: unknown): readonly string[] {
  return String(value ?? "")
    .split(",")
    .map((it) => it.trim())
    .filter((it) => it !== "");
}

function quiet(command: Command, io: Io): Command {
  command.exitOverride();
  command.configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });
  for (const child of command.commands) quiet(child, io);
  return command;
}
