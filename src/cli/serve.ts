import { relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { QueryLog } from "../ledger/query-log.ts";
import type { Surface } from "../mcp/surface.ts";
import type { ReadSettings } from "../settings/read-settings.ts";
import type { Settings } from "../settings/schema.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { hostPort, type ListenTarget, parseListenTarget } from "./listen-target.ts";
import { type Opened, open } from "./open.ts";
import { serverInfo, surfaceOf, toolSelectionOf } from "./serve-surface.ts";

export interface ServeArgs {
  readonly mcp: string;
  readonly lsp: string;
  /** Say on stderr what is served. */
  readonly greet: boolean;
}

interface Running {
  readonly name: string;
  readonly address?: string;
  /** Settles when the client's stream has ended; never for listeners. */
  readonly closed?: Promise<void>;
  close(): Promise<void>;
}

/** How long everything may take to flush and close, in milliseconds; after it the process ends all the same. */
const longestClose = 900;
/** After a client's first words, reading the vocabulary waits this long: the handshake is answered first. */
const readAfterMs = 40;
/** A client that says nothing is not waited for longer. */
const longestSilence = 1_000;

/** Serves the fronts that were asked for over one vocabulary, until a stream ends or a signal comes. */
export async function runServe(args: ServeArgs, read: ReadSettings, io: Io): Promise<number> {
  const { settings } = read;
  const mcp = parseListenTarget("--mcp", "http", args.mcp);
  const lsp = parseListenTarget("--lsp", "tcp", args.lsp);
  if (mcp.kind === "stdio" && lsp.kind === "stdio")
    throw new UsageError("One stdio carries one protocol: serve MCP or LSP on it, and the other on a port.");
  if (mcp.kind === "none" && lsp.kind === "none")
    throw new UsageError(
      "Nothing is asked for. Serve with --mcp stdio, --mcp http:127.0.0.1:7331, --lsp stdio or --lsp tcp:127.0.0.1:7332.",
    );
  const selection = await toolSelectionOf(settings);
  const opened = await open(settings, { watch: true });
  const queries = settings["log-queries"] ? await logQueries(settings, opened) : undefined;
  const stopped = stopSignal();
  const running: Running[] = [];
  try {
    const surface = surfaceOf(opened, selection, queries, addressOf(mcp, settings));
    if (mcp.kind !== "none") running.push(await startMcp(mcp, read, { ...opened, surface }));
    if (lsp.kind !== "none") running.push(await startLsp(lsp, read, opened));
  } catch (error) {
    await closeAll(running, queries, opened);
    throw asUsage(error);
  }
  const background = startBackground(opened, mcp.kind === "stdio" || lsp.kind === "stdio");
  if (args.greet) await greet(running, opened, io);
  await Promise.race([stopped, ...running.flatMap((it) => (it.closed ? [it.closed] : []))]);
  background.stop();
  await closeAll(running, queries, opened);
  return exitCodes.ok;
}

/** Where an HTTP front will be reached, when that is known before it listens. */
function addressOf(front: ListenTarget, settings: Settings): string | undefined {
  if (front.kind !== "net" || front.port === 0) return undefined;
  return `${settings["tls-cert"] === undefined ? "http" : "https"}://${hostPort(front.host, front.port)}`;
}

/** After the handshake: reads the vocabulary, and keeps a version of each concept that a load changed. */
function startBackground({ workspace, ledger, log }: Opened, onStdio: boolean): { stop(): void } {
  let stop = (): void => undefined;
  const read = async (): Promise<void> => {
    await workspace.ready;
    const { keepVersions } = await import("../ledger/keep-versions.ts");
    if (ledger.where !== "no ledger") stop = keepVersions(workspace, ledger, { log });
  };
  let timer = globalThis.setTimeout(() => void read(), onStdio ? longestSilence : 0);
  const soon = (): void => {
    clearTimeout(timer);
    timer = globalThis.setTimeout(() => void read(), readAfterMs);
  };
  if (onStdio) process.stdin.once("data", soon);
  return {
    stop() {
      clearTimeout(timer);
      process.stdin.off("data", soon);
      stop();
    },
  };
}

async function logQueries(settings: Settings, { ledger, log }: Opened): Promise<QueryLog> {
  const { QueryLog } = await import("../ledger/query-log.ts");
  return new QueryLog(ledger, { log, now: () => new Date(), keepText: settings["log-query-text"] });
}

async function startMcp(
  front: Exclude<ListenTarget, { kind: "none" }>,
  read: ReadSettings,
  opened: Opened & { readonly surface: () => Surface },
): Promise<Running> {
  const { workspace, ledger, caller, log, surface } = opened;
  if (front.kind === "stdio") {
    const { serveMcpStdio } = await import("../mcp/stdio.ts");
    const { closed, close } = serveMcpStdio({ serverInfo, surface, source: workspace, ledger, caller, log });
    return { name: "MCP", address: "stdio", closed, close };
  }
  const { startHttp } = await import("./serve-http.ts");
  const { url, close } = await startHttp(front, read, opened);
  return { name: "MCP", address: `${url}/mcp`, close };
}

async function startLsp(
  front: Exclude<ListenTarget, { kind: "none" }>,
  read: ReadSettings,
  opened: Opened,
): Promise<Running> {
  const [{ serveStreams, listenLsp }, { lspOptions }] = await Promise.all([
    import("../lsp/transports.ts"),
    import("./lsp.ts"),
  ]);
  const options = lspOptions(opened, read);
  if (front.kind === "stdio") {
    const served = serveStreams(process.stdin, process.stdout, options);
    return {
      name: "LSP",
      address: "stdio",
      closed: served.closed.then(() => undefined),
      close: async () => served.close(),
    };
  }
  const { host, port, close } = await listenLsp(front.host, front.port, options);
  return { name: "LSP", address: `TCP ${hostPort(host, port)}`, close };
}

async function closeAll(
  running: readonly Running[],
  queries: QueryLog | undefined,
  { workspace, ledger, log }: Opened,
): Promise<void> {
  const closing = (async () => {
    await Promise.allSettled(running.map((it) => it.close()));
    await queries?.close();
    await ledger.close();
    await workspace.dispose();
  })().catch((error: unknown) => log("error", "closing failed", { error: String(error) }));
  // The timer holds nothing up: `setTimeout` of node:timers/promises ends with its signal.
  const late = new AbortController();
  await Promise.race([closing, setTimeout(longestClose, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}

async function greet(running: readonly Running[], { workspace, ledger }: Opened, io: Io): Promise<void> {
  await workspace.ready;
  const { snapshot, folder } = workspace;
  const http = running.find((it) => it.name === "MCP" && it.address?.startsWith("http"));
  const script = process.argv[1] ?? "";
  const called = script.endsWith(".mjs") ? `node ${relative(io.cwd, script)}` : "iaip-dsl";
  const lines = [
    ...running.map((it) => `${it.name} is served on ${it.address}`),
    `Vocabulary: ${snapshot.vocabulary.title}, ${snapshot.undisclosed.size} concepts from ${folder}${snapshot.problems.length ? `, ${snapshot.problems.length} problems (iaip-dsl concepts check)` : ""}`,
    `Ledger: ${ledger.where}`,
    ...(http ? [`Connect an agent: claude mcp add --transport http iaip ${http.address}`] : []),
    `Connect an editor: ${called} lsp --stdio, or its TCP port above (src/plugins has VS Code, Neovim, Emacs, Helix, Zed and more)`,
    `Try: ${called} call iaip_concept_lookup '{"concept":"etuaptmumk"}'`,
  ];
  io.stderr.write(`${lines.join("\n")}\n`);
}

function asUsage(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new UsageError(
      message.startsWith("Port ")
        ? message
        : `That port is taken (${message}). Give another, or end what listens there.`,
    );
  if (code === "EACCES" || code === "EADDRNOTAVAIL")
    return new UsageError(`Cannot listen there (${message}). Choose another host or port.`);
  return error;
}
