import type { InitializeParams } from "vscode-languageserver";
import { chooseEncoding, type PositionEncoding } from "./position-encoding.ts";

/** What the client declared in `initialize`, as far as this server uses it. Absent means no. */
export interface ClientFeatures {
  /** What columns count on this connection. */
  readonly positionEncoding: PositionEncoding;
  readonly markdownHover: boolean;
  readonly markdownCompletion: boolean;
  readonly markupDiagnostics: boolean;
  readonly pullDiagnostics: boolean;
  readonly refreshDiagnostics: boolean;
  readonly relatedInformation: boolean;
  readonly diagnosticTags: boolean;
  readonly codeDescription: boolean;
  readonly versionedEdits: boolean;
  readonly createFiles: boolean;
  readonly changeAnnotations: boolean;
  readonly codeActionLiterals: boolean;
  readonly codeActionResolve: boolean;
  readonly hierarchicalSymbols: boolean;
  readonly definitionLinks: boolean;
  readonly configuration: boolean;
  readonly configurationChanges: boolean;
  readonly workspaceFolders: boolean;
  readonly watchedFiles: boolean;
  readonly progress: boolean;
  readonly prepareRename: boolean;
  readonly multilineTokens: boolean;
  readonly refreshSemanticTokens: boolean;
  readonly refreshInlayHints: boolean;
  readonly refreshCodeLens: boolean;
  readonly textDocumentContent: boolean;
  readonly showDocument: boolean;
  readonly applyEdit: boolean;
}

export function clientFeatures(params: InitializeParams): ClientFeatures {
  const text = params.capabilities?.textDocument ?? {};
  const workspace = params.capabilities?.workspace ?? {};
  const window = params.capabilities?.window ?? {};
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    Array.isArray(list) && list.includes(value);
  return {
    positionEncoding: chooseEncoding(params.capabilities?.general?.positionEncodings),
    markdownHover: has(text.hover?.contentFormat, "markdown"),
    markdownCompletion: has(text.completion?.completionItem?.documentationFormat, "markdown"),
    markupDiagnostics:
      supports(text.diagnostic, "markupMessageSupport") || supports(text.publishDiagnostics, "markupMessageSupport"),
    pullDiagnostics: text.diagnostic !== undefined,
    refreshDiagnostics: workspace.diagnostics?.refreshSupport === true,
    relatedInformation:
      text.publishDiagnostics?.relatedInformation === true || supports(text.diagnostic, "relatedInformation"),
    diagnosticTags: text.publishDiagnostics?.tagSupport !== undefined || supports(text.diagnostic, "tagSupport"),
    codeDescription:
      text.publishDiagnostics?.codeDescriptionSupport === true || supports(text.diagnostic, "codeDescriptionSupport"),
    versionedEdits: workspace.workspaceEdit?.documentChanges === true,
    createFiles: has(workspace.workspaceEdit?.resourceOperations, "create"),
    changeAnnotations: workspace.workspaceEdit?.changeAnnotationSupport !== undefined,
    codeActionLiterals: text.codeAction?.codeActionLiteralSupport !== undefined,
    codeActionResolve: has(text.codeAction?.resolveSupport?.properties, "edit"),
    hierarchicalSymbols: text.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    definitionLinks: text.definition?.linkSupport === true,
    configuration: workspace.configuration === true,
    configurationChanges: workspace.didChangeConfiguration?.dynamicRegistration === true,
    workspaceFolders: workspace.workspaceFolders === true,
    watchedFiles: workspace.didChangeWatchedFiles?.dynamicRegistration === true,
    progress: window.workDoneProgress === true,
    prepareRename: text.rename?.prepareSupport === true,
    multilineTokens: text.semanticTokens?.multilineTokenSupport === true,
    refreshSemanticTokens: workspace.semanticTokens?.refreshSupport === true,
    refreshInlayHints: workspace.inlayHint?.refreshSupport === true,
    refreshCodeLens: workspace.codeLens?.refreshSupport === true,
    textDocumentContent: workspace.textDocumentContent !== undefined,
    showDocument: window.showDocument?.support === true,
    applyEdit: workspace.applyEdit === true,
  };
}

function supports(capability: unknown, key: string): boolean {
  if (typeof capability !== "object" || capability === null) return false;
  const value: unknown = Reflect.get(capability, key);
  return value !== undefined && value !== false && value !== null;
}
