import path from "node:path";
import {
  commands,
  type ExtensionContext,
  Location,
  Position,
  Range,
  type SymbolInformation,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  TransportKind,
} from "vscode-languageclient/node";
import { graphPage, type Neighborhood } from "./graph-page.ts";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  client = new LanguageClient("iaip-dsl", "IAIP vocabulary", serverOptions(context), clientOptions);
  context.subscriptions.push(
    commands.registerCommand("iaip-dsl.openConcept", openConcept),
    commands.registerCommand("iaip-dsl.showGraph", showGraph),
    commands.registerCommand("iaip-dsl.checkWorkspaceFiles", checkWorkspace),
    commands.registerCommand("iaip-dsl.restart", () => client?.restart()),
    commands.registerCommand("iaip-dsl.showReferences", showReferences),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

const clientOptions: LanguageClientOptions = {
  documentSelector: ["markdown", "plaintext", "yaml", "mdx"].flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
    { scheme: "vscode-remote", language },
  ]),
};

function serverOptions(context: ExtensionContext): ServerOptions {
  const settings = workspace.getConfiguration("iaip-dsl.server");
  const own = settings.get<string>("path");
  const concepts = settings.get<string>("concepts") || context.asAbsolutePath("concepts");
  const module = own || context.asAbsolutePath(path.join("dist", "iaip-dsl.mjs"));
  return { module, args: ["lsp", "--concepts", concepts], transport: TransportKind.ipc };
}

async function pickConcept(placeHolder: string): Promise<SymbolInformation | undefined> {
  const symbols = await commands.executeCommand<SymbolInformation[]>("vscode.executeWorkspaceSymbolProvider", "");
  const concepts = symbols.filter((it) => it.location.uri.path.endsWith(".yaml") && it.containerName !== "");
  const items = concepts.map((symbol) => ({ label: symbol.name, description: symbol.containerName, symbol }));
  return (await window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.symbol;
}

async function openConcept(): Promise<void> {
  const symbol = await pickConcept("Which concept?");
  if (symbol === undefined) return;
  await window.showTextDocument(symbol.location.uri, { selection: symbol.location.range });
}

async function showGraph(name?: string): Promise<void> {
  const concept = name ?? (await pickConcept("The graph around which concept?"))?.name;
  if (concept === undefined || client === undefined) return;
  const around = await client.sendRequest<Neighborhood>("workspace/executeCommand", {
    command: "iaip-dsl.neighborhood",
    arguments: [concept],
  });
  const panel = window.createWebviewPanel("iaip-dsl.graph", `Around ${concept}`, ViewColumn.Beside, {});
  panel.webview.html = graphPage(around);
}

async function checkWorkspace(): Promise<void> {
  const result = await commands.executeCommand<{ files: number; findings: number }>("iaip-dsl.checkWorkspace");
  await window.showInformationMessage(`${result.findings} findings in ${result.files} files.`);
}

interface Place {
  readonly uri: string;
  readonly range: { readonly start: PlainPosition; readonly end: PlainPosition };
}
interface PlainPosition {
  readonly line: number;
  readonly character: number;
}

/** A code lens sends plain positions; the editor's own list wants its classes. */
async function showReferences(uri: string, at: PlainPosition, places: readonly Place[]): Promise<void> {
  const position = (it: PlainPosition): Position => new Position(it.line, it.character);
  const locations = places.map(
    (it) => new Location(Uri.parse(it.uri), new Range(position(it.range.start), position(it.range.end))),
  );
  await commands.executeCommand("editor.action.showReferences", Uri.parse(uri), position(at), locations);
}
