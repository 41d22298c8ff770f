import { localCaller } from "../../../core/concept/caller.ts";
import { isLoopback } from "../../../http/host-guard.ts";
import type { LspOptions } from "../../../lsp/documents/session.ts";
import { type Served, serveForked, serveOutgoing, serveStreams, watchProcess } from "../../../lsp/transports.ts";
import type { ReadSettings } from "../../../settings/read-settings.ts";
import { type Address, hostPort, parseAddress, parsePort, refuseRemoteEditors } from "../../kit/address.ts";
import { exitCodes, type Io, UsageError } from "../../kit/io.ts";
import { type Opened, open } from "../../kit/open.ts";
import { ruleDocs } from "../../kit/rule-docs.ts";
import { type Endpoint, runServer } from "../../kit/run-server.ts";
import { version } from "../../kit/version.ts";

/** How editors start the server. One connection is named; `--stdio` when none is. */
export interface LspFlags {
  readonly stdio?: boolean;
  readonly nodeIpc?: boolean;
  /** A port of this machine where the editor listens. */
  readonly socket?: string;
  /** A named pipe where the editor listens. */
  readonly pipe?: string;
  /** `HOST:PORT` to listen on. */
  readonly listen?: string;
  readonly clientProcessId?: string;
}

/** How long everything may take to flush and close, in milliseconds. */
const maxCloseMs = 900;

/** Serves editors until the client leaves or a signal comes. */
export async function runLsp(flags: LspFlags, read: ReadSettings, io: Io): Promise<number> {
  const connection = connectionOf(flags, read.settings["allow-remote-editors"]);
  const opened = await open(read.settings, { watch: true });
  const options = lspOptions(opened, read);
  const watched = watchClient(flags.clientProcessId);
  return runServer({
    log: opened.log,
    endpoints: [
      () => (connection.kind === "listen" ? startLspTcp(connection, options) : serve(connection, options, io)),
    ],
    started: async ([endpoint]) => {
      if (connection.kind === "listen") io.stderr.write(`Language server on ${endpoint?.address}\n`);
      return watched.stop;
    },
    ended: watched.gone,
    behind: [() => opened.workspace.dispose(), () => opened.ledger.close()],
    maxCloseMs,
  });
}

/** What the language server is given of an open workspace: by `lsp` and by `serve --lsp` alike. */
export function lspOptions({ workspace, caller, ledger, log }: Opened, { started }: ReadSettings): LspOptions {
  return {
    source: workspace,
    folder: workspace.folder,
    caller,
    log,
    version,
    started,
    docs: ruleDocs(import.meta.url),
    countUses: (concept) => ledger.countEvents({ concept }).catch(() => undefined),
  };
}

type LspConnection =
  | { readonly kind: "stdio" }
  | { readonly kind: "fork" }
  | { readonly kind: "outgoing"; readonly address: { readonly port: number } | { readonly path: string } }
  | ({ readonly kind: "listen" } & Address);

function connectionOf(flags: LspFlags, allowsRemote: boolean): LspConnection {
  const { stdio, nodeIpc, socket, pipe, listen } = flags;
  const named = [
    stdio === true,
    nodeIpc === true,
    socket !== undefined,
    pipe !== undefined,
    listen !== undefined,
  ].filter(Boolean);
  if (named.length > 1) throw new UsageError("Name one connection: --stdio, --node-ipc, --socket, --pipe or --listen.");
  if (nodeIpc === true) {
    if (process.send === undefined)
      throw new UsageError("--node-ipc works only for a process that forked this one. Use --stdio.");
    return { kind: "fork" };
  }
  if (socket !== undefined) return { kind: "outgoing", address: { port: parsePort("--socket", socket) } };
  if (pipe !== undefined) return { kind: "outgoing", address: { path: pipe } };
  if (listen === undefined) return { kind: "stdio" };
  const address = parseAddress("--listen", listen);
  refuseRemoteEditors("--listen", address, allowsRemote);
  return { kind: "listen", ...address };
}

/** Listens for any number of editors. One that comes from another machine opens nothing that is guarded. */
export async function startLspTcp({ host, port }: Address, options: LspOptions): Promise<Endpoint> {
  const caller = isLoopback(host) ? options.caller : localCaller();
  const { listenLsp } = await import("../../../lsp/transports.ts");
  const listening = await listenLsp(host, port, { ...options, caller });
  return { name: "LSP", address: hostPort(listening.host, listening.port), close: listening.close };
}

type Single = Exclude<LspConnection, { kind: "listen" }>;

async function serve(connection: Single, options: LspOptions, io: Io): Promise<Endpoint> {
  const { closed, close } = await client(connection, options, io);
  return { name: "LSP", address: connection.kind, closed, close };
}

async function client(connection: Single, options: LspOptions, io: Io): Promise<Served> {
  if (connection.kind === "fork") return serveForked(options);
  if (connection.kind === "stdio") return serveStreams(io.stdin, io.stdout, options);
  const { address } = connection;
  return serveOutgoing(address, options).catch((error: unknown) => {
    const where = "port" in address ? `port ${address.port}` : address.path;
    throw new UsageError(`Nothing listens on ${where}: ${error instanceof Error ? error.message : String(error)}.`);
  });
}

/** Settles when the process that an editor named as its own is gone. */
function watchClient(clientProcessId: string | undefined): {
  readonly gone: Promise<number>;
  readonly stop: () => void;
} {
  const id = Number(clientProcessId);
  if (!Number.isInteger(id) || id <= 0) return { gone: new Promise(() => undefined), stop: () => undefined };
  let stop = (): void => undefined;
  const gone = new Promise<number>((resolve) => {
    stop = watchProcess(id, () => resolve(exitCodes.found));
  });
  return { gone, stop };
}
