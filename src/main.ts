import { processIo } from "./cli/io.ts";
import { run } from "./cli/program.ts";

// A reader of stderr that is gone must not end the process before everything it was told is flushed.
process.stderr.on("error", () => undefined);
process.exitCode = await run(process.argv.slice(2), processIo());
