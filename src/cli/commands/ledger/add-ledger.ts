import { type Command, Option } from "commander";
import { answerSettings, type Commands, settingsOf, textOf, type Values, withSettings } from "../../kit/command.ts";

/** The Wisdom Ledger's commands: what was used, by whom, and people's rights over it. */
export function addLedger(program: Command, { io, done }: Commands): void {
  const ledger = program.command("ledger").description("Read and keep the Wisdom Ledger.");
  filtered(withSettings(ledger.command("summary"), answerSettings))
    .description("Say how these files were used.")
    .option("--direction <direction>", "only concepts of this direction")
    .option("--category <category>", "only concepts of this category")
    .option("--json", "print JSON", false)
    .action(async (flags: Values) => {
      const { runLedgerSummary } = await import("./ledger-summary.ts");
      const args = {
        ...filterOf(flags),
        direction: textOf(flags.direction),
        category: textOf(flags.category),
        json: flags.json === true,
      };
      done(await runLedgerSummary(args, await settingsOf(flags, io), io));
    });
  filtered(withSettings(ledger.command("export"), answerSettings))
    .description("Write events as JSON lines or CSV.")
    .addOption(new Option("--format <format>", "how events are written").choices(["jsonl", "csv"]).default("jsonl"))
    .option("--out <file>", "where to; stdout when absent")
    .action(async (flags: Values) => {
      const { runLedgerExport } = await import("./ledger-export.ts");
      const args = { ...filterOf(flags), format: flags.format as "jsonl" | "csv", out: textOf(flags.out) };
      done(await runLedgerExport(args, await settingsOf(flags, io), io));
    });
  withSettings(ledger.command("import"), answerSettings)
    .description("Read events from JSON lines; can be run again after a break.")
    .argument("<file>", "what `ledger export` wrote")
    .action(async (file: string, flags: Values) => {
      const { runLedgerImport } = await import("./ledger-import.ts");
      done(await runLedgerImport({ file }, await settingsOf(flags, io), io));
    });
  withSettings(ledger.command("forget"), answerSettings)
    .description("Empty events and leave tombstones; the act itself is recorded.")
    .option("--agent <id>", "events of this agent")
    .option("--session <id>", "events of this session")
    .option("--concept <id>", "events of this concept")
    .option("--before <date>", "events before this day")
    .requiredOption("--reason <text>", "why; it is kept with the act")
    .option("--by <name>", "who asked for it")
    .option("--json", "print JSON", false)
    .action(async (flags: Values) => {
      const { runLedgerForget } = await import("./ledger-forget.ts");
      const { agent, session, concept } = filterOf(flags);
      const what = { agent, session, concept, before: textOf(flags.before), by: textOf(flags.by) };
      done(
        await runLedgerForget(
          { ...what, reason: String(flags.reason), json: flags.json === true },
          await settingsOf(flags, io),
          io,
        ),
      );
    });
  withSettings(ledger.command("received"), answerSettings)
    .description("Say which sessions and agents were told a concept, as far as the ledger can know.")
    .argument("<concept>", "its id or name")
    .option("--json", "print JSON", false)
    .action(async (concept: string, flags: Values) => {
      const { runLedgerReceived } = await import("./ledger-received.ts");
      done(await runLedgerReceived({ concept, json: flags.json === true }, await settingsOf(flags, io), io));
    });
  withSettings(ledger.command("check"), answerSettings)
    .description("Read everything and compare the kept counts with a recount.")
    .option("--json", "print JSON", false)
    .action(async (flags: Values) => {
      const { runLedgerCheck } = await import("./ledger-check.ts");
      done(await runLedgerCheck(flags.json === true, await settingsOf(flags, io), io));
    });
  withSettings(ledger.command("backup"), answerSettings)
    .description("Write a consistent copy.")
    .argument("<file>", "where to")
    .action(async (file: string, flags: Values) => {
      const { runLedgerBackup } = await import("./ledger-check.ts");
      done(await runLedgerBackup(file, await settingsOf(flags, io), io));
    });
  withSettings(program.command("history"), answerSettings)
    .description("Show how a concept's words moved, version by version.")
    .argument("<concept>", "its id or name")
    .option("--json", "print JSON", false)
    .action(async (concept: string, flags: Values) => {
      const { runHistory } = await import("./history.ts");
      done(await runHistory({ concept, json: flags.json === true }, await settingsOf(flags, io), io));
    });
}

function filtered(command: Command): Command {
  return command
    .option("--since <date>", "from this day on, YYYY-MM-DD")
    .option("--until <date>", "up to this day")
    .option("--concept <id>", "only this concept")
    .option("--agent <id>", "only this agent")
    .option("--session <id>", "only this session");
}

function filterOf(flags: Values) {
  return {
    since: textOf(flags.since),
    until: textOf(flags.until),
    concept: textOf(flags.concept),
    agent: textOf(flags.agent),
    session: textOf(flags.session),
  };
}
