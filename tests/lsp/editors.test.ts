import { execFile } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { program, start } from "./support/program.ts";
import { teaConcepts } from "./support/world.ts";

const run = promisify(execFile);
const drivers = path.join(import.meta.dirname, "editors");
const plugins = path.join(import.meta.dirname, "../../src/plugins");

interface Editor {
  readonly name: string;
  readonly command: string;
  /** Files that Debian's packages bring; all must be there. */
  readonly needs: readonly string[];
  readonly packages: readonly string[];
  readonly plugin: string;
  readonly args: readonly string[];
}

const editors: readonly Editor[] = [
  {
    name: "Neovim",
    command: "nvim",
    needs: [],
    packages: ["neovim"],
    plugin: path.join(plugins, "neovim"),
    args: ["--headless", "--clean", "-u", path.join(drivers, "neovim.lua")],
  },
  {
    name: "Emacs with eglot",
    command: "emacs",
    needs: ["/usr/share/emacs/site-lisp/elpa/markdown-mode*"],
    packages: ["emacs-nox", "elpa-eglot", "elpa-markdown-mode"],
    plugin: path.join(plugins, "emacs"),
    args: ["--batch", "-Q", "-l", path.join(drivers, "emacs.el")],
  },
  {
    name: "Vim with ALE",
    command: "vim",
    needs: ["/usr/share/vim-ale"],
    packages: ["vim", "vim-ale"],
    plugin: plugins,
    args: ["-Nu", "NONE", "-es", "-S", path.join(drivers, "ale.vim")],
  },
];

/** The document that every editor opens: a concept on line 2, a finding on line 4. */
const document = "# Notes\n\n😀 Ask the data steward first.\n\nThere is a nameless pot here.\n";

describe("real editors against the built server", () => {
  test.each(editors)("$name shows hover, diagnostics and definition", { timeout: 120_000 }, async (editor) => {
    const missing = await missingFor(editor);
    if (missing !== undefined) {
      await notRun(`${editor.name}: ${missing}`);
      return;
    }
    const told = await drive(editor);
    expect(told.server).toBe("iaip-dsl");
    expect(told.hover).toContain("Data Steward");
    expect(told.hover).toContain("kitchen words");
    expect(decodeURI(told.definition)).toMatch(/concepts\/craft\/data-steward\.yaml$/);
    expect(told.diagnostics.length).toBe(1);
    expect(told.diagnostics[0]).toContain("nameless pot");
  });
});

describe("one server for several editors", () => {
  test("Emacs and Vim connect to the same port, by the setting of each", { timeout: 240_000 }, async () => {
    const sharing = editors.filter((it) => it.command !== "nvim");
    for (const editor of sharing) {
      const missing = await missingFor(editor);
      if (missing === undefined) continue;
      await notRun(`${editor.name}: ${missing}`);
      return;
    }
    const root = await workspace();
    const server = await start(["lsp", "--listen", "127.0.0.1:0", "--concepts", path.join(root, "concepts")]);
    await server.said("Language server on ");
    const address = /on (127\.0\.0\.1:\d+)/.exec(server.stderr())?.[1] ?? "";
    for (const editor of sharing) {
      const shown = await drive(editor, address);
      expect(shown.hover).toContain("kitchen words");
      expect(shown.diagnostics[0]).toContain("nameless pot");
    }
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    await rm(root, { recursive: true, force: true });
  });
});

interface Told {
  readonly server: string;
  readonly hover: string;
  readonly definition: string;
  readonly diagnostics: readonly string[];
}

/** A folder with the document and the vocabulary. */
async function workspace(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "iaip-editor-"));
  const files = {
    ...Object.fromEntries(Object.entries(teaConcepts).map(([file, text]) => [`concepts/${file}`, text])),
    "notes.md": document,
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return root;
}

/** Runs an editor over a workspace of its own; it starts a server, or connects to the one at `address`. */
async function drive(editor: Editor, address?: string): Promise<Told> {
  const root = await workspace();
  const out = path.join(root, "told.json");
  const server = [
    process.execPath,
    program,
    "lsp",
    "--stdio",
    "--concepts",
    path.join(root, "concepts"),
    "--ledger",
    "none",
  ];
  const env = {
    ...process.env,
    ...(address === undefined ? {} : { ADDRESS: address }),
    HOME: root,
    TERM: "dumb",
    PLUGIN: editor.plugin,
    SERVER: JSON.stringify(server),
    DOCUMENT: path.join(root, "notes.md"),
    ROOT: root,
    LINE: "2",
    COLUMN: editor.command === "nvim" ? "14" : "13",
    OUT: out,
  };
  const result = await run(editor.command, [...editor.args], { env, cwd: root, timeout: 100_000 }).catch(
    (error: unknown) => error,
  );
  const text = await readFile(out, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${editor.name} told nothing. It said: ${JSON.stringify(result)}`);
  await rm(root, { recursive: true, force: true });
  return JSON.parse(text) as Told;
}

/** What is missing, and how to have it; `scripts/test` installs it. */
async function missingFor(editor: Editor): Promise<string | undefined> {
  return (await isThere(editor)) ? undefined : `not installed; apt-get install ${editor.packages.join(" ")}`;
}

async function isThere({ command, needs }: Editor): Promise<boolean> {
  const checks = [`command -v ${command}`, ...needs.map((it) => `ls -d ${it}`)];
  return run("sh", ["-c", checks.join(" && ")]).then(
    () => true,
    () => false,
  );
}

/** The suite's summary names what could not run; without a place to write it, that is a failure. */
async function notRun(reason: string): Promise<void> {
  const file = process.env.IAIP_NOT_RUN;
  if (file === undefined) throw new Error(reason);
  await appendFile(file, `${reason}\n`);
}
