import type { LspOptions } from "../lsp/documents/session.ts";
import { type Served, serveForked, serveOutgoing, serveStreams, watchProcess } from "../lsp/transports.ts";
import type { ReadSettings } from "../settings/read-settings.ts";
import { ruleDocs } from "./explain.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { type Opened, open } from "./open.ts";
import { version } from "./version.ts";

/** How editors start the server. One way in is named; `--stdio` when none is. */
export interface LspFlags {
  readonly stdio?: boolean;
  readonly nodeIpc?: boolean;
  /** A port of this machine where the editor listens. */
  readonly socket?: string;
  /** A named pipe where the editor listens. */
  readonly pipe?: string;
  /** `HOST:PORT` to listen on; loopback only. */
  readonly listen?: string;
  readonly clientProcessId?: string;
}

/** Serves editors until the client leaves or a signal comes. */
export async function runLsp(flags: LspFlags, read: ReadSettings, io: Io): Promise<number> {
  const way = wayIn(flags);
  const opened = await open(read.settings, { watch: true });
  const options = lspOptions(opened, read);
  const ended = endOf(flags);
  try {
    const code =
      way.kind === "listen" ? listen(way, options, ended, io) : (await serve(way, options, io, ended)).closed;
    return await Promise.race([code, ended.code]);
  } finally {
    ended.stop();
    await opened.workspace.dispose();
    await opened.ledger.close();
  }
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

type Way =
  | { readonly kind: "stdio" }
  | { readonly kind: "fork" }
  | { readonly kind: "outgoing"; readonly address: { readonly port: number } | { readonly path: string } }
  | Listen;

interface Listen {
  readonly kind: "listen";
  readonly host: string;
  readonly port: number;
}

function wayIn(flags: LspFlags): Way {
  const { stdio, nodeIpc, socket, pipe, listen } = flags;
  const named = [
    stdio === true,
    nodeIpc === true,
    socket !== undefined,
    pipe !== undefined,
    listen !== undefined,
  ].filter(Boolean);
  if (named.length > 1) throw new UsageError("Name one way in: --stdio, --node-ipc, --socket, --pipe or --listen.");
  if (nodeIpc === true) {
    if (process.send === undefined)
      throw new UsageError("--node-ipc works only for a process that forked this one. Use --stdio.");
    return { kind: "fork" };
  }
  if (socket !== undefined) return { kind: "outgoing", address: { port: portOf(socket, "--socket") } };
  if (pipe !== undefined) return { kind: "outgoing", address: { path: pipe } };
  return listen === undefined ? { kind: "stdio" } : { kind: "listen", ...parseAddress(listen, "--listen") };
}

/** `HOST:PORT` on loopback. The language server has no tokens, so no other host is taken. */
export function parseAddress(text: string, flag: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d+)$/.exec(text);
  const host = match?.[1] ?? (match?.[2] || "127.0.0.1");
  if (match === null) throw new UsageError(`${flag} takes HOST:PORT, such as 127.0.0.1:7332; \`${text}\` is not that.`);
  if (!/^(?:127(?:\.\d+){3}|localhost|::1)$/.test(host)) {
    throw new UsageError(
      `${flag} listens on loopback only, since the language server has no tokens; \`${host}\` is not loopback.`,
    );
  }
  return { host, port: portOf(match[3] ?? "", flag) };
}

function portOf(text: string, flag: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`${flag} takes a port from 0 to 65535; \`${text}\` is none.`);
  return port;
}

async function serve(way: Exclude<Way, Listen>, options: LspOptions, io: Io, ended: Ended): Promise<Served> {
  const served = await client(way, options, io);
  ended.whenEnded(served.close);
  return served;
}

async function client(way: Exclude<Way, Listen>, options: LspOptions, io: Io): Promise<Served> {
  if (way.kind === "fork") return serveForked(options);
  if (way.kind === "stdio") return serveStreams(io.stdin, io.stdout, options);
  return serveOutgoing(way.address, options).catch((error: unknown) => {
    const where = "port" in way.address ? `port ${way.address.port}` : way.address.path;
    throw new UsageError(`Nothing listens on ${where}: ${error instanceof Error ? error.message : String(error)}.`);
  });
}

async function listen(way: Listen, options: LspOptions, ended: Ended, io: Io): Promise<number> {
  const { listenLsp } = await import("../lsp/transports.ts");
  const listening = await listenLsp(way.host, way.port, options).catch((error: unknown) => {
    throw new UsageError(
      `--listen ${way.host}:${way.port}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  });
  io.stderr.write(`Language server on ${listening.host}:${listening.port}\n`);
  await ended.code;
  await listening.close();
  return exitCodes.ok;
}

interface Ended {
  /** Settles on a signal or when the named client process is gone. */
  readonly code: Promise<number>;
  whenEnded(close: () => void): void;
  stop(): void;
}

function endOf(flags: LspFlags): Ended {
  let settle: (code: number) => void = () => undefined;
  const code = new Promise<number>((resolve) => {
    settle = resolve;
  });
  const onSignal = (): void => settle(exitCodes.ok);
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const id = Number(flags.clientProcessId);
  const unwatch = Number.isInteger(id) && id > 0 ? watchProcess(id, () => settle(exitCodes.found)) : () => undefined;
  return {
    code,
    whenEnded: (close) => void code.then(close, () => undefined),
    stop() {
      unwatch();
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    },
  };
}
