import type { Command } from "commander";
import type { Commands } from "./command.ts";

/** Reading terminology from the shell. */
export function addReading(_program: Command, _commands: Commands): void {}
