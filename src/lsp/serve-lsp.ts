import {
  type CancellationToken,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  type Disposable,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
  type WorkspaceFolder,
} from "vscode-languageserver";
import { lazy } from "../base/lazy.ts";
import type { Diagnostics } from "./diagnostics/diagnostics.ts";
import { Documents } from "./documents/documents.ts";
import type { LspOptions, Session } from "./documents/session.ts";
import type { Features } from "./features.ts";
import { section, serverCapabilities } from "./protocol/capabilities.ts";
import { clientFeatures } from "./protocol/client-features.ts";
import { fileUri } from "./protocol/uris.ts";

export type { LspOptions } from "./documents/session.ts";

/**
 * Serves one client. The handshake is answered at once; everything that reads the vocabulary is loaded after it and
 * waits for the first snapshot. Disposing stops the work; ending the stream is the transport's part.
 */
export function serveLsp(connection: Connection, options: LspOptions): Disposable {
  const documents = new Documents();
  const stops: (() => void)[] = [];
  let initialized: InitializeParams | undefined;
  const begin = lazy(() => beginSession(connection, options, documents, initialized, stops));

  connection.onInitialize((params) => {
    initialized = params;
    documents.useEncoding(clientFeatures(params).positionEncoding);
    bindFolders(connection, options, begin);
    return initializeResult(params, options.version);
  });
  connection.onInitialized(() =>
    settle(
      begin().then((running) => register(connection, running)),
      options,
    ),
  );
  trackDocuments(connection, documents);
  bindWorkspace(connection, options, begin);
  bindRequests(connection, options, begin);
  connection.listen();
  return {
    dispose() {
      for (const stop of stops) stop();
      connection.dispose();
    },
  };
}

function initializeResult(params: InitializeParams, version: string): InitializeResult {
  return { capabilities: serverCapabilities(clientFeatures(params)), serverInfo: { name: "iaip-dsl", version } };
}

function trackDocuments(connection: Connection, documents: Documents): void {
  connection.onDidOpenTextDocument((params) => documents.open(params.textDocument));
  connection.onDidChangeTextDocument((params) => documents.change(params));
  connection.onDidSaveTextDocument((params) => documents.save(params.textDocument.uri));
  connection.onDidCloseTextDocument((params) => documents.close(params.textDocument.uri));
}

interface Running {
  readonly session: Session;
  readonly features: Features;
  readonly diagnostics: Diagnostics;
}

async function beginSession(
  connection: Connection,
  options: LspOptions,
  documents: Documents,
  params: InitializeParams | undefined,
  stops: (() => void)[],
): Promise<Running> {
  const [
    { Session },
    { Configuration },
    { makeFeatures },
    { Checks },
    { Diagnostics },
    { followVocabulary, showLoading },
  ] = await Promise.all([
    import("./documents/session.ts"),
    import("./documents/configuration.ts"),
    import("./features.ts"),
    import("./diagnostics/checks.ts"),
    import("./diagnostics/diagnostics.ts"),
    import("./follow-vocabulary.ts"),
  ]);
  const client = clientFeatures(params ?? { processId: null, rootUri: null, capabilities: {} });
  const { log } = options;
  const { started = [] } = options;
  const initializationOptions: unknown = params?.initializationOptions;
  const configuration = new Configuration({ connection, client, log, started, initializationOptions });
  const folders = foldersOf(params);
  const session = new Session({ connection, options, client, documents, configuration, folders });
  const checks = new Checks(session);
  const diagnostics = new Diagnostics(session, checks);
  stops.push(() => diagnostics.dispose(), followVocabulary(session, diagnostics));
  settle(
    configuration.refresh(folders).then(() => diagnostics.refresh()),
    options,
  );
  settle(showLoading(session), options);
  diagnostics.start();
  return { session, diagnostics, features: makeFeatures(session, checks, diagnostics) };
}

/** Some clients know only a root address or a root path, and some have none. */
function foldersOf(params: InitializeParams | undefined): readonly WorkspaceFolder[] {
  if (Array.isArray(params?.workspaceFolders)) return params.workspaceFolders;
  const uri = params?.rootUri ?? (typeof params?.rootPath === "string" ? fileUri(params.rootPath) : undefined);
  return typeof uri === "string" ? [{ uri, name: uri.split("/").at(-1) ?? uri }] : [];
}

/** What changes around the documents: settings, folders, files that others write. */
function bindWorkspace(connection: Connection, options: LspOptions, begin: () => Promise<Running>): void {
  const configure = async (settings?: unknown): Promise<void> => {
    const { session, diagnostics } = await begin();
    session.configuration.push(settings);
    await session.configuration.refresh(session.folders);
    diagnostics.refresh();
  };
  connection.onDidChangeConfiguration((params) => settle(configure(params?.settings), options));
  connection.onDidChangeWatchedFiles(() =>
    settle(
      begin().then(({ diagnostics }) => diagnostics.refresh()),
      options,
    ),
  );
}

/** Bound while initializing, after the library's own handler, which it replaces: ours serves every client. */
function bindFolders(connection: Connection, options: LspOptions, begin: () => Promise<Running>): void {
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event }) => {
    const change = async (): Promise<void> => {
      const { session, diagnostics } = await begin();
      session.changeFolders(event.added, event.removed);
      await session.configuration.refresh(session.folders);
      diagnostics.refresh();
    };
    settle(change(), options);
  });
}

/** Asks to be told of changed settings and project files, where the client can tell. */
async function register(connection: Connection, { session }: Running): Promise<void> {
  const { client } = session;
  if (client.configurationChanges)
    await connection.client.register(DidChangeConfigurationNotification.type, { section });
  const watchers = [{ globPattern: "**/.iaip-dsl.{yaml,yml}" }];
  if (client.watchedFiles) await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
}

function bindRequests(connection: Connection, options: LspOptions, begin: () => Promise<Running>): void {
  type Feature<P, R> = (params: P, token: CancellationToken) => Promise<R>;
  /** One neutral line for the client, the whole of it for the log: an exception here is a bug. */
  const on =
    <P, R>(choose: (features: Features) => Feature<P, R>) =>
    async (params: P, token: CancellationToken): Promise<R> => {
      if (token.isCancellationRequested) throw canceled();
      try {
        const { features } = await begin();
        const answer = await choose(features)(params, token);
        if (token.isCancellationRequested) throw canceled();
        return answer;
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        options.log("error", "A language feature failed.", {
          stack: error instanceof Error ? error.stack : String(error),
        });
        throw new ResponseError(LSPErrorCodes.RequestFailed, "This could not be answered; the server's log says why.");
      }
    };
  connection.onHover(on((it) => it.hover));
  connection.onCompletion(on((it) => it.completion));
  connection.onCompletionResolve(on((it) => it.resolveCompletion));
  connection.onDefinition(on((it) => it.definition));
  connection.onDeclaration(on((it) => it.definition));
  connection.onReferences(on((it) => it.references));
  connection.onDocumentHighlight(on((it) => it.documentHighlight));
  connection.onPrepareRename(on((it) => it.prepareRename));
  connection.onRenameRequest(on((it) => it.rename));
  connection.onDocumentSymbol(on((it) => it.documentSymbols));
  connection.onWorkspaceSymbol(on((it) => it.workspaceSymbols));
  connection.onCodeAction(on((it) => it.codeActions));
  connection.onCodeLens(on((it) => it.codeLens));
  connection.onCodeLensResolve(on((it) => it.resolveCodeLens));
  connection.onFoldingRanges(on((it) => it.foldingRanges));
  connection.onDocumentLinks(on((it) => it.documentLinks));
  connection.onExecuteCommand(on((it) => it.executeCommand));
  connection.languages.inlayHint.on(on((it) => it.inlayHints));
  connection.languages.semanticTokens.on(on((it) => it.semanticTokens));
  connection.languages.semanticTokens.onRange(on((it) => it.semanticTokensInRange));
  connection.languages.callHierarchy.onPrepare(on((it) => it.prepareCallHierarchy));
  connection.languages.callHierarchy.onIncomingCalls(on((it) => it.incomingCalls));
  connection.languages.callHierarchy.onOutgoingCalls(on((it) => it.outgoingCalls));
  connection.languages.diagnostics.on(on((it) => it.documentDiagnostics));
  connection.languages.diagnostics.onWorkspace(on((it) => it.workspaceDiagnostics));
  connection.workspace.textDocumentContent.on(on((it) => it.conceptPage));
}

const canceled = (): ResponseError => new ResponseError(LSPErrorCodes.RequestCancelled, "The request was canceled.");

function settle(work: Promise<unknown>, options: LspOptions): void {
  work.catch((error: unknown) => options.log("warn", "The editor did not answer.", { error: String(error) }));
}
