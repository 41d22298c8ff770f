import { type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

export type StartedProcess = ChildProcessWithoutNullStreams & {
  /** The exit code, or `null` after a signal. */
  readonly ended: Promise<number | null>;
};

/** A child that ends with the test that started it, whatever became of the test. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
): StartedProcess {
  const child = spawn(command, args, options);
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.stderr.resume();
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return Object.assign(child, { ended });
}
