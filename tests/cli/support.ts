import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import { run } from "../../src/cli/program.ts";

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
