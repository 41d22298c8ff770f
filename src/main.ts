import { processIo } from "./cli/io.ts";
import { run } from "./cli/program.ts";

// A reader of stderr that is gone must not end the process before everything it was told is flushed.
process.stderr.on("error", () => undefined);
// Nor may one of stdout: whoever prints much stops by itself, and `| head` is no fault.
process.stdout.on("error", () => undefined);
process.exitCode = await run(process.argv.slice(2), processIo());
