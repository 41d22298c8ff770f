import net from "node:net";
import path from "node:path";
import * as vscode from "vscode";
import {
  commands,
  type Disposable,
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
  type StreamInfo,
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
    ...registerMcpServer(context),
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

/** What the person set; none of it can come from a workspace (`scope: machine`). */
function own<T>(name: string): T | undefined {
  return workspace.getConfiguration("iaip-dsl.server").get<T>(name);
}

/** The server that comes with the extension runs on the editor's own Node: nothing has to be on the PATH. */
const serverModule = (context: ExtensionContext): string =>
  own<string>("path") || context.asAbsolutePath(path.join("dist", "iaip-dsl.mjs"));

const conceptsFolder = (context: ExtensionContext): string =>
  own<string>("concepts") || context.asAbsolutePath("concepts");

function serverOptions(context: ExtensionContext): ServerOptions {
  const port = own<number>("port") ?? 0;
  if (port > 0) return () => connect(own<string>("host") || "127.0.0.1", port);
  const args = ["lsp", "--concepts", conceptsFolder(context)];
  return { module: serverModule(context), args, transport: TransportKind.ipc };
}

/** A language server that already runs, and that other editors may share. */
function connect(host: string, port: number): Promise<StreamInfo> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host);
    socket.once("connect", () => resolve({ reader: socket, writer: socket }));
    socket.once("error", (error) =>
      reject(
        new Error(
          `No language server listens on ${host}:${port} (${error.message}). Start one with \`iaip-dsl lsp --listen ${host}:${port}\`.`,
        ),
      ),
    );
  });
}

/** What VS Code 1.101 has beyond the types that the extension is built for. */
interface McpHost {
  readonly lm?: {
    registerMcpServerDefinitionProvider?(id: string, provider: McpProvider): Disposable;
  };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    version: string,
  ) => unknown;
}
interface McpProvider {
  provideMcpServerDefinitions(): readonly unknown[];
}

/** The MCP server for VS Code's agents, where VS Code knows such. */
function registerMcpServer(context: ExtensionContext): readonly Disposable[] {
  // The types of VS Code 1.91 do not know it.
  const host = vscode as unknown as McpHost;
  const { McpStdioServerDefinition } = host;
  if (McpStdioServerDefinition === undefined || host.lm?.registerMcpServerDefinitionProvider === undefined) return [];
  const version = String(context.extension.packageJSON.version);
  const definition = (): unknown => {
    const args = [serverModule(context), "serve", "--mcp", "stdio", "--concepts", conceptsFolder(context)];
    return new McpStdioServerDefinition(
      "IAIP vocabulary",
      process.execPath,
      args,
      { ELECTRON_RUN_AS_NODE: "1" },
      version,
    );
  };
  return [
    host.lm.registerMcpServerDefinitionProvider("iaip-dsl.mcp", {
      provideMcpServerDefinitions: () => (own<boolean>("mcp") === false ? [] : [definition()]),
    }),
  ];
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
