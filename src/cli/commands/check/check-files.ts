import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import ignore, { type Ignore } from "ignore";
import { formatOf } from "../../../core/text/formats/format.ts";
import { UsageError } from "../../kit/io.ts";

/** A text to check. `path` is absolute; `name` is how it is printed. */
export interface CheckedFile {
  readonly path: string;
  readonly name: string;
  read(): Buffer;
  /** Puts changed bytes in its place; says why not where that would take something else along. */
  write(bytes: Buffer): string | undefined;
}

export interface FoundFiles {
  readonly files: readonly CheckedFile[];
  /** Files that were met and are of no kind that can be read. */
  readonly unknown: readonly string[];
  /** What was named and is not read, in sentences. */
  readonly notices: readonly string[];
  /** Whether something that was named cannot be read: to pass it over would read like a clean text. */
  readonly isIncomplete: boolean;
}

/** Whether a project leaves a file out. */
type Ignores = (path: string) => Promise<boolean>;

/**
 * The files that arguments name: files as they are, folders with all they hold, globs with what they match. Folders and
 * globs leave out what a `.gitignore` ignores, `.git` and `node_modules`; the project's `ignore` counts for all. Throws
 * `UsageError` for what is not there.
 */
export async function findFiles(args: readonly string[], cwd: string, ignores: Ignores): Promise<FoundFiles> {
  const named = (path: string): string => relative(cwd, path).replaceAll("\\", "/") || path;
  const found = new Set<string>();
  const unknown = new Set<string>();
  const notices: string[] = [];
  let isIncomplete = false;
  for (const arg of args.length === 0 ? ["."] : args) {
    const { kind, paths } = matched(arg, cwd);
    const kept = await without(paths, ignores);
    for (const path of kept) (isKnown(path) ? found : unknown).add(path);
    if (kept.some(isKnown) || kind === "folder") continue;
    const ignored = paths.length > 0 && kept.length === 0;
    isIncomplete ||= !ignored;
    notices.push(ignored ? `\`${arg}\` is left out by the project's \`ignore\`.` : unreadNotice(arg, kept));
  }
  const files = [...found].sort().map((path) => ({
    path,
    name: named(path),
    read: () => bytesOf(path),
    write: (bytes: Buffer) => void writeFileSync(path, bytes),
  }));
  return { files, unknown: [...unknown].sort().map(named), notices, isIncomplete };
}

const isKnown = (path: string): boolean => formatOf(basename(path)) !== undefined;

function unreadNotice(arg: string, kept: readonly string[]): string {
  return kept.length === 0
    ? `No file matches \`${arg}\`.`
    : `\`${arg}\` is of no kind that can be read; it was not checked.`;
}

interface Matched {
  readonly kind: "file" | "folder" | "glob";
  readonly paths: readonly string[];
}

function matched(arg: string, cwd: string): Matched {
  const path = resolve(cwd, arg);
  const paths: string[] = [];
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    walk(path, gitignoresAbove(path), (file) => paths.push(file));
    return { kind: "folder", paths };
  }
  if (found?.isFile()) return { kind: "file", paths: [path] };
  if (found !== undefined) throw new UsageError(`\`${arg}\` is no file; it was not read.`);
  if (!/[*?[\]{}]/.test(arg))
    throw new UsageError(`There is no file or folder \`${arg}\`. Name files, folders or globs to check.`);
  const matcher = ignore().add(`/${arg.replace(/^\.\//, "")}`);
  walk(cwd, gitignoresAbove(cwd), (file) => {
    if (matcher.ignores(relative(cwd, file).replaceAll("\\", "/"))) paths.push(file);
  });
  return { kind: "glob", paths };
}

async function without(paths: readonly string[], ignores: Ignores): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const path of paths) if (!(await ignores(path))) kept.push(path);
  return kept;
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** What is staged in git, as it is staged. A change is staged too, and made only where the file holds nothing unstaged. */
export async function stagedFiles(cwd: string, ignores: Ignores): Promise<FoundFiles> {
  const root = git(["rev-parse", "--show-toplevel"], cwd).toString("utf8").trim();
  const staged = git(["diff", "--cached", "--name-only", "-z", "--diff-filter=ACMR"], root).toString("utf8");
  const paths = staged.split("\0").filter(Boolean);
  const kept = new Set(
    await without(
      paths.map((name) => join(root, name)),
      ignores,
    ),
  );
  const own = paths.filter((name) => kept.has(join(root, name)));
  return {
    files: own.filter(isKnown).map((name) => ({
      path: join(root, name),
      name,
      read: () => git(["show", `:${name}`], root),
      write: (bytes) => writeStaged(bytes, name, root),
    })),
    unknown: own.filter((name) => !isKnown(name)),
    notices: [],
    isIncomplete: false,
  };
}

function writeStaged(bytes: Buffer, name: string, root: string): string | undefined {
  const path = join(root, name);
  const isSame = existsSync(path) && spawnSync("git", ["diff", "--quiet", "--", name], { cwd: root }).status === 0;
  if (!isSame || !git(["show", `:${name}`], root).equals(readFileSync(path)))
    return `${name} holds changes that are not staged; it was not changed. Stage or stash them, then run this again.`;
  writeFileSync(path, bytes);
  git(["add", "--", name], root);
  return undefined;
}

function git(args: readonly string[], cwd: string): Buffer {
  const run = spawnSync("git", [...args], { cwd, maxBuffer: 1 << 28 });
  if (run.error !== undefined) throw new UsageError("`--staged` needs git, which could not be started.");
  if (run.status !== 0) throw new UsageError(`git ${args[0]}: ${run.stderr.toString("utf8").trim().split("\n")[0]}`);
  return run.stdout;
}

interface Gitignore {
  readonly root: string;
  readonly rules: Ignore;
}

function walk(folder: string, above: readonly Gitignore[], take: (path: string) => void): void {
  const own = readGitignore(folder);
  const rules = own === undefined ? above : [...above, own];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === ".git" || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (isIgnored(path, entry.isDirectory(), rules)) continue;
    if (entry.isDirectory()) walk(path, rules, take);
    else if (entry.isFile()) take(path);
  }
}

function isIgnored(path: string, isFolder: boolean, rules: readonly Gitignore[]): boolean {
  let ignored = false;
  for (const { root, rules: own } of rules) {
    const result = own.test(relative(root, path).replaceAll("\\", "/") + (isFolder ? "/" : ""));
    if (result.ignored) ignored = true;
    if (result.unignored) ignored = false;
  }
  return ignored;
}

function readGitignore(folder: string): Gitignore | undefined {
  const file = join(folder, ".gitignore");
  return existsSync(file) ? { root: folder, rules: ignore().add(readFileSync(file, "utf8")) } : undefined;
}

/** From the top of the repository down to the folder's parent. */
function gitignoresAbove(folder: string): readonly Gitignore[] {
  const found: Gitignore[] = [];
  for (let at = folder; !existsSync(join(at, ".git")) && dirname(at) !== at; ) {
    at = dirname(at);
    const own = readGitignore(at);
    if (own !== undefined) found.unshift(own);
  }
  return found;
}
