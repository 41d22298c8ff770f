import { lazy } from "../base/lazy.ts";
import type { Log } from "../base/log.ts";
import { type ParsedFile, parseFile } from "../core/concept/parse-file.ts";
import type { Problem } from "../core/concept/problem.ts";
import type { SnapshotSource } from "../core/ports.ts";
import { buildSnapshot, type Snapshot } from "../core/snapshot/snapshot.ts";
import { type Packed, parsePacked } from "./packed.ts";
import { isVocabularyFile, listFolder, readVocabularyFile } from "./read-folder.ts";
import { watchFolder } from "./watch-folder.ts";

export interface Workspace extends SnapshotSource {
  readonly folder: string;
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
  /** Load at once; otherwise when `ready` is first asked for. */
  readonly eager?: boolean;
}

interface Kept {
  readonly text: string;
  readonly parsed: ParsedFile;
}

/** Files parsed between two turns of the event loop, so that a handshake is answered while a vocabulary loads. */
const filesPerTurn = 8;

/**
 * Disk to snapshots: the one mutable cell of the program. A half-saved file keeps its last good words and gains a
 * problem; listeners are told once per reload, in order, each on its own.
 */
export function openWorkspace(folder: string, options: WorkspaceOptions): Workspace {
  const { log } = options;
  const files = new Map<string, Kept>();
  const packed = lazy(options.packed ?? (() => ({})));
  const listeners = new Set<(previous: Snapshot, next: Snapshot) => void>();
  let folderProblems: readonly Problem[] = [];
  let snapshot = buildSnapshot([], { sequence: 0 });
  let loading: Promise<void> | undefined;
  let queue = Promise.resolve();
  let isDisposed = false;
  const watcher = options.watch
    ? watchFolder(folder, { log, quietMs: options.quietMs ?? 60, onChange: readChanged })
    : undefined;
  if (options.eager) void load();

  return {
    folder,
    get snapshot() {
      return snapshot;
    },
    get ready() {
      return load();
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload: () => enqueue(readAll),
    async dispose() {
      isDisposed = true;
      listeners.clear();
      await watcher?.close();
    },
  };

  function load(): Promise<void> {
    loading ??= enqueue(readAll);
    return loading;
  }

  /** One reload at a time, in the order asked for. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    queue = queue.then(async () => {
      try {
        if (!isDisposed) await work();
      } catch (error) {
        // What is known stays, and the next change is read all the same.
        log("error", "the vocabulary could not be read", { error: String((error as Error).stack ?? error) });
      }
    });
    return queue;
  }

  function readChanged(paths: ReadonlySet<string> | "all"): void {
    if (!loading) return;
    void enqueue(() => (paths === "all" ? readAll() : readSome(paths)));
  }

  async function readAll(): Promise<void> {
    const before = JSON.stringify(folderProblems);
    const listing = listFolder(folder);
    folderProblems = listing.problems;
    const present = new Set(listing.files);
    const missing = [...files.keys()].filter((it) => !present.has(it));
    for (const path of missing) files.delete(path);
    let turn = 0;
    let isChanged = snapshot.sequence === 0 || missing.length > 0 || JSON.stringify(listing.problems) !== before;
    for (const path of listing.files) {
      isChanged = readOne(path) || isChanged;
      if (++turn % filesPerTurn === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    if (isChanged) swap();
  }

  async function readSome(paths: ReadonlySet<string>): Promise<void> {
    let isChanged = false;
    for (const path of paths) if (isVocabularyFile(path)) isChanged = readOne(path) || isChanged;
    if (isChanged) swap();
  }

  /** Whether anything is different now. */
  function readOne(path: string): boolean {
    const before = files.get(path);
    const read = readVocabularyFile(folder, path);
    if (read.kind === "gone") return files.delete(path);
    if (read.kind === "outside") {
      folderProblems = listFolder(folder).problems;
      files.delete(path);
      return true;
    }
    if (read.kind === "refused") {
      const broken = parseFile(path, "");
      const value = before?.parsed.value;
      files.set(path, { text: "", parsed: { ...broken, value, problems: [read.problem] } as ParsedFile });
      return true;
    }
    if (before?.text === read.text) return false;
    const parsed = parsePacked(packed(), path, read.text);
    files.set(path, {
      text: read.text,
      parsed: parsed.value === undefined ? withLastGood(parsed, before?.parsed) : parsed,
    });
    return true;
  }

  function swap(): void {
    const previous = snapshot;
    const ordered = [...files.keys()].sort().map((it) => files.get(it)!.parsed);
    const next = buildSnapshot(ordered, {
      sequence: previous.sequence + 1,
      folderProblems,
      holderOf: holdersOf(previous),
    });
    snapshot = next;
    // Logs are read by more people than the files are: they count what everybody is given.
    const { revision, concepts, problems } = next.viewFor({ protocols: new Set() });
    log("info", "vocabulary loaded", { revision, concepts: concepts.size, problems: problems.length });
    for (const listener of [...listeners]) {
      try {
        listener(previous, next);
      } catch (error) {
        log("error", "a listener to vocabulary changes failed", { error: String((error as Error).stack ?? error) });
      }
    }
  }
}

/** A half-saved file must not make a concept vanish: it keeps its last good words, and gains its new problems. */
function withLastGood(parsed: ParsedFile, before: ParsedFile | undefined): ParsedFile {
  return before?.value === undefined ? parsed : ({ ...parsed, value: before.value } as ParsedFile);
}

/** Which file holds an id. Keeps no more than names: a snapshot that held the one before it would hold them all. */
function holdersOf({ undisclosed, placeOf }: Snapshot): (id: string) => string | undefined {
  const holders = new Map<string, string>();
  for (const id of undisclosed.keys()) {
    const place = placeOf(id);
    if (place !== undefined) holders.set(id, place.file);
  }
  return (id) => holders.get(id);
}
