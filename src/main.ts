import module from "node:module";
import { join } from "node:path";

// A reader of stderr that is gone must not end the process before everything is flushed.
process.stderr.on("error", () => undefined);
// Nor may one of stdout: whoever prints much stops by itself, and `| head` is no fault.
process.stdout.on("error", () => undefined);
keepCompiledCode();
const [{ processIo }, { run }] = await Promise.all([import("./cli/kit/io.ts"), import("./cli/program.ts")]);
process.exitCode = await run(process.argv.slice(2), processIo());

/**
 * From Node 22 on, compiled code is kept between starts: in the folder of `NODE_COMPILE_CACHE`, else in the user's own
 * cache folder, never in a shared one. Where it cannot be written, the start is as it is without.
 */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder?: string) => unknown };
  if (enableCompileCache === undefined) return;
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env;
  const folder = XDG_CACHE_HOME || (HOME ? join(HOME, ".cache") : LOCALAPPDATA);
  if (NODE_COMPILE_CACHE) enableCompileCache(NODE_COMPILE_CACHE);
  else if (folder) enableCompileCache(join(folder, "iaip-dsl", "compiled"));
}
