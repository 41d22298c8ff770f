import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize, relative } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const src = join(import.meta.dirname, "../src");
const table = readTable(readFileSync(join(src, "ARCHITECTURE.md"), "utf8"));
const files = ts.sys
  .readDirectory(src, [".ts"], ["plugins/*/node_modules", "plugins/vscode"])
  .map((it) => relative(src, it))
  .sort();
const imports = files.flatMap((file) => importsOf(file).map((it) => ({ file, folder: dirname(file), ...it })));

type Kind = "ours" | "packages" | "node";
type Row = Readonly<Record<Kind, readonly string[]>>;
interface Import {
  readonly kind: Kind;
  readonly name: string;
  /** The file, for our own. */
  readonly path?: string;
}

describe("the may-import table of src/ARCHITECTURE.md", () => {
  test("has a row for every folder, and no other", () => {
    expect([...table.keys()].sort()).toEqual([...new Set(files.map((it) => dirname(it)))].sort());
  });

  test("allows every import there is", () => {
    const broken = imports.filter(
      ({ folder, kind, name }) =>
        !(kind === "ours" && (name === folder || name === "base")) && !table.get(folder)?.[kind].includes(name),
    );
    expect(unique(broken.map(({ file, name }) => `${file} may not import ${name}`))).toEqual([]);
  });

  test("allows nothing that no file uses", () => {
    const used = new Set(imports.map(({ folder, kind, name }) => `${folder} ${kind} ${name}`));
    const stale = [...table].flatMap(([folder, row]) =>
      (["ours", "packages", "node"] as const).flatMap((kind) => row[kind].map((name) => `${folder} ${kind} ${name}`)),
    );
    expect(stale.filter((it) => !used.has(it))).toEqual([]);
  });
});

test("no file imports itself, however long the way round", () => {
  expect(cycles(new Map(files.map((file) => [file, pathsOf(file)])))).toEqual([]);
});

test("no folder leans on one that leans on it: none in core, and elsewhere none beyond its own part", () => {
  const folders = [...table.keys()];
  const graph = new Map(folders.map((folder) => [folder, table.get(folder)!.ours]));
  const reached = new Map(folders.map((folder) => [folder, reachable(graph, folder)]));
  const pairs = folders.flatMap((a) =>
    folders.filter((b) => a < b && reached.get(a)!.has(b) && reached.get(b)!.has(a)).map((b) => [a, b] as const),
  );
  const part = (folder: string): string => folder.split("/", 1)[0]!;
  const offending = pairs.filter(([a, b]) => part(a) !== part(b) || part(a) === "core");
  expect(offending.map((it) => it.join(" and "))).toEqual([]);
});

test("each third-party package that a part stands on has one home", () => {
  const homes: Readonly<Record<string, string>> = {
    graphology: "core/snapshot/relation-graph.ts",
    minisearch: "core/snapshot/search-index.ts",
  };
  for (const [name, home] of Object.entries(homes))
    expect(unique(imports.filter((it) => it.name === name).map((it) => it.file))).toEqual([home]);
  const sqlite = imports.filter((it) => it.name === "better-sqlite3").map((it) => dirname(it.file));
  expect(sqlite.every((it) => it.startsWith("ledger"))).toBe(true);
});

describe("core", () => {
  const core = files.filter((it) => it.startsWith("core/"));
  test.each([
    ["no Node built-in", /from "node:|require\(|\bprocess\.|\bBuffer\b/],
    ["nothing asynchronous", /\basync\b|\bawait\b|new Promise|setTimeout|setImmediate|queueMicrotask/],
    ["no clock and no randomness", /Date\.now|new Date\b|performance\.now|Math\.random|crypto\./],
    ["no wire types", /vscode-languageserver|@modelcontextprotocol/],
  ])("has %s", (_what, pattern) => {
    const offending = core.filter((file) => pattern.test(code(file)));
    expect(offending).toEqual([]);
  });
});

test("only disclosure.ts makes a Disclosed", () => {
  const makers = files.filter((it) => /as unknown as Disclosed|as Disclosed\b/.test(code(it)));
  expect(makers).toEqual(["core/concept/disclosure.ts"]);
});

/** Every way of Node to write to stdout: by console, by stream, by descriptor. */
const writesToStdout =
  /\bconsole\.(?!error\b|warn\b)\w+|\bprocess\.stdout\b|\bio\.stdout\b|\bstdout\.(?:write|end|pipe)\b|\bpipe(?:line)?\([^)]*stdout|writeSync\(1\b|writeFileSync\((?:1|"\/dev\/stdout")/;

test("nothing but the command line and the two stdio protocols writes to stdout", () => {
  const writers = files.filter((it) => writesToStdout.test(code(it)));
  const homes = ["cli/", "main.ts", "mcp/stdout-guard.ts", "mcp/stdio.ts"];
  expect(writers.filter((it) => !homes.some((home) => it.startsWith(home)))).toEqual([]);
});

test.each([
  'console.log("x")',
  "process.stdout.write(x)",
  "const { stdout } = process; stdout.write(x)",
  "source.pipe(process.stdout)",
  "writeSync(1, x)",
])("the check for stdout sees `%s`", (line) => {
  expect(writesToStdout.test(line)).toBe(true);
});

/** A file without its comments. */
function code(file: string): string {
  return readFileSync(join(src, file), "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}

function readTable(markdown: string): ReadonlyMap<string, Row> {
  const names = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map((it) => it[1]!);
  const section = markdown.split("## May import")[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((it) => it.startsWith("| `"));
  return new Map(
    rows.map((line) => {
      const [, folder, ours, packages, node] = line.split("|");
      return [names(folder)[0]!, { ours: names(ours), packages: names(packages), node: names(node) }];
    }),
  );
}

function importsOf(file: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(src, file), "utf8"), true, true);
  return importedFiles.map(({ fileName }): Import => {
    if (fileName.startsWith(".")) {
      const path = normalize(join(dirname(file), fileName));
      return { kind: "ours", name: dirname(path), path };
    }
    const bare = fileName.replace(/^node:/, "");
    if (builtinModules.includes(bare)) return { kind: "node", name: bare };
    return {
      kind: "packages",
      name: bare
        .split("/")
        .slice(0, bare.startsWith("@") ? 2 : 1)
        .join("/"),
    };
  });
}

function pathsOf(file: string): string[] {
  return imports.filter((it) => it.file === file && it.path !== undefined).map((it) => it.path!);
}

function reachable(graph: ReadonlyMap<string, readonly string[]>, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const waiting = [from]; waiting.length > 0; ) {
    for (const next of graph.get(waiting.pop()!) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return seen;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      return;
    }
    state.set(file, "open");
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}
