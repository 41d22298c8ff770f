import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import ignore, { type Ignore } from "ignore";
import { formatOf } from "../core/text/formats/format.ts";
import { UsageError } from "./io.ts";

/** A text to check. `path` is absolute; `name` is how it is printed. */
export interface CheckedFile {
  readonly path: string;
  readonly name: string;
  read(): string;
}

export interface FoundFiles {
  readonly files: readonly CheckedFile[];
  /** Files that were met and are of no kind that can be read. */
  readonly unknown: readonly string[];
}

/** Whether a project leaves a file out. */
type Ignores = (path: string) => Promise<boolean>;

async function kept(paths: readonly string[], ignores: Ignores): Promise<readonly string[]> {
  const out: string[] = [];
  for (const path of paths) if (!(await ignores(path))) out.push(path);
  return out;
}

/**
 * The files that arguments name: files as they are, folders with all they hold, globs with what they match. Folders and
 * globs leave out what a `.gitignore` or the project ignores, `.git` and `node_modules`. Throws `UsageError` for what
 * is not there.
 */
export async function findFiles(args: readonly string[], cwd: string, ignores: Ignores): Promise<FoundFiles> {
  const found = new Set<string>();
  const unknown = new Set<string>();
  const take = (path: string): void => {
    (formatOf(basename(path)) === undefined ? unknown : found).add(path);
  };
  for (const arg of args.length === 0 ? ["."] : args) {
    const path = resolve(cwd, arg);
    if (existsSync(path)) {
      if (statSync(path).isDirectory()) walk(path, gitignoresAbove(path), take);
      else take(path);
    } else if (/[*?[\]{}]/.test(arg)) {
      const matcher = ignore().add(`/${arg.replace(/^\.\//, "")}`);
      walk(cwd, gitignoresAbove(cwd), (file) => {
        if (matcher.ignores(relative(cwd, file).replaceAll("\\", "/"))) take(file);
      });
    } else throw new UsageError(`There is no file or folder \`${arg}\`. Name files, folders or globs to check.`);
  }
  const named = (path: string): string => relative(cwd, path).replaceAll("\\", "/") || path;
  const files = (await kept([...found].sort(), ignores)).map((path) => ({
    path,
    name: named(path),
    read: () => readFileSync(path, "utf8"),
  }));
  return { files, unknown: (await kept([...unknown].sort(), ignores)).map(named) };
}

/** What is staged in git, as it is staged. */
export async function stagedFiles(cwd: string, ignores: Ignores): Promise<FoundFiles> {
  const root = git(["rev-parse", "--show-toplevel"], cwd).trim();
  const names = git(["diff", "--cached", "--name-only", "-z", "--diff-filter=ACMR"], root).split("\0").filter(Boolean);
  const paths = new Set(
    await kept(
      names.map((name) => join(root, name)),
      ignores,
    ),
  );
  const own = names.filter((name) => paths.has(join(root, name)));
  return {
    files: own
      .filter((name) => formatOf(basename(name)) !== undefined)
      .map((name) => ({ path: join(root, name), name, read: () => git(["show", `:${name}`], root) })),
    unknown: own.filter((name) => formatOf(basename(name)) === undefined),
  };
}

function git(args: readonly string[], cwd: string): string {
  const run = spawnSync("git", [...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.error !== undefined) throw new UsageError("`--staged` needs git, which could not be started.");
  if (run.status !== 0) throw new UsageError(`git ${args[0]}: ${run.stderr.trim().split("\n")[0]}`);
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
