import { lazy } from "../base/lazy.ts";
import { type ParsedFile, parseFile } from "../core/concept/parse-file.ts";
import type { Problem } from "../core/concept/problem.ts";
import { buildSnapshot, type Snapshot } from "../core/snapshot/snapshot.ts";
import { parsePacked } from "./packed.ts";
import { isVocabularyFile, listFolder, readVocabularyFile } from "./read-folder.ts";
import type { Packed } from "./read-packed.ts";

/** A file as it was last read. */
interface Kept {
  readonly text: string;
  readonly parsed: ParsedFile;
}

/** Files parsed between two turns of the event loop, so that a handshake is answered while a vocabulary loads. */
const filesPerTurn = 8;

/** Reads a vocabulary folder and remembers what it read: only what changed is parsed again. */
export class VocabularyReader {
  readonly #folder: string;
  readonly #packed: () => Packed;
  readonly #files = new Map<string, Kept>();
  #problems: readonly Problem[] = [];
  #hasRead = false;

  constructor(folder: string, packed: () => Packed) {
    this.#folder = folder;
    this.#packed = lazy(packed);
  }

  /** Reads these files below the folder, or all of them. Whether anything is different now. */
  async read(paths: ReadonlySet<string> | "all"): Promise<boolean> {
    return paths === "all" ? this.#readAll() : this.#readSome(paths);
  }

  /** The snapshot of what was read, to follow another. */
  snapshotAfter(previous: Snapshot): Snapshot {
    const files = [...this.#files.keys()].sort().map((it) => this.#files.get(it)!.parsed);
    const holderOf = holdersOf(previous);
    return buildSnapshot(files, { sequence: previous.sequence + 1, folderProblems: this.#problems, holderOf });
  }

  async #readAll(): Promise<boolean> {
    const { files, problems } = listFolder(this.#folder);
    const present = new Set(files);
    const missing = [...this.#files.keys()].filter((it) => !present.has(it));
    for (const path of missing) this.#files.delete(path);
    let isChanged = !this.#hasRead || missing.length > 0 || JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#hasRead = true;
    this.#problems = problems;
    for (const [i, path] of files.entries()) {
      isChanged = this.#readOne(path) || isChanged;
      if ((i + 1) % filesPerTurn === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    return isChanged;
  }

  #readSome(paths: ReadonlySet<string>): boolean {
    let isChanged = false;
    for (const path of paths) if (isVocabularyFile(path)) isChanged = this.#readOne(path) || isChanged;
    return isChanged;
  }

  #readOne(path: string): boolean {
    const before = this.#files.get(path);
    const read = readVocabularyFile(this.#folder, path);
    switch (read.kind) {
      case "gone":
        return this.#files.delete(path);
      case "outside":
        this.#problems = listFolder(this.#folder).problems;
        this.#files.delete(path);
        return true;
      case "refused": {
        const refused = { ...parseFile(path, ""), problems: [read.problem] } as ParsedFile;
        this.#files.set(path, { text: "", parsed: withLastGood(refused, before?.parsed) });
        return true;
      }
      case "text": {
        if (before?.text === read.text) return false;
        const parsed = parsePacked(this.#packed(), path, read.text);
        this.#files.set(path, { text: read.text, parsed: withLastGood(parsed, before?.parsed) });
        return true;
      }
    }
  }
}

/** A half-saved file must not make a concept vanish: it keeps its last good text, and gains its new problems. */
function withLastGood(parsed: ParsedFile, before: ParsedFile | undefined): ParsedFile {
  if (parsed.value !== undefined || before?.value === undefined) return parsed;
  return { ...parsed, value: before.value } as ParsedFile;
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
