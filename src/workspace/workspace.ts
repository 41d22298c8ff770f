import { lazy } from "../base/lazy.ts";
import type { Log } from "../base/log.ts";
import type { SnapshotSource } from "../core/ports.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import { unloaded } from "../core/snapshot/unloaded.ts";
import type { Packed } from "./read-packed.ts";
import type { VocabularyReader } from "./vocabulary-reader.ts";

export interface Workspace extends SnapshotSource {
  readonly folder: string;
  /** What else must be there before `ready` settles; given before `ready` is first asked for. */
  beside(work: () => Promise<unknown>): void;
  /** Reads the whole folder again and swaps the snapshot. */
  reload(): Promise<void>;
  dispose(): Promise<void>;
}

export interface WorkspaceOptions {
  readonly log: Log;
  /** Watch the folder and reload on change; `false` for one-shot commands. */
  readonly watch: boolean;
  /** How long the folder must be quiet before a reload, in milliseconds. */
  readonly quietMs?: number;
  /** What the build parsed of this folder; asked for at the first load. */
  readonly packed?: () => Packed;
}

type Listener = (previous: Snapshot, next: Snapshot) => void;

/**
 * Disk to snapshots: the one mutable cell of the program. Its code and the folder are read when `ready` is first asked
 * for, so that a server answers its handshake before. A half-saved file keeps its last good text and gains a problem;
 * listeners hear once per reload, in order, each on its own.
 */
export function openWorkspace(folder: string, options: WorkspaceOptions): Workspace {
  const { log } = options;
  const listeners = new Set<Listener>();
  const besides: (() => Promise<unknown>)[] = [];
  let snapshot = unloaded;
  let queue = Promise.resolve();
  let isDisposed = false;
  const reader = lazy(() => openReader(folder, options));
  const ready = lazy(async () => {
    void watching();
    await Promise.all([read("all"), ...besides.map((it) => it())]);
  });
  const watching = lazy(async () => {
    if (!options.watch) return undefined;
    const { watchFolder } = await import("./watch-folder.ts");
    const { quietMs = 60 } = options;
    return isDisposed ? undefined : watchFolder(folder, { log, quietMs, onChange: (paths) => void read(paths) });
  });

  return {
    folder,
    get snapshot() {
      return snapshot;
    },
    get ready() {
      return ready();
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    beside: (work) => void besides.push(work),
    async reload() {
      await ready();
      await read("all");
    },
    async dispose() {
      isDisposed = true;
      listeners.clear();
      await (await watching())?.close();
    },
  };

  /** One read at a time, in the order asked for. What is known stays when one fails, and the next is made all the same. */
  function read(paths: ReadonlySet<string> | "all"): Promise<void> {
    queue = queue.then(async () => {
      try {
        if (isDisposed) return;
        const vocabulary = await reader();
        if ((await vocabulary.read(paths)) && !isDisposed) swap(vocabulary);
      } catch (error) {
        log("error", "the vocabulary could not be read", { error: stackOf(error) });
      }
    });
    return queue;
  }

  function swap(vocabulary: VocabularyReader): void {
    const previous = snapshot;
    snapshot = vocabulary.snapshotAfter(previous);
    // Logs are read by more people than the files are: they count what everybody is given.
    const { revision, concepts, problems } = snapshot.viewFor({ protocols: new Set() });
    log("info", "vocabulary loaded", { revision, concepts: concepts.size, problems: problems.length });
    for (const listener of [...listeners]) {
      try {
        listener(previous, snapshot);
      } catch (error) {
        log("error", "a listener to vocabulary changes failed", { error: stackOf(error) });
      }
    }
  }
}

async function openReader(folder: string, { packed = () => ({}) }: WorkspaceOptions): Promise<VocabularyReader> {
  const { VocabularyReader } = await import("./vocabulary-reader.ts");
  return new VocabularyReader(folder, packed);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
