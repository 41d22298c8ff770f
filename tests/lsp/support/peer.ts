import type { Duplex, Readable, Writable } from "node:stream";
import type { Diagnostic, InitializeParams, InitializeResult, Range } from "vscode-languageserver";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

export interface PeerOptions {
  readonly capabilities?: InitializeParams["capabilities"];
  readonly folder?: string;
  readonly folders?: readonly string[];
  readonly initializationOptions?: unknown;
  /** Answers `workspace/configuration`; absent: the request stays unanswered. `null`: the client lacks it. */
  readonly configuration?: ((items: readonly { scopeUri?: string }[]) => unknown) | null;
  readonly params?: Partial<InitializeParams>;
}

export interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a capable editor says it can do. */
export const capable: InitializeParams["capabilities"] = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true, showDocument: { support: true } },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ["create", "rename", "delete"],
      changeAnnotationSupport: { groupsOnLabel: true },
    },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    textDocumentContent: {},
  },
  textDocument: {
    synchronization: { didSave: true },
    hover: { contentFormat: ["markdown", "plaintext"] },
    completion: { completionItem: { documentationFormat: ["markdown", "plaintext"], snippetSupport: true } },
    rename: { prepareSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
    publishDiagnostics: {
      relatedInformation: true,
      versionSupport: true,
      codeDescriptionSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
  },
};

/** A client of the server over two streams; it waits for events and never sleeps. */
export class Peer {
  readonly connection: MessageConnection;
  readonly published: Published[] = [];
  readonly requests: { readonly method: string; readonly params: unknown }[] = [];
  readonly logged: string[] = [];
  result: InitializeResult | undefined;
  #waiting: { readonly met: () => boolean; readonly done: () => void }[] = [];
  #versions = new Map<string, number>();

  constructor(input: Readable, output: Writable) {
    output.on("error", () => undefined);
    this.connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
    this.connection.onError(() => undefined);
  }

  static over(stream: Duplex): Peer {
    return new Peer(stream, stream);
  }

  async initialize(options: PeerOptions = {}): Promise<InitializeResult> {
    const { capabilities = capable, folder, folders = folder === undefined ? [] : [folder] } = options;
    this.connection.onNotification("textDocument/publishDiagnostics", (params: Published) => {
      this.published.push(params);
      this.#wake();
    });
    this.connection.onNotification("window/logMessage", (params: { message: string }) => {
      this.logged.push(params.message);
    });
    this.connection.onRequest((method, params) => {
      this.requests.push({ method, params });
      this.#wake();
      if (method !== "workspace/configuration") return null;
      const items = (params as { items: { scopeUri?: string }[] }).items;
      if (options.configuration === undefined) return items.map(() => null);
      return options.configuration === null ? new Promise(() => undefined) : options.configuration(items);
    });
    this.connection.listen();
    const uris = folders.map((it) => new URL(`file://${it}`).href);
    this.result = await this.connection.sendRequest<InitializeResult>("initialize", {
      processId: null,
      rootUri: uris[0] ?? null,
      workspaceFolders: uris.length === 0 ? null : uris.map((uri) => ({ uri, name: uri })),
      capabilities,
      initializationOptions: options.initializationOptions,
      ...options.params,
    });
    await this.connection.sendNotification("initialized", {});
    return this.result;
  }

  request<T = unknown>(method: string, params?: unknown): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  notify(method: string, params?: unknown): Promise<void> {
    return this.connection.sendNotification(method, params);
  }

  open(uri: string, text: string, languageId = languageOf(uri)): Promise<void> {
    this.#versions.set(uri, 1);
    return this.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
  }

  change(
    uri: string,
    changes: readonly { readonly range?: Range; readonly text: string }[],
    version?: number,
  ): Promise<void> {
    const next = version ?? (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, next);
    return this.notify("textDocument/didChange", { textDocument: { uri, version: next }, contentChanges: changes });
  }

  close(uri: string): Promise<void> {
    return this.notify("textDocument/didClose", { textDocument: { uri } });
  }

  at<T = unknown>(method: string, uri: string, line: number, character: number, more: object = {}): Promise<T> {
    return this.request<T>(`textDocument/${method}`, { textDocument: { uri }, position: { line, character }, ...more });
  }

  /** The hover's words, or `null`. */
  async hover(uri: string, line: number, character: number): Promise<{ text: string; range: Range } | null> {
    const told = await this.at<{ contents: { value: string }; range: Range } | null>("hover", uri, line, character);
    return told && { text: told.contents.value, range: told.range };
  }

  /** The last diagnostics pushed for an address. */
  diagnosticsOf(uri: string): readonly Diagnostic[] | undefined {
    return this.published.findLast((it) => it.uri === uri)?.diagnostics;
  }

  /** Settles with the first published set after now (or already there, with `past`) that fits. */
  async diagnostics(
    uri: string,
    fits: (all: readonly Diagnostic[]) => boolean = () => true,
    past = true,
  ): Promise<readonly Diagnostic[]> {
    const from = past ? 0 : this.published.length;
    const find = (): Published | undefined =>
      this.published.slice(from).findLast((it) => it.uri === uri && fits(it.diagnostics));
    await this.until(() => find() !== undefined);
    return find()?.diagnostics ?? [];
  }

  async pull(
    uri: string,
    previousResultId?: string,
  ): Promise<{ kind: string; resultId?: string; items?: Diagnostic[] }> {
    return this.request("textDocument/diagnostic", { textDocument: { uri }, previousResultId });
  }

  /** Settles when a condition over what the server sent holds. */
  until(met: () => boolean): Promise<void> {
    if (met()) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.push({ met, done });
    });
  }

  async shutdown(): Promise<void> {
    await this.request("shutdown");
    await this.notify("exit");
  }

  #wake(): void {
    const due = this.#waiting.filter((it) => it.met());
    this.#waiting = this.#waiting.filter((it) => !due.includes(it));
    for (const { done } of due) done();
  }
}

function languageOf(uri: string): string {
  if (uri.endsWith(".md")) return "markdown";
  return /\.ya?ml$/.test(uri) ? "yaml" : "plaintext";
}
