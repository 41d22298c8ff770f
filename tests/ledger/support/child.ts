import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Bundles one TypeScript entry into a single file as the package is shipped, beside the packages it loads. */
export async function bundled(entry: string, name: string): Promise<string> {
  const outfile = `${root}node_modules/.cache/iaip-dsl/tests/${name}-${process.pid}.mjs`;
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["better-sqlite3", "pg-native"],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "error",
  });
  return outfile;
}

export interface WriterOptions {
  readonly where: string;
  readonly agent: string;
  /** Events to write; endless when left out. */
  readonly count?: number;
  /** Callers at once. */
  readonly callers: number;
  readonly patience?: number;
}

export interface Writer {
  readonly process: ChildProcess;
  /** Ids that were acknowledged so far. */
  readonly acknowledged: readonly string[];
  /** Sentences of refusals so far. */
  readonly refused: readonly string[];
  /** Largest time the writer's event loop stood still, in milliseconds, as it said last. */
  readonly longestPause: () => number;
  /** Settles with the exit, all lines read. */
  readonly ended: Promise<void>;
  readonly firstAcknowledged: Promise<void>;
}

/** A process that writes to a ledger and says each acknowledgement before it goes on. */
export function startWriter(script: string, options: WriterOptions): Writer {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let pause = 0;
  let first = () => {};
  const firstAcknowledged = new Promise<void>((resolve) => {
    first = resolve;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const [word, ...rest] = line.split(" ");
    if (word === "ack") acknowledged.push(rest[0] ?? "");
    if (word === "refused") refused.push(rest.join(" "));
    if (word === "pause") pause = Math.max(pause, Number(rest[0]));
    if (word === "ack") first();
  });
  const ended = Promise.all([once(child, "exit"), once(lines, "close")]).then(() => first());
  return { process: child, acknowledged, refused, longestPause: () => pause, ended, firstAcknowledged };
}
