import type { DidChangeTextDocumentParams, Position, Range, TextDocumentItem } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type Format, formatOf } from "../../core/text/formats/format.ts";
import { columnsOf, type PositionEncoding, toUtf16 } from "../protocol/position-encoding.ts";
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
  /** The client sent at least one change since it opened the document. */
  readonly edited: boolean;
  /** In the client's encoding, as every position that leaves the server. */
  positionAt(offset: number): Position;
  /** Of a position in the client's encoding. Clamped to the text; inside a surrogate pair it is the pair's start. */
  offsetAt(position: Position): number;
  /** A range that was computed in UTF-16, such as a problem's, in the client's encoding. */
  encoded(range: Range): Range;
  /** How many columns a stretch takes in the client's encoding. */
  columns(start: number, end: number): number;
}

export type DocumentEvent =
  | { readonly kind: "opened" | "changed" | "saved"; readonly document: OpenDocument }
  | { readonly kind: "closed"; readonly uri: string };

/** The documents a client has open, by address however it is written. */
export class Documents {
  readonly #open = new Map<string, { item: TextDocument; current: OpenDocument }>();
  readonly #listeners: ((event: DocumentEvent) => void)[] = [];
  #edition = 0;
  #encoding: PositionEncoding = "utf-16";

  /** What columns count; settled while initializing, before any document is open. */
  useEncoding(encoding: PositionEncoding): void {
    this.#encoding = encoding;
  }

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
      const clamped =
        "range" in change ? { ...change, range: clampRange(entry.item, change.range, this.#encoding) } : change;
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
    return freeze(item, this.#edition, edited, this.#encoding);
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

function freeze(item: TextDocument, edition: number, edited: boolean, encoding: PositionEncoding): OpenDocument {
  const { uri, languageId, version } = item;
  const text = item.getText();
  let own: TextDocument | undefined;
  const places = (): TextDocument => {
    if (item.version === version && item.getText() === text) return item;
    own ??= TextDocument.create(uri, languageId, version, text);
    return own;
  };
  const encode = columnCounter(text, encoding);
  const positionAt = (offset: number): Position => {
    const position = places().positionAt(offset);
    if (encoding === "utf-16") return position;
    return { line: position.line, character: encode(places().offsetAt({ ...position, character: 0 }), position) };
  };
  return {
    uri,
    languageId,
    version,
    edition,
    text,
    edited,
    positionAt,
    offsetAt(position) {
      const offset = places().offsetAt(toUtf16(places(), position, encoding));
      return splitsPair(text, offset) ? offset - 1 : offset;
    },
    encoded({ start, end }) {
      if (encoding === "utf-16") return { start, end };
      return { start: positionAt(places().offsetAt(start)), end: positionAt(places().offsetAt(end)) };
    },
    columns: (start, end) => columnsOf(text.slice(start, end), encoding),
  };
}

/** Counts the columns before a position, going on from the last one on the same line: long lines have many. */
function columnCounter(text: string, encoding: PositionEncoding): (lineStart: number, position: Position) => number {
  let last = { line: -1, character: 0, columns: 0 };
  return (lineStart, { line, character }) => {
    const from = last.line === line && last.character <= character ? last : { line, character: 0, columns: 0 };
    const stretch = text.slice(lineStart + from.character, lineStart + character);
    last = { line, character, columns: from.columns + columnsOf(stretch, encoding) };
    return last.columns;
  };
}

/** Lines and columns past the end would leave holes in the line table. */
function clampRange(item: TextDocument, range: Range, encoding: PositionEncoding): Range {
  const clamped = (position: Position): Position => item.positionAt(item.offsetAt(toUtf16(item, position, encoding)));
  return { start: clamped(range.start), end: clamped(range.end) };
}

function splitsPair(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
