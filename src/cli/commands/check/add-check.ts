import { type Command, Option } from "commander";
import {
  type Commands,
  readSettingsOf,
  settingsOf,
  textOf,
  type Values,
  vocabularySettings,
  withSettings,
} from "../../kit/command.ts";
import { type CheckFormat, checkFormats } from "./check-formats.ts";

/** Reading terminology from the shell. */
export function addReading(program: Command, { io, done }: Commands): void {
  withSettings(program.command("check"), [...vocabularySettings, "strictness", "fail-on"])
    .description("Read texts and say what the vocabulary advises against, with reason and source.")
    .argument("[paths...]", "files, folders or globs; all below the current folder when absent; - is standard input")
    .option("--staged", "read what is staged in git")
    .option("--stdin-filename <name>", "read standard input as this file; its ending decides the format")
    .addOption(new Option("--format <format>", "how findings are printed").choices([...checkFormats]).default("pretty"))
    .option("--fix", "make the changes that are always right")
    .action(async (paths: readonly string[], flags: Values) => {
      const { runCheck } = await import("./check.ts");
      const stdinFilename = textOf(flags.stdinFilename);
      const options = {
        paths,
        staged: flags.staged === true,
        fix: flags.fix === true,
        format: flags.format as CheckFormat,
        ...(stdinFilename === undefined ? {} : { stdinFilename }),
      };
      done(await runCheck(options, await readSettingsOf(flags, io, "wording"), io));
    });
  withSettings(program.command("explain"), vocabularySettings)
    .description("Print the page of a terminology rule; without one, the table of all.")
    .argument("[rule]", "id of the rule")
    .action(async (rule: string | undefined, flags: Values) => {
      const { runExplain } = await import("./explain.ts");
      done(await runExplain(rule, await settingsOf(flags, io), io));
    });
}
