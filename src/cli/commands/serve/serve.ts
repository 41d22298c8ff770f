import { relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { unloaded } from "../../../core/snapshot/unloaded.ts";
import type { QueryLog } from "../../../ledger/query-log.ts";
import type { Surface } from "../../../mcp/surface.ts";
import type { ReadSettings } from "../../../settings/read-settings.ts";
import type { Settings } from "../../../settings/schema.ts";
import { hostPort, type ListenTarget, parseLspTarget, parseMcpTarget, refuseRemoteEditors } from "../../kit/address.ts";
import { type Io, UsageError } from "../../kit/io.ts";
import { type Opened, open } from "../../kit/open.ts";
import { type Endpoint, runServer } from "../../kit/run-server.ts";
import { serverInfo, surfaceOf, toolSelectionOf } from "./serve-surface.ts";

export interface ServeArgs {
  readonly mcp: string;
  readonly lsp: string;
  /** Say on stderr what is served. */
  readonly greet: boolean;
}

/** How long everything may take to flush and close, in milliseconds; after it the process ends all the same. */
const maxCloseMs = 900;
/** After a client's first words, reading the vocabulary waits this long: the handshake is answered first. */
const readAfterMs = 40;
/** A client that says nothing is not waited for longer. */
const maxSilenceMs = 1_000;

/** Serves what was asked for over one vocabulary, until a stream ends or a signal comes. */
export async function runServe(args: ServeArgs, read: ReadSettings, io: Io): Promise<number> {
  const { settings } = read;
  const mcp = parseMcpTarget(args.mcp);
  const lsp = parseLspTarget(args.lsp);
  if (mcp.kind === "stdio" && lsp.kind === "stdio")
    throw new UsageError("One stdio carries one protocol: serve MCP or LSP on it, and the other on a port.");
  if (mcp.kind === "none" && lsp.kind === "none")
    throw new UsageError(
      "Nothing is asked for. Serve with --mcp stdio, --mcp http:127.0.0.1:7331, --lsp stdio or --lsp tcp:127.0.0.1:7332.",
    );
  if (lsp.kind === "net") refuseRemoteEditors("--lsp", lsp, settings["allow-remote-editors"]);
  const selection = await toolSelectionOf(settings);
  const opened = await open(settings, { watch: true });
  const queries = settings["log-queries"] ? await logQueries(settings, opened) : undefined;
  const surface = surfaceOf(opened, selection, queries, addressOf(mcp, settings));
  let background: (() => Promise<void>) | undefined;
  return runServer({
    log: opened.log,
    endpoints: [
      ...(mcp.kind === "none" ? [] : [() => startMcp(mcp, read, { ...opened, surface })]),
      ...(lsp.kind === "none" ? [] : [() => startLsp(lsp, read, opened)]),
    ],
    started: async (endpoints) => {
      background = startBackground(opened, mcp.kind === "stdio" || lsp.kind === "stdio");
      if (args.greet) await greet(endpoints, opened, io);
      return undefined;
    },
    behind: [
      () => background?.(),
      () => queries?.close(),
      () => opened.ledger.close(),
      () => opened.workspace.dispose(),
    ],
    maxCloseMs,
  });
}

/** Where an HTTP listener will be reached, when that is known before it listens. */
function addressOf(target: ListenTarget, settings: Settings): string | undefined {
  if (target.kind !== "net" || target.port === 0) return undefined;
  const publicUrl = settings["public-url"]?.replace(/\/+$/, "");
  if (publicUrl !== undefined) return publicUrl;
  return `${settings["tls-cert"] === undefined ? "http" : "https"}://${hostPort(target.host, target.port)}`;
}

/**
 * After the handshake: reads the vocabulary, has ready what a first request would wait for, and keeps a version of each
 * concept that a load changed.
 */
function startBackground({ workspace, caller, ledger, log }: Opened, onStdio: boolean): () => Promise<void> {
  let stop: (() => Promise<void>) | undefined;
  const read = async (): Promise<void> => {
    await workspace.ready;
    const { warmingWork } = await import("../../../core/queries/warm.ts");
    const view = workspace.snapshot.viewFor(caller);
    for (const work of warmingWork) {
      await setImmediate();
      work(view);
    }
    await keep();
  };
  const keep = async (): Promise<void> => {
    if (ledger.where === "no ledger") return;
    const { keepVersions } = await import("../../../ledger/versions/keep-versions.ts");
    stop ??= keepVersions(workspace, ledger, { log });
  };
  let timer = globalThis.setTimeout(() => void read(), onStdio ? maxSilenceMs : 0);
  const soon = (): void => {
    clearTimeout(timer);
    timer = globalThis.setTimeout(() => void read(), readAfterMs);
  };
  if (onStdio) process.stdin.once("data", soon);
  return async () => {
    clearTimeout(timer);
    process.stdin.off("data", soon);
    // A session that was short, but read concepts.
    if (workspace.snapshot !== unloaded) await keep();
    await stop?.();
  };
}

async function logQueries(settings: Settings, { ledger, log }: Opened): Promise<QueryLog> {
  const { QueryLog } = await import("../../../ledger/query-log.ts");
  return new QueryLog(ledger, { log, now: () => new Date(), keepText: settings["log-query-text"] });
}

async function startMcp(
  target: Exclude<ListenTarget, { kind: "none" }>,
  read: ReadSettings,
  opened: Opened & { readonly surface: () => Surface },
): Promise<Endpoint> {
  const { workspace, ledger, caller, log, surface } = opened;
  if (target.kind === "stdio") {
    const { serveMcpStdio } = await import("../../../mcp/stdio.ts");
    const { closed, close } = serveMcpStdio({ serverInfo, surface, source: workspace, ledger, caller, log });
    return { name: "MCP", address: "stdio", closed, close };
  }
  const { startHttp } = await import("./serve-http.ts");
  const { url, close } = await startHttp(target, read, opened);
  return { name: "MCP", address: `${url}/mcp`, close };
}

async function startLsp(
  target: Exclude<ListenTarget, { kind: "none" }>,
  read: ReadSettings,
  opened: Opened,
): Promise<Endpoint> {
  const [{ serveStreams }, { lspOptions, startLspTcp }] = await Promise.all([
    import("../../../lsp/transports.ts"),
    import("./lsp.ts"),
  ]);
  const options = lspOptions(opened, read);
  if (target.kind === "net") return startLspTcp(target, options);
  const { closed, close } = serveStreams(process.stdin, process.stdout, options);
  return { name: "LSP", address: "stdio", closed, close };
}

async function greet(running: readonly Endpoint[], { workspace, ledger }: Opened, io: Io): Promise<void> {
  await workspace.ready;
  const { snapshot, folder } = workspace;
  const http = running.find((it) => it.name === "MCP" && it.address.startsWith("http"));
  const script = process.argv[1] ?? "";
  const called = script.endsWith(".mjs") ? `node ${relative(io.cwd, script)}` : "iaip-dsl";
  const lines = [
    ...running.map(
      (it) => `${it.name} is served on ${it.name === "LSP" && it.address !== "stdio" ? "TCP " : ""}${it.address}`,
    ),
    `Vocabulary: ${snapshot.vocabulary.title}, ${snapshot.undisclosed.size} concepts from ${folder}${snapshot.problems.length ? `, ${snapshot.problems.length} problems (iaip-dsl concepts check)` : ""}`,
    `Ledger: ${ledger.where}`,
    ...(http ? [`Connect an agent: claude mcp add --transport http iaip ${http.address}`] : []),
    `Connect an editor: ${called} lsp --stdio, or its TCP port above (src/plugins has VS Code, Neovim, Emacs, Helix, Zed and more)`,
    `Try: ${called} call iaip_concept_lookup '{"concept":"etuaptmumk"}'`,
  ];
  io.stderr.write(`${lines.join("\n")}\n`);
}
