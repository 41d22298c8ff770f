import { readFile, stat } from "node:fs/promises";
import type { Connection, Range, WorkspaceFolder } from "vscode-languageserver";
import type { Log } from "../../base/log.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { SnapshotSource } from "../../core/ports.ts";
import type { Snapshot } from "../../core/snapshot/snapshot.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { SettingsLayer } from "../../settings/layer.ts";
import type { Settings } from "../../settings/schema.ts";
import type { ClientFeatures } from "../protocol/client-features.ts";
import { below, filePath, fileUri, isInside, uriKey } from "../protocol/uris.ts";
import type { Configuration } from "./configuration.ts";
import type { Documents, OpenDocument } from "./documents.ts";

/** How often a concept was used, for code lenses. Counted for the local caller. */
export type CountUses = (concept: string) => Promise<number | undefined>;

export interface LspOptions {
  readonly source: SnapshotSource;
  /** The vocabulary folder, absolute; absent when the vocabulary is not on this disk. */
  readonly folder?: string;
  readonly caller: Caller;
  readonly log: Log;
  readonly version: string;
  /** What whoever started the process set; the editor's own settings go over it, the project file's below. */
  readonly started?: readonly SettingsLayer[];
  readonly countUses?: CountUses;
  /** The address of a rule's page; a path where there is none to open. */
  readonly docs?: (rule: string) => string;
}

/** What one request is answered from. The snapshot is taken once, when the request begins. */
export interface RequestSnapshot {
  readonly snapshot: Snapshot;
  readonly view: CallerView;
}

/** One client's connection and all that is known of it. */
export class Session {
  readonly connection: Connection;
  readonly options: LspOptions;
  readonly client: ClientFeatures;
  readonly documents: Documents;
  readonly configuration: Configuration;
  folders: readonly WorkspaceFolder[];
  #left: readonly WorkspaceFolder[] = [];
  readonly #onDisk = new Map<string, Promise<OnDisk>>();

  constructor(parts: {
    readonly connection: Connection;
    readonly options: LspOptions;
    readonly client: ClientFeatures;
    readonly documents: Documents;
    readonly configuration: Configuration;
    readonly folders: readonly WorkspaceFolder[];
  }) {
    this.connection = parts.connection;
    this.options = parts.options;
    this.client = parts.client;
    this.documents = parts.documents;
    this.configuration = parts.configuration;
    this.folders = parts.folders;
    for (const document of this.documents.all()) this.#watch(document);
    this.documents.onEvent((event) => {
      if (event.kind === "opened") this.#watch(event.document);
      if (event.kind === "closed") this.#onDisk.delete(event.uri);
    });
  }

  /** Waits for the vocabulary, not for the handshake. */
  async current(): Promise<RequestSnapshot> {
    await this.options.source.ready;
    const { snapshot } = this.options.source;
    return { snapshot, view: snapshot.viewFor(this.options.caller) };
  }

  settingsFor(uri: string): Promise<Settings> {
    return this.configuration.settingsFor(uri);
  }

  /**
   * The document as the person sees it. One that the client opened and never changed, while the file on disk moved on,
   * is read from disk: some clients edit files without a notification.
   */
  async document(uri: string): Promise<OpenDocument | undefined> {
    const open = this.documents.get(uri);
    if (open === undefined || open.edited) return open;
    const file = filePath(uri);
    return file === undefined ? open : ((await this.#newerOnDisk(open, file)) ?? open);
  }

  /** An open document, else the file on disk. */
  async documentOrFile(uri: string): Promise<OpenDocument | undefined> {
    const open = await this.document(uri);
    const file = filePath(uri);
    if (open !== undefined || file === undefined) return open;
    const text = await readFile(file, "utf8").catch(() => undefined);
    return text === undefined ? undefined : this.documents.fromText(uri, languageOf(file), text);
  }

  /** Path below the vocabulary folder when the document is a YAML file of it. */
  vocabularyFile(uri: string): string | undefined {
    const file = filePath(uri);
    const { folder } = this.options;
    if (file === undefined || folder === undefined || !isInside(folder, file)) return undefined;
    return /\.ya?ml$/i.test(file) ? below(folder, file) : undefined;
  }

  /** How much of a document the client may be answered from: guarded files of the vocabulary are for those granted them. */
  reads({ view }: RequestSnapshot, uri: string): "all" | "existence" | "nothing" {
    const file = this.vocabularyFile(uri);
    return file === undefined ? "all" : view.reads(file);
  }

  vocabularyUri(file: string): string | undefined {
    const { folder } = this.options;
    return folder === undefined ? undefined : fileUri(`${folder}/${file}`);
  }

  /** A range that was computed in UTF-16, in the client's encoding: needs the text where they differ. */
  async encoded(uri: string, range: Range): Promise<Range> {
    if (this.client.positionEncoding === "utf-16") return range;
    return (await this.documentOrFile(uri))?.encoded(range) ?? range;
  }

  changeFolders(added: readonly WorkspaceFolder[], removed: readonly WorkspaceFolder[]): void {
    const without = (list: readonly WorkspaceFolder[], gone: readonly WorkspaceFolder[]) => {
      const keys = new Set(gone.map((folder) => uriKey(folder.uri)));
      return list.filter((folder) => !keys.has(uriKey(folder.uri)));
    };
    this.folders = [...without(this.folders, removed), ...added];
    this.#left = without([...this.#left, ...removed], added);
  }

  /** Whether a document lies in a folder that the client took out of the workspace: it has no diagnostics any more. */
  hasLeft(uri: string): boolean {
    const file = filePath(uri);
    const holds = (folder: WorkspaceFolder): boolean => {
      const path = filePath(folder.uri);
      return file !== undefined && path !== undefined && isInside(path, file);
    };
    return this.#left.some(holds) && !this.folders.some(holds);
  }

  folderPaths(): readonly string[] {
    return this.folders.map((folder) => filePath(folder.uri)).filter((folder) => folder !== undefined);
  }

  /** Remembers how the file stood when the client opened it: only what happens to it later is news. */
  #watch(open: OpenDocument): void {
    const file = filePath(open.uri);
    if (file !== undefined)
      this.#onDisk.set(
        open.uri,
        modified(file).then((stamp) => ({ stamp, newer: undefined })),
      );
  }

  async #newerOnDisk(open: OpenDocument, file: string): Promise<OpenDocument | undefined> {
    const [seen, stamp] = await Promise.all([this.#onDisk.get(open.uri), modified(file)]);
    if (seen === undefined || stamp === undefined || seen.stamp === stamp) return seen?.newer;
    const text = await readFile(file, "utf8").catch(() => open.text);
    const newer = text === open.text ? undefined : this.documents.fromText(open.uri, open.languageId, text);
    this.#onDisk.set(open.uri, Promise.resolve({ stamp, newer }));
    return newer;
  }
}

interface OnDisk {
  /** Milliseconds of the last change, when there is a file. */
  readonly stamp: number | undefined;
  readonly newer: OpenDocument | undefined;
}

function modified(file: string): Promise<number | undefined> {
  return stat(file).then(
    (it) => it.mtimeMs,
    () => undefined,
  );
}

function languageOf(file: string): string {
  if (/\.(?:md|markdown|mdx)$/i.test(file)) return "markdown";
  return /\.ya?ml$/i.test(file) ? "yaml" : "plaintext";
}
