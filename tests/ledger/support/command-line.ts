import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import type { Io } from "../../../src/cli/kit/io.ts";
import { run } from "../../../src/cli/program.ts";
import { conceptFile, type Files, teaVocabulary } from "../../support/small-vocabulary.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Writes a vocabulary folder about tea, with one concept that is not open to all. */
export function teaFolder(folder: string, more: Files = {}): string {
  const files: Files = {
    ...teaVocabulary,
    "craft/steeping.yaml": conceptFile("steeping"),
    "craft/pouring.yaml": conceptFile("pouring", "", { direction: "then" }),
    "craft/tasting.yaml": conceptFile(
      "tasting",
      "ocap: { relevance: the circle decides, access: restricted, status: not-assessed }\ngovernance: { protocols: [tasters] }\n",
    ),
    ...more,
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return folder;
}

/** Runs one command line of the real program in this process. */
export async function commandLine(argv: readonly string[], cwd: string, input = ""): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = [stdout, stderr].map(async (stream) => {
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return text;
  });
  const io: Io = { stdin: Readable.from([input]), stdout, stderr, env: {}, cwd, isTerminal: false };
  const code = await run(argv, io);
  stdout.end();
  stderr.end();
  const [out = "", err = ""] = await Promise.all(texts);
  return { code, out, err };
}
