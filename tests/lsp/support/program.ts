import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Peer } from "./peer.ts";

/** The built program; the test setup builds it before any test. */
export const program = process.env.IAIP_DSL_PROGRAM ?? path.join(import.meta.dirname, "../../../dist/iaip-dsl.mjs");

export interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  stderr(): string;
  /** Settles when stderr holds the words. */
  said(words: string): Promise<void>;
}

/**
 * Starts the built program with a ledger of its own, so that the person's is never touched. It ends with this process,
 * also when a test runs out of time.
 */
export async function start(
  args: readonly string[],
  options: { readonly stdio?: ("pipe" | "ipc")[]; readonly cwd?: string } = {},
): Promise<Started> {
  const data = await mkdtemp(path.join(tmpdir(), "iaip-data-"));
  const isWatched = args[0] !== "lsp" || args.some((it) => it.startsWith("--clientProcessId"));
  const own = isWatched ? args : [...args, `--clientProcessId=${process.pid}`];
  const child = spawn(process.execPath, [program, ...own], {
    cwd: options.cwd ?? data,
    stdio: options.stdio ?? ["pipe", "pipe", "pipe"],
    env: { ...process.env, XDG_DATA_HOME: data, IAIP_DSL_LEDGER: path.join(data, "ledger.db") },
  });
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const listener of listeners) listener();
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const exited = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  void exited.then(() => rm(data, { recursive: true, force: true }));
  return {
    child,
    exited,
    stderr: () => stderr,
    said: (words) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!stderr.includes(words)) return;
          listeners.delete(check);
          resolve();
        };
        listeners.add(check);
        check();
      }),
  };
}

/** The client at the other end of a process's pipes. */
export function peerOf({ child }: Started): Peer {
  if (child.stdout === null || child.stdin === null) throw new Error("The process has no pipes.");
  return new Peer(child.stdout, child.stdin);
}
