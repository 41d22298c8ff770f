import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles a TypeScript entry beside the installed packages, so that a real process can run it. Returns its path; it is gone when the tests are. */
export async function buildEntry(path: string): Promise<string> {
  const folder = join(root, "node_modules", ".cache", "iaip-tests");
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${basename(path, ".ts")}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    define: { __VERSION__: '"1.0.0"' },
    logLevel: "error",
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return outfile;
}
