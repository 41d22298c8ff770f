import { Command, CommanderError, Option } from "commander";
import { readSettings, type SettingName, type Settings, settingInfo, settingNames } from "../config.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { addKagFlags, kagArgs } from "./kag-flags.ts";
import { type ProblemFormat, problemFormats } from "./problem-formats.ts";
import { version } from "./version.ts";

type Values = Readonly<Record<string, unknown>>;

const vocabularySettings: readonly SettingName[] = ["concepts", "log-level", "grant"];
const answerSettings: readonly SettingName[] = [...vocabularySettings, "ledger", "strictness"];

/** Runs one command line and gives its exit code. Each command's code is loaded when it is called. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCodes.ok;
  const program = makeProgram(io, (result) => {
    code = result;
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
  io.stderr.write(
    `iaip-dsl: this is a fault of the program, please report it. ${(error as Error).stack ?? String(error)}\n`,
  );
  return exitCodes.fault;
}

/** The whole command tree; also read by the README's table. */
export function makeProgram(io: Io, done: (code: number) => void): Command {
  const program = new Command("iaip-dsl");
  program
    .description("One shared vocabulary for people in editors (LSP) and agents (MCP), in the same words.")
    .version(version)
    .showHelpAfterError("Run with --help for what is accepted.")
    .addHelpText(
      "after",
      "\nExit codes: 0 done; 1 findings, problems or a refusal; 2 wrong usage or settings; 3 a fault of the program.",
    );
  const settings = (flags: Values): Settings => readSettings({ flags: settingFlags(flags), env: io.env, cwd: io.cwd });

  withSettings(
    program.command("serve"),
    settingNames.filter((it) => it !== "strictness"),
  )
    .description("Serve agents over MCP and editors over LSP, from one vocabulary.")
    .option("--mcp <where>", "stdio, http:HOST:PORT or none", "none")
    .option("--lsp <where>", "stdio, tcp:HOST:PORT or none", "none")
    .option("--greet", "say on stderr what is served and how to connect", false)
    .action(async (flags: Values) => {
      const { runServe } = await import("./serve.ts");
      done(
        await runServe(
          { mcp: String(flags.mcp), lsp: String(flags.lsp), greet: flags.greet === true },
          settings(flags),
          io,
        ),
      );
    });

  withSettings(program.command("call"), answerSettings)
    .description("Call one tool and print its answer.")
    .argument("[tool]", "a tool's name")
    .argument("[json]", "its arguments as a JSON object")
    .option("--json", "print the structured answer", false)
    .option("--stream", 'read {"tool","arguments"} a line from stdin and print one structured answer a line', false)
    .action(async (tool: string | undefined, json: string | undefined, flags: Values) => {
      const { runCall } = await import("./call.ts");
      done(
        await runCall(
          { tool, json, structured: flags.json === true, stream: flags.stream === true },
          settings(flags),
          io,
        ),
      );
    });

  addKagFlags(withSettings(program.command("kag"), vocabularySettings)).action(
    async (_mode: unknown, flags: Values) => {
      const { runKag } = await import("./kag.ts");
      done(await runKag(kagArgs(flags), settings(flags), io));
    },
  );

  addConcepts(program, settings, done, io);
  return quiet(program, io);
}

function addConcepts(
  program: Command,
  settings: (flags: Values) => Settings,
  done: (code: number) => void,
  io: Io,
): void {
  const concepts = program.command("concepts").description("Check, list and write concept files.");
  withSettings(concepts.command("check"), vocabularySettings)
    .description("Report every problem of the vocabulary, by name and place.")
    .addOption(
      new Option("--format <format>", "how problems are printed").choices([...problemFormats]).default("pretty"),
    )
    .action(async (flags: Values) => {
      const { runConceptsCheck } = await import("./concepts.ts");
      done(await runConceptsCheck(flags.format as ProblemFormat, settings(flags), io));
    });
  withSettings(concepts.command("list"), vocabularySettings)
    .description("List the concepts with category, direction and access.")
    .option("--json", "print JSON", false)
    .action(async (flags: Values) => {
      const { runConceptsList } = await import("./concepts.ts");
      done(await runConceptsList(flags.json === true, settings(flags), io));
    });
  concepts
    .command("schema")
    .description("Print the JSON Schema of a concept file, for YAML editors.")
    .addOption(
      new Option("--kind <kind>", "which file").choices(["concept", "vocabulary", "sources"]).default("concept"),
    )
    .action(async (flags: Values) => {
      const { runConceptsSchema } = await import("./concepts.ts");
      done(await runConceptsSchema(flags.kind as "concept", io));
    });
}

/** Gives a command the flags of these settings. They have no defaults here: absent means the environment or the file. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, value, description, fallback, env } = settingInfo(name);
    const text = `${description} ($${env}${fallback === "" || fallback === "false" ? "" : `; ${fallback}`})`;
    command.option(value === undefined ? flag : `${flag} <${value}>`, text);
  }
  return command;
}

function settingFlags(flags: Values): Values {
  return Object.fromEntries(settingNames.map((name) => [name, flags[camelCase(name)]]));
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function quiet(command: Command, io: Io): Command {
  command.exitOverride();
  command.configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });
  for (const child of command.commands) quiet(child, io);
  return command;
}
