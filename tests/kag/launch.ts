import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StdioPeer } from "../mcp/stdio-peer.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Installed {
  /** The bundle, as `node PATH kag` runs it. */
  readonly entry: string;
  /** The command, as a global install links it. */
  readonly bin: string;
  /** A project that has the package installed, for `npx`. */
  readonly project: string;
  remove(): Promise<void>;
}

/** The built program, linked as an install links it. */
export async function install(): Promise<Installed> {
  const entry = join(root, "dist", "iaip-dsl.mjs");
  const project = await mkdtemp(join(tmpdir(), "iaip-kag-"));
  const bin = join(project, "node_modules", ".bin", "iaip-dsl");
  await mkdir(join(project, "node_modules", ".bin"), { recursive: true });
  await symlink(entry, bin);
  await writeFile(join(project, "package.json"), '{"name":"somebodys-project","version":"1.0.0"}');
  return { entry, bin, project, remove: () => rm(project, { recursive: true, force: true }) };
}

export interface Launched {
  readonly child: ChildProcessWithoutNullStreams;
  readonly peer: StdioPeer;
  /** Whole texts so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Settles with the exit code. */
  readonly ended: Promise<number | null>;
}

export function launch(
  command: string,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Launched {
  const child = spawn(command, args, { cwd: options.cwd, env: { ...process.env, ...options.env } });
  let [out, err] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const peer = new StdioPeer(child.stdin, child.stdout);
  child.stdout.on("data", (text: string) => {
    out += text;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, peer, stdout: () => out, stderr: () => err, ended };
}

/** Settles with the first match in what the process says on stderr. */
export function saidOnStderr({ child, stderr }: Launched, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = pattern.exec(stderr());
      if (found) resolve(found[1] ?? found[0]);
    };
    child.stderr.on("data", look);
    child.on("close", () => reject(new Error(`it ended and said: ${stderr()}`)));
    look();
  });
}
