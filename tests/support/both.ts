import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { type Log, silentLog } from "../../src/base/log.ts";
import { type Caller, localCaller } from "../../src/core/concept/caller.ts";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import type { Surface } from "../../src/mcp/surface.ts";
import { surfaceFor } from "../../src/mcp/surface-for.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import type { Peer } from "../lsp/support/peer.ts";
import { serveOver } from "../lsp/support/world.ts";
import { StdioPeer } from "../mcp/stdio-peer.ts";

/** An editor and an agent over one vocabulary: both real servers, each with a client, all in this process. */
export interface Both {
  readonly folder: string;
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  readonly editor: Peer;
  readonly agent: StdioPeer;
  /** Text and structured content of a tool's answer. */
  call(
    tool: string,
    args: object,
  ): Promise<{ text: string; structured: Record<string, unknown> | undefined; isError: boolean }>;
  write(file: string, text: string): Promise<string>;
  /** Settles after the next swap of the snapshot. */
  reloaded(): Promise<void>;
  close(): Promise<void>;
}

export interface BothOptions {
  /** Files below the world's folder; concept files stand below `concepts/`. */
  readonly files?: Readonly<Record<string, string>>;
  /** An existing vocabulary folder instead. */
  readonly concepts?: string;
  readonly caller?: Caller;
  readonly watch?: boolean;
  readonly log?: Log;
  /** What the agent opens with; 2025-11-25 when absent. It opens with nothing in 2026-07-28, which has no handshake. */
  readonly revision?: string;
}

export async function openBoth(options: BothOptions = {}): Promise<Both> {
  const { log = silentLog } = options;
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "iaip-both-")));
  const write = async (file: string, text: string): Promise<string> => {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
    return pathToFileURL(target).href;
  };
  for (const [file, text] of Object.entries(options.files ?? {})) await write(file, text);
  const caller = options.caller ?? localCaller();
  const concepts = options.concepts ?? path.join(folder, "concepts");
  const workspace = openWorkspace(concepts, { log, watch: options.watch ?? false, quietMs: 20 });
  const ledger = openLedger(path.join(folder, "ledger.db"), { log, now: () => new Date() });
  const [toAgentServer, toAgent] = [new PassThrough(), new PassThrough()];
  let surface: { revision: string; surface: Surface } | undefined;
  const mcp = serveMcpStdio({
    surface: () => {
      const { snapshot } = workspace;
      if (surface?.revision !== snapshot.revision)
        surface = { revision: snapshot.revision, surface: surfaceFor(snapshot, "0.0.0") };
      return surface.surface;
    },
    source: workspace,
    ledger,
    caller,
    log,
    streams: { input: toAgentServer, output: toAgent },
  });
  const agent = new StdioPeer(toAgentServer, toAgent);
  const { served, peer: editor } = serveOver(workspace, concepts, { caller });
  const opening = options.revision === "2026-07-28" ? undefined : agent.initialize(options.revision);
  await Promise.all([opening, editor.initialize({ folder })]);
  return {
    folder,
    workspace,
    ledger,
    editor,
    agent,
    async call(tool, args) {
      const { result } = await agent.call(tool, args);
      const content = result?.content as readonly { readonly text: string }[];
      return {
        text: content[0]!.text,
        structured: result?.structuredContent as Record<string, unknown> | undefined,
        isError: result?.isError === true,
      };
    },
    write,
    reloaded: () =>
      new Promise((resolve) => {
        const stop = workspace.onDidChange(() => {
          stop();
          resolve();
        });
      }),
    async close() {
      served.close();
      await served.closed;
      await mcp.close();
      await ledger.close();
      await workspace.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
