import { type Readable, Writable } from "node:stream";
import { visibleText } from "../../base/visible-text.ts";

/** A command's window to the world, so that tests can give it another. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** For people: what goes to it was made visible. */
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

/** Prints text of any origin: nothing in it can steer a terminal. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${visibleText(text).replace(/\n$/, "")}\n`);
}

/** Bytes that somebody else reads on: as they are, but for a terminal. */
export function printExact(io: Io, bytes: string | Buffer): boolean {
  return io.stdout.write(io.isTerminal ? visibleText(String(bytes)) : bytes);
}

/** Prints what was made visible part by part, with colors of its own. */
export function printColored(io: Io, text: string): void {
  io.stdout.write(`${text}\n`);
}

/** The stream, with nothing in it that could steer a terminal. */
export function visibleStream(stream: Writable): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      stream.write(visibleText(String(chunk)));
      done();
    },
  });
}
