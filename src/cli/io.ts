import type { Readable, Writable } from "node:stream";

/** A command's window to the world, so that tests can give it another. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether stdout is a terminal: colors and progress only then. */
  readonly isTerminal: boolean;
}

export function processIo(): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    isTerminal: process.stdout.isTTY === true,
  };
}

/** 0: done, nothing to say. 1: findings, problems or a refusal. 2: the command line or a file it needs is wrong. 3: a fault of ours. */
export const exitCodes = { ok: 0, found: 1, usage: 2, fault: 3 } as const;

/** The command line, a setting or a file it names is wrong: one line for the reader, exit 2 before serving. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function print(io: Io, text: string): void {
  io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}
