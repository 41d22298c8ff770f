import { resolve } from "node:path";
import { decodeText } from "../../../base/decode-text.ts";
import { severities } from "../../../core/concept/rule.ts";
import { readInView } from "../../../core/queries/read-in-view.ts";
import type { CallerView } from "../../../core/snapshot/view.ts";
import type { Reading } from "../../../core/terms/reading.ts";
import { formatOf } from "../../../core/text/formats/format.ts";
import type { ReadSettings } from "../../../settings/read-settings.ts";
import { reportProblems } from "../../kit/command.ts";
import { exitCodes, type Io, print, printColored, printExact, UsageError } from "../../kit/io.ts";
import { open } from "../../kit/open.ts";
import { ruleDocs } from "../../kit/rule-docs.ts";
import { type CheckedFile, findFiles, stagedFiles } from "./check-files.ts";
import { type CheckedText, type CheckFormat, type CheckReport, formatReport, unknownLine } from "./check-formats.ts";
import { type FileSettings, fileSettings } from "./file-settings.ts";
import { fixText } from "./fix-text.ts";

export interface CheckOptions {
  /** Files, folders and globs; everything below the current folder when empty. `-` is standard input. */
  readonly paths: readonly string[];
  readonly staged?: boolean;
  /** The name that standard input is read as; its ending decides the format. */
  readonly stdinFilename?: string;
  readonly format?: CheckFormat;
  /** Makes the changes that are always right. */
  readonly fix?: boolean;
}

/**
 * Reads texts and says what the vocabulary advises. Exit 0: nothing at the file's `fail-on` or above; 1: something; 2: usage.
 */
export async function runCheck(
  options: CheckOptions,
  { settings, started, project }: ReadSettings,
  io: Io,
): Promise<number> {
  const opened = await open({ ...settings, ledger: "none" }, { watch: false });
  await opened.workspace.ready;
  const checker: Checker = {
    view: opened.workspace.snapshot.viewFor(opened.caller),
    settings: fileSettings(started),
    reported: project?.file,
  };
  try {
    return await check(checker, options, io);
  } finally {
    await opened.workspace.dispose();
  }
}

interface Checker {
  readonly view: CallerView;
  readonly settings: FileSettings;
  /** The project file whose problems were said already. */
  readonly reported: string | undefined;
}

async function check(checker: Checker, options: CheckOptions, io: Io): Promise<number> {
  if (options.stdinFilename !== undefined || options.paths.includes("-")) return checkStdin(checker, options, io);
  const { ignores } = checker.settings;
  const { files, unknown, notices, isIncomplete } = await (options.staged
    ? stagedFiles(io.cwd, ignores)
    : findFiles(options.paths, io.cwd, ignores));
  for (const notice of notices) io.stderr.write(`iaip-dsl: ${notice}\n`);
  const met = await checker.settings.problems();
  // The project file of this folder was reported with the command line.
  reportProblems(
    met.filter((it) => it.where !== checker.reported),
    "wording",
    io,
  );
  const texts: CheckedText[] = [];
  const tell = progress(io, files.length);
  for (const [index, file] of files.entries()) {
    texts.push(await checkFile(checker, file, options, io));
    tell(index + 1);
  }
  const format = options.format ?? "pretty";
  if (unknown.length > 0 && format !== "pretty" && format !== "json") io.stderr.write(`${unknownLine(unknown)}\n`);
  printReport({ texts, unknown }, format, io);
  return isIncomplete ? exitCodes.found : exitCodeOf(texts, checker);
}

async function checkFile(checker: Checker, file: CheckedFile, { fix }: CheckOptions, io: Io): Promise<CheckedText> {
  const { name, path } = file;
  const bytes = file.read();
  const read = (text: string) => readText(checker, path, text);
  if (fix !== true) return { name, path, reading: await read(decodeText(bytes).text), fixed: 0 };
  const fixed = await fixText(bytes, read);
  const refused = fixed.bytes === undefined ? undefined : file.write(fixed.bytes);
  const notice = refused ?? (fixed.notice === undefined ? undefined : `${name}: ${fixed.notice}.`);
  if (notice !== undefined) io.stderr.write(`iaip-dsl: ${notice}\n`);
  if (refused !== undefined) return { name, path, reading: await read(decodeText(bytes).text), fixed: 0 };
  return { name, path, reading: fixed.reading, fixed: fixed.count };
}

async function checkStdin(checker: Checker, options: CheckOptions, io: Io): Promise<number> {
  const name = options.stdinFilename ?? "stdin.md";
  if (formatOf(name) === undefined) throw new UsageError(`\`${name}\` is of no kind that can be read.`);
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  const bytes = Buffer.concat(chunks);
  const path = resolve(io.cwd, name);
  if (await checker.settings.ignores(path)) {
    io.stderr.write(`iaip-dsl: \`${name}\` is left out by the project's \`ignore\`.\n`);
    if (options.fix === true) printExact(io, bytes);
    return exitCodes.ok;
  }
  const read = (text: string) => readText(checker, path, text);
  const format = options.format ?? "pretty";
  if (options.fix === true) {
    const { reading, count, bytes: changed = bytes, notice } = await fixText(bytes, read);
    printExact(io, changed);
    if (notice !== undefined) io.stderr.write(`iaip-dsl: ${name}: ${notice}.\n`);
    const after = [{ name, path, reading, fixed: count }];
    io.stderr.write(`${formatReport({ texts: after, unknown: [] }, format, false)}\n`);
    return exitCodeOf(after, checker);
  }
  const texts = [{ name, path, reading: await read(decodeText(bytes).text), fixed: 0 }];
  printReport({ texts, unknown: [] }, format, io);
  return exitCodeOf(texts, checker);
}

const everything = Number.MAX_SAFE_INTEGER;

async function readText({ view, settings }: Checker, path: string, text: string): Promise<Reading> {
  const format = formatOf(path) ?? "plaintext";
  const { strictness, rules, accept } = await settings.of(path);
  return readInView(view, {
    text,
    format,
    strictness,
    overrides: rules,
    accept: new Set(accept),
    docs: ruleDocs(import.meta.url),
    caps: { findings: everything, occurrences: 0, exempt: 0 },
  });
}

async function exitCodeOf(texts: readonly CheckedText[], { settings }: Checker): Promise<number> {
  for (const { path, reading } of texts) {
    const { "fail-on": failOn } = await settings.of(path);
    const least = failOn === "none" ? -1 : severities.indexOf(failOn);
    if (reading.findings.some((it) => severities.indexOf(it.severity) <= least)) return exitCodes.found;
  }
  return exitCodes.ok;
}

function printReport(report: CheckReport, format: CheckFormat, io: Io): void {
  const colors = useColors(io);
  const text = formatReport(report, format, colors);
  if (colors && format === "pretty") printColored(io, text);
  else print(io, text);
}

const useColors = ({ isTerminal, env }: Io): boolean =>
  isTerminal && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";

/** On a terminal, how far a long run is, every two seconds. */
function progress(io: Io, total: number): (done: number) => void {
  if (!io.isTerminal || total < 50) return () => {};
  let last = Date.now();
  return (done) => {
    const now = Date.now();
    if (done === total || now - last < 2_000) return;
    last = now;
    io.stderr.write(`${done} of ${total} files read\n`);
  };
}
