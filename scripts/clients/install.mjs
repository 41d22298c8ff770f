#!/usr/bin/env node
// Installs the clients and test tools that nobody here wrote into a folder beside the project's own packages, once a
// change of their manifest. Prints the folder.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
export const clientsFolder = join(here, "..", "..", "node_modules", ".cache", "iaip-clients");

export async function installClients() {
  const manifest = join(here, "package.json");
  const stamp = createHash("sha256")
    .update(await readFile(manifest))
    .digest("hex");
  const stampFile = join(clientsFolder, "installed");
  await mkdir(clientsFolder, { recursive: true });
  // Several test files ask at once; one installs, the others wait for it.
  const unlock = await lock(join(clientsFolder, "lock"));
  try {
    for (const script of ["probe.mjs", "manifests.mjs"])
      await copyFile(join(here, script), join(clientsFolder, script));
    if ((await readFile(stampFile, "utf8").catch(() => "")) === stamp) return clientsFolder;
    await copyFile(manifest, join(clientsFolder, "package.json"));
    // Some of these packages have optional ones that a lock file made elsewhere cannot name; what is wanted is pinned.
    await run("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"], clientsFolder);
    await writeFile(stampFile, stamp);
    return clientsFolder;
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
