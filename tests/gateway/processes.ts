import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const stubPath = fileURLToPath(new URL("fixtures/stub.mjs", import.meta.url));

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie that nobody reaped is dead for every purpose.
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** Settles when `check` holds; fails after `ms` with the last value seen. */
export async function until(check: () => unknown, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`never became true: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function logged(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

/** Process ids that the stub wrote down under a word. */
export function pidsIn(file: string, word: "start" | "grandchild"): number[] {
  return logged(file)
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => Number(line.split(" ")[1]));
}
