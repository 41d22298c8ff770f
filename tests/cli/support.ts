import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import { run } from "../../src/cli/program.ts";
import { type StartedProcess, startProcess } from "../support/start-process.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  /** A fresh folder for each test, where commands run. */
  readonly folder: string;
  put(path: string, text: string | Buffer): string;
  /** Runs a command line in this process, with streams of its own and no settings of the person who tests. */
  cli(args: readonly string[], more?: More): Promise<Ran>;
}

interface More {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  readonly cwd?: string;
  readonly isTerminal?: boolean;
}

/** To be called at the top of a test file. */
export function commandLine(): CommandLine {
  let folder = "";
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "iaip-cli-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    put(path, text) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    async cli(args, { env = {}, stdin = "", cwd = folder, isTerminal = false } = {}) {
      const [stdout, stderr] = [collector(), collector()];
      const code = await run(args, {
        stdin: Readable.from([stdin]),
        stdout: stdout.stream,
        stderr: stderr.stream,
        env: { XDG_DATA_HOME: join(folder, ".data"), XDG_CONFIG_HOME: join(folder, ".config"), ...env },
        cwd,
        isTerminal,
      });
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    },
  };
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}

const program = join(import.meta.dirname, "../../dist/iaip-dsl.mjs");

export interface Started {
  readonly child: StartedProcess;
  readonly exited: Promise<number | null>;
  stderr(): string;
  /** Settles once stderr has it; rejects when the program ends before. */
  said(words: RegExp): Promise<void>;
}

/** Starts the built program. What still runs when the test ends is killed. */
export function startProgram(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  const homes = { XDG_DATA_HOME: join(cwd, ".data"), XDG_CONFIG_HOME: join(cwd, ".config") };
  const child = startProcess(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...homes, ...env } });
  let stderr = "";
  const waiting = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const look of waiting) look();
  });
  const exited = child.ended;
  return {
    child,
    exited,
    stderr: () => stderr,
    said: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!words.test(stderr)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void exited.then((code) => reject(new Error(`it ended with ${code} and said: ${stderr}`)));
      }),
  };
}
