import type { SemanticTokensLegend, ServerCapabilities } from "vscode-languageserver";
import type { ClientFeatures } from "./client-features.ts";

/** The key of our settings in an editor's configuration. */
export const section = "iaip-dsl";

/** Asked for by name with `workspace/executeCommand`. */
export const commands = {
  checkWorkspace: "iaip-dsl.checkWorkspace",
  neighborhood: "iaip-dsl.neighborhood",
  ignoreOnce: "iaip-dsl.ignoreOnce",
} as const;

/** Read-only pages of concepts, for clients that can open them: `iaip://concepts/ID`. */
export const pageScheme = "iaip";

/** `concept` is our own type; the VS Code extension gives it a color, other editors by their theme. */
export const semanticTokensLegend: SemanticTokensLegend = {
  tokenTypes: ["concept"],
  tokenModifiers: ["pointer", "contested", "withheld", "ceremonial"],
};

export function serverCapabilities(client: ClientFeatures): ServerCapabilities {
  return {
    positionEncoding: client.positionEncoding,
    textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
    hoverProvider: true,
    completionProvider: { resolveProvider: true, triggerCharacters: ["-", "'", "’", "_"] },
    definitionProvider: true,
    declarationProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: client.prepareRename ? { prepareProvider: true } : true,
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    codeActionProvider: client.codeActionLiterals ? { codeActionKinds: ["quickfix"], resolveProvider: false } : false,
    codeLensProvider: { resolveProvider: true },
    inlayHintProvider: true,
    semanticTokensProvider: { legend: semanticTokensLegend, full: true, range: true },
    foldingRangeProvider: true,
    documentLinkProvider: { resolveProvider: false },
    callHierarchyProvider: true,
    executeCommandProvider: { commands: Object.values(commands) },
    diagnosticProvider: { identifier: "iaip-dsl", interFileDependencies: true, workspaceDiagnostics: true },
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      ...(client.textDocumentContent ? { textDocumentContent: { schemes: [pageScheme] } } : {}),
    },
  };
}
