import { relative } from "node:path";
import type { FSWatcher } from "chokidar";
import type { Log } from "../base/log.ts";
import { withSlashes } from "./read-folder.ts";

interface WatchOptions {
  readonly log: Log;
  /** Milliseconds without an event before `onChange` is called; at least 60. */
  readonly quietMs: number;
  /** Paths below the folder that changed; `all` when that cannot be known. */
  onChange(paths: ReadonlySet<string> | "all"): void;
}

/**
 * chokidar drops a change that comes within 50 ms of another to the same file; a read that comes later than that sees
 * both.
 */
const minQuietMs = 60;
/** The longest a change waits while others keep coming, in milliseconds. */
const maxWaitMs = 400;

/** Watches a folder and reports what changed, once the folder is quiet. */
export function watchFolder(folder: string, { log, quietMs, onChange }: WatchOptions): { close(): Promise<void> } {
  let changed = new Set<string>();
  let isAll = false;
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  let isClosed = false;
  let watcher: FSWatcher | undefined;
  const opening = open();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await opening;
      await watcher?.close();
    },
  };

  async function open(): Promise<void> {
    const { watch } = await import("chokidar");
    if (isClosed) return;
    watcher = watch(folder, { ignoreInitial: true, followSymlinks: true, atomic: false, ignorePermissionErrors: true });
    watcher.on("all", (event, path) => {
      if (event === "addDir" || event === "unlinkDir") note("all");
      else note(withSlashes(relative(folder, path)));
    });
    watcher.on("error", (error) => log("warn", "watching the vocabulary failed", { error: String(error) }));
    // What changed between the first read and now was not seen.
    watcher.once("ready", () => note("all"));
  }

  function note(path: string): void {
    if (path === "all") isAll = true;
    else changed.add(path);
    const now = performance.now();
    if (timer === undefined) since = now;
    clearTimeout(timer);
    timer = setTimeout(report, Math.max(0, Math.min(Math.max(minQuietMs, quietMs), since + maxWaitMs - now)));
  }

  function report(): void {
    timer = undefined;
    const paths = isAll ? "all" : changed;
    changed = new Set();
    isAll = false;
    onChange(paths);
  }
}
