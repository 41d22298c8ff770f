import { type Command, Option } from "commander";
import {
  answerSettings,
  type Commands,
  settingsOf,
  textOf,
  type Values,
  vocabularySettings,
  withSettings,
} from "../../kit/command.ts";
import { type ProblemFormat, problemFormats } from "./problem-formats.ts";

export function addConcepts(program: Command, { io, done }: Commands): void {
  const concepts = program.command("concepts").description("Check, list and write concept files.");
  withSettings(concepts.command("check"), vocabularySettings)
    .description("Report every problem of the vocabulary, by name and place.")
    .addOption(
      new Option("--format <format>", "how problems are printed").choices([...problemFormats]).default("pretty"),
    )
    .action(async (flags: Values) => {
      const { runConceptsCheck } = await import("./concepts.ts");
      done(await runConceptsCheck(flags.format as ProblemFormat, await settingsOf(flags, io), io));
    });
  withSettings(concepts.command("list"), vocabularySettings)
    .description("List the concepts with category, direction and access.")
    .option("--json", "print JSON", false)
    .action(async (flags: Values) => {
      const { runConceptsList } = await import("./concepts.ts");
      done(await runConceptsList(flags.json === true, await settingsOf(flags, io), io));
    });
  concepts
    .command("schema")
    .description("Print the JSON Schema of a vocabulary file, for YAML editors.")
    .addOption(
      new Option("--kind <kind>", "which file")
        .choices(["concept", "vocabulary", "sources", "terminology"])
        .default("concept"),
    )
    .action(async (flags: Values) => {
      const { runConceptsSchema } = await import("./concepts.ts");
      done(await runConceptsSchema(flags.kind as "concept", io));
    });
  withSettings(concepts.command("new"), vocabularySettings)
    .description("Write a valid concept file; asks on a terminal for what no flag gives.")
    .option("--id <id>", "lower-case words joined by hyphens")
    .option("--name <name>", "in its own orthography")
    .option("--category <category>", "one of the vocabulary's")
    .option("--family <family>", "one of the vocabulary's")
    .option("--holder <text>", "who holds or wrote it")
    .option("--by-line <text>", "the short attribution")
    .option("--direction <direction>", "one of the vocabulary's")
    .option("--basis <text>", "why it stands there")
    .option("--definition <text>", "two to four sentences")
    .option("--source <key>", "a key of sources.yaml")
    .action(async (flags: Values) => {
      const { runConceptsNew } = await import("./concepts-new.ts");
      done(await runConceptsNew(flags, await settingsOf(flags, io), io));
    });
  withSettings(concepts.command("withdraw"), answerSettings)
    .description("Withdraw a concept: a notice takes the place of its content everywhere, at once.")
    .argument("<concept>", "its id or name")
    .requiredOption("--reason <text>", "why, in the words that may be shown")
    .requiredOption("--contact <text>", "whom to ask from now on")
    .option("--date <date>", "YYYY-MM-DD; today when absent")
    .action(async (concept: string, flags: Values) => {
      const { runConceptsWithdraw } = await import("./concepts-withdraw.ts");
      const withdrawal = {
        concept,
        reason: String(flags.reason),
        contact: String(flags.contact),
        at: textOf(flags.date),
      };
      done(await runConceptsWithdraw(withdrawal, await settingsOf(flags, io), io));
    });
}
