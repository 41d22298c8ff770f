#!/usr/bin/env node
// Installs the clients and test tools that nobody here wrote into a folder beside the project's own packages, once a
// change of their manifest. Prints the folder.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = join(here, "..", "..", "node_modules", ".cache");
export const clientsFolder = join(cache, "iaip-clients");

export function installClients() {
  return install(here, clientsFolder, ["probe.mjs", "manifests.mjs"]);
}

/** The SDK's own client in each of its minor versions, `sdk-1.0.4` and so on. */
export function installSdks() {
  return install(join(here, "sdks"), join(cache, "iaip-sdks"), ["connect.mjs"]);
}

async function install(from, folder, scripts) {
  const manifest = join(from, "package.json");
  const stamp = createHash("sha256")
    .update(await readFile(manifest))
    .digest("hex");
  const stampFile = join(folder, "installed");
  await mkdir(folder, { recursive: true });
  // Several test files ask at once; one installs, the others wait for it.
  const unlock = await lock(join(folder, "lock"));
  try {
    for (const script of scripts) await copyFile(join(from, script), join(folder, script));
    if ((await readFile(stampFile, "utf8").catch(() => "")) === stamp) return folder;
    await copyFile(manifest, join(folder, "package.json"));
    // Some of these packages have optional ones that a lock file made elsewhere cannot name; what is wanted is pinned.
    await run("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"], folder);
    await writeFile(stampFile, stamp);
    return folder;
  } finally {
    await unlock();
  }
}

/** A file that one process can make, with its id in it; a process that is gone holds nothing. */
async function lock(path) {
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx" });
      return () => rm(path, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const holder = Number(await readFile(path, "utf8").catch(() => "0"));
      if (holder > 0 && !isRunning(holder)) await rm(path, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", 2, 2] });
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0]} ended with ${code} in ${cwd}; see above.`)),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await installClients()}\n`);
