import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";

export interface GroupOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface ProcessGroup {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the leader has exited: `code` or `signal`, or the reason it could not start. */
  readonly exited: Promise<string>;
  /**
   * Ends the leader's stdin, then SIGTERM after `patienceMs`, then SIGKILL after `termMs`, each to the whole group,
   * so that what the leader started ends with it. Settles when the group is gone.
   */
  stop(times?: { readonly patienceMs?: number; readonly termMs?: number }): Promise<void>;
}

/** Starts a command as the leader of its own process group. Rejects when it cannot be started, naming the command. */
export async function startGroup(options: GroupOptions): Promise<ProcessGroup> {
  const child = spawn(options.command, [...(options.args ?? [])], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(new Error(`could not start ${options.command}: ${error.message}`)));
  });
  return groupOf(child);
}

function groupOf(child: ChildProcessByStdio<Writable, Readable, Readable>): ProcessGroup {
  const pid = child.pid!;
  const killAtExit = () => signalGroup(pid, "SIGKILL");
  moreListeners(1);
  process.on("exit", killAtExit);
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  let stopping: Promise<void> | undefined;
  const stop = async (times: { readonly patienceMs?: number; readonly termMs?: number }) => {
    child.stdin.end();
    if (!(await within(exited, times.patienceMs ?? 500))) signalGroup(pid, "SIGTERM");
    // The leader is gone or was told to go; what it left behind is told as well.
    signalGroup(pid, "SIGTERM");
    if (!(await groupGone(pid, exited, times.termMs ?? 5_000))) {
      signalGroup(pid, "SIGKILL");
      await groupGone(pid, exited, 2_000);
    }
    child.stdout.destroy();
    child.stderr.destroy();
    process.off("exit", killAtExit);
    moreListeners(-1);
  };
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    stop: (times = {}) => {
      stopping ??= stop(times);
      return stopping;
    },
  };
}

/** Each group listens for the end of this process; that many are no leak. Zero means that there is no limit. */
function moreListeners(by: 1 | -1): void {
  if (process.getMaxListeners() > 0) process.setMaxListeners(process.getMaxListeners() + by);
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    return false;
  }
}

async function groupGone(pid: number, exited: Promise<string>, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  if (!(await within(exited, ms))) return false;
  while (signalGroup(pid, 0) && hasLiving(pid)) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/** Whether a group that still exists holds more than zombies that nobody reaps, as in a container without an init. */
function hasLiving(pid: number): boolean {
  if (process.platform !== "linux") return true;
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .some((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
        const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return group === String(pid) && state !== "Z" && state !== "X";
      } catch {
        return false;
      }
    });
}

async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const done = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return done;
}
