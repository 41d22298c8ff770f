import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** How long a writer waits for the others before it says whose turn it is, in milliseconds. */
const maxWaitMs = 10_000;

/**
 * Changes a file while no other process does: what `change` is given is what the last one wrote, and its answer takes
 * the file's place at once. Nobody ever sees it half written, and only its owner may read it. `undefined` is a file
 * that is not there. Throws a sentence when another process holds the file for too long.
 */
export async function changeLocked<T>(
  path: string,
  change: (text: string | undefined) => { readonly text: string; readonly value: T },
): Promise<T> {
  const lock = `${path}.lock`;
  await acquire(lock, Date.now() + maxWaitMs);
  try {
    const { text, value } = change(readIfThere(path));
    const next = `${path}.${process.pid}.new`;
    writeFileSync(next, text, { mode: 0o600, flush: true });
    renameSync(next, path);
    return value;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function acquire(lock: string, until: number): Promise<void> {
  while (!create(lock)) {
    freeIfAbandoned(lock);
    if (Date.now() > until)
      throw new Error(`${lock} is held by another process. If none runs any more, delete that file and try again.`);
    await setTimeout(5 + Math.random() * 20);
  }
}

function create(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  }
}

/**
 * Takes away the lock of a process that is gone. Only one may at a time, or the second would take away the lock that was
 * made after the first; the holder is read again once that is certain.
 */
function freeIfAbandoned(lock: string): void {
  if (isAlive(holderOf(lock))) return;
  const turn = `${lock}.free`;
  try {
    closeSync(openSync(turn, "wx", 0o600));
  } catch (error) {
    if (isThere(error)) return;
    throw error;
  }
  try {
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true });
  } finally {
    rmSync(turn, { force: true });
  }
}

/** The process that a lock names; `undefined` while it is being made or has just gone. */
function holderOf(lock: string): number | undefined {
  const id = Number(readIfThere(lock) ?? "");
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

function isAlive(id: number | undefined): boolean {
  if (id === undefined) return true;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}
