import type { DidChangeTextDocumentParams, Position, TextDocumentItem } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type Format, formatOf } from "../../core/text/formats/format.ts";
import { uriKey } from "../protocol/uris.ts";

/** An open document. Its text never changes: an edit makes the next one. */
export interface OpenDocument {
  /** As the client wrote it. */
  readonly uri: string;
  readonly languageId: string;
  /** As the client counts; some clients never count on. */
  readonly version: number;
  /** Counts every text this server has seen; what caches may rely on. */
  readonly edition: number;
  readonly text: string;
  /** The client has told of at least one change since it opened the document. */
  readonly edited: boolean;
  positionAt(offset: number): Position;
  /** Clamped to the text; inside a surrogate pair it is the pair's start. */
  offsetAt(position: Position): number;
}

export type DocumentEvent =
  | { readonly kind: "opened" | "changed" | "saved"; readonly document: OpenDocument }
  | { readonly kind: "closed"; readonly uri: string };

/** The documents a client has open, by address however it is written. Positions are UTF-16 and clamped. */
export class Documents {
  readonly #open = new Map<string, { item: TextDocument; current: OpenDocument }>();
  readonly #listeners: ((event: DocumentEvent) => void)[] = [];
  #edition = 0;

  onEvent(listener: (event: DocumentEvent) => void): void {
    this.#listeners.push(listener);
  }

  get(uri: string): OpenDocument | undefined {
    return this.#open.get(uriKey(uri))?.current;
  }

  all(): readonly OpenDocument[] {
    return [...this.#open.values()].map((entry) => entry.current);
  }

  open(item: TextDocumentItem): void {
    const text = typeof item.text === "string" ? item.text : "";
    const document = TextDocument.create(item.uri, item.languageId ?? "", item.version ?? 0, text);
    const current = this.#editionOf(document, false);
    this.#open.set(uriKey(item.uri), { item: document, current });
    this.#emit({ kind: "opened", document: current });
  }

  /** A change of a document that is not open is dropped: its base is unknown. */
  change(params: DidChangeTextDocumentParams): void {
    const entry = this.#open.get(uriKey(params.textDocument.uri));
    const changes = params.contentChanges ?? [];
    if (entry === undefined || changes.length === 0) return;
    for (const change of changes) {
      const clamped = "range" in change ? { ...change, range: clampRange(entry.item, change.range) } : change;
      entry.item = TextDocument.update(entry.item, [clamped], params.textDocument.version ?? entry.item.version);
    }
    entry.current = this.#editionOf(entry.item, true);
    this.#emit({ kind: "changed", document: entry.current });
  }

  save(uri: string): void {
    const document = this.get(uri);
    if (document !== undefined) this.#emit({ kind: "saved", document });
  }

  close(uri: string): void {
    const document = this.get(uri);
    if (document === undefined) return;
    this.#open.delete(uriKey(uri));
    this.#emit({ kind: "closed", uri: document.uri });
  }

  /** A document as it stands on disk, read as an open one is. */
  fromText(uri: string, languageId: string, text: string): OpenDocument {
    return this.#editionOf(TextDocument.create(uri, languageId, 0, text), false);
  }

  #editionOf(item: TextDocument, edited: boolean): OpenDocument {
    this.#edition += 1;
    return freeze(item, this.#edition, edited);
  }

  #emit(event: DocumentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** The reader's format for a document: by what the editor calls its language, else by its name. */
export function documentFormat({ languageId, uri }: OpenDocument): Format | undefined {
  const byId = languageId === "" ? undefined : formatOf(languageId);
  return byId ?? formatOf(uri.replace(/[?#].*$/, "")) ?? (languageId === "" ? "plaintext" : undefined);
}

function freeze(item: TextDocument, edition: number, edited: boolean): OpenDocument {
  const { uri, languageId, version } = item;
  const text = item.getText();
  let own: TextDocument | undefined;
  const places = (): TextDocument => {
    if (item.version === version && item.getText() === text) return item;
    own ??= TextDocument.create(uri, languageId, version, text);
    return own;
  };
  return {
    uri,
    languageId,
    version,
    edition,
    text,
    edited,
    positionAt: (offset) => places().positionAt(offset),
    offsetAt(position) {
      const offset = places().offsetAt(position);
      return splitsPair(text, offset) ? offset - 1 : offset;
    },
  };
}

/** Lines and columns past the end would leave holes in the line table. */
function clampRange(item: TextDocument, range: { start: Position; end: Position }): { start: Position; end: Position } {
  const start = item.positionAt(item.offsetAt(range.start));
  const end = item.positionAt(item.offsetAt(range.end));
  return { start, end };
}

function splitsPair(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
