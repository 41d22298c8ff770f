import type {
  CallHierarchyIncomingCallsParams,
  CallHierarchyOutgoingCallsParams,
  CallHierarchyPrepareParams,
  CancellationToken,
  CodeActionParams,
  CodeLens,
  CodeLensParams,
  CompletionItem,
  CompletionParams,
  DefinitionParams,
  DocumentDiagnosticParams,
  DocumentHighlightParams,
  DocumentLinkParams,
  DocumentSymbolParams,
  ExecuteCommandParams,
  FoldingRangeParams,
  HoverParams,
  InlayHintParams,
  ReferenceParams,
  RenameParams,
  SemanticTokensParams,
  SemanticTokensRangeParams,
  TextDocumentContentParams,
  TextDocumentPositionParams,
  WorkspaceDiagnosticParams,
  WorkspaceSymbolParams,
} from "vscode-languageserver";
import type { Checks } from "./diagnostics/checks.ts";
import type { Diagnostics } from "./diagnostics/diagnostics.ts";
import type { Session } from "./documents/session.ts";
import { incomingCalls, outgoingCalls, prepareCallHierarchy } from "./features/call-hierarchy.ts";
import { codeActions } from "./features/code-actions.ts";
import { codeLens, resolveCodeLens } from "./features/code-lens.ts";
import { completion, resolveCompletion } from "./features/completion.ts";
import { conceptPage } from "./features/concept-page.ts";
import { definition } from "./features/definition.ts";
import { documentHighlight } from "./features/document-highlight.ts";
import { documentLinks } from "./features/document-links.ts";
import { executeCommand } from "./features/execute-command.ts";
import { foldingRanges } from "./features/folding.ts";
import { hover } from "./features/hover.ts";
import { inlayHints } from "./features/inlay-hints.ts";
import { NameIndex } from "./features/name-index.ts";
import { documentDiagnostics, workspaceDiagnostics } from "./features/pulled-diagnostics.ts";
import { references } from "./features/references.ts";
import { prepareRename, rename } from "./features/rename.ts";
import { semanticTokens, semanticTokensInRange } from "./features/semantic-tokens.ts";
import { documentSymbols, workspaceSymbols } from "./features/symbols.ts";

export type Features = ReturnType<typeof makeFeatures>;

/** What the server can be asked, bound to one client. */
export function makeFeatures(session: Session, checks: Checks, diagnostics: Diagnostics) {
  const names = new NameIndex();
  return {
    hover: (params: HoverParams) => hover(session, params),
    completion: (params: CompletionParams) => completion(session, names, params),
    resolveCompletion: (item: CompletionItem) => resolveCompletion(session, item),
    definition: (params: DefinitionParams) => definition(session, params),
    references: (params: ReferenceParams, token: CancellationToken) => references(session, params, token),
    documentHighlight: (params: DocumentHighlightParams) => documentHighlight(session, params),
    prepareRename: (params: TextDocumentPositionParams) => prepareRename(session, params),
    rename: (params: RenameParams, token: CancellationToken) => rename(session, params, token),
    documentSymbols: (params: DocumentSymbolParams) => documentSymbols(session, params),
    workspaceSymbols: (params: WorkspaceSymbolParams) => workspaceSymbols(session, names, params),
    codeActions: (params: CodeActionParams) => codeActions(session, checks, params),
    codeLens: (params: CodeLensParams) => codeLens(session, params),
    resolveCodeLens: (lens: CodeLens, token: CancellationToken) => resolveCodeLens(session, lens, token),
    inlayHints: (params: InlayHintParams) => inlayHints(session, params),
    semanticTokens: (params: SemanticTokensParams) => semanticTokens(session, params),
    semanticTokensInRange: (params: SemanticTokensRangeParams) => semanticTokensInRange(session, params),
    foldingRanges: (params: FoldingRangeParams) => foldingRanges(session, params),
    documentLinks: (params: DocumentLinkParams) => documentLinks(session, params),
    executeCommand: (params: ExecuteCommandParams, token: CancellationToken) =>
      executeCommand(session, checks, diagnostics, params, token),
    prepareCallHierarchy: (params: CallHierarchyPrepareParams) => prepareCallHierarchy(session, params),
    incomingCalls: (params: CallHierarchyIncomingCallsParams) => incomingCalls(session, params),
    outgoingCalls: (params: CallHierarchyOutgoingCallsParams) => outgoingCalls(session, params),
    conceptPage: (params: TextDocumentContentParams) => conceptPage(session, params),
    documentDiagnostics: async (params: DocumentDiagnosticParams) => {
      await diagnostics.pulled();
      return documentDiagnostics(checks, params);
    },
    workspaceDiagnostics: (params: WorkspaceDiagnosticParams) => workspaceDiagnostics(session, checks, params),
  };
}
