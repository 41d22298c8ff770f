import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { CompositeDispatcher } from "../../src/bridge/composite-dispatcher.ts";
import { refusal, type ToolDispatcher } from "../../src/bridge/dispatcher.ts";
import { McpDispatcher } from "../../src/bridge/mcp-dispatcher.ts";
import type { McpSession, OpenSession } from "../../src/bridge/session.ts";
import { httpSession, sseSession, stdioSession } from "../../src/bridge/sessions.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import { surfaceFor } from "../../src/mcp/surface-for.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { stubPath } from "../gateway/processes.ts";
import { startGatewayHttp } from "../gateway/start-gateway.ts";
import { concepts, oneOfEach, program, serveHttp } from "../mcp/served.ts";
import { StdioPeer } from "../mcp/stdio-peer.ts";

const folder = mkdtempSync(join(tmpdir(), "own-server-"));
const ledger = (name: string) => join(folder, `${name}.db`);
const cleanups: (() => unknown)[] = [];
const doors = new Map<string, McpDispatcher>();

/** The server's name of a tool, for a door that may have a prefix. */
const queries = oneOfEach.filter(({ tool }) => tool !== "iaip_wisdom_ledger_log");
const logTool = "iaip_wisdom_ledger_log";

async function inProcess(): Promise<McpSession> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const workspace = openWorkspace(concepts, { log: silentLog, watch: false });
  const own = openLedger(ledger("in-process"), { log: silentLog, now: () => new Date() });
  const server = serveMcpStdio({
    surface: () => surfaceFor(workspace.snapshot, "1.0.0"),
    source: workspace,
    ledger: own,
    caller: localCaller(),
    log: silentLog,
    streams: { input: toServer, output: toClient },
  });
  cleanups.push(async () => {
    await server.close();
    await own.close();
    await workspace.dispose();
  });
  const peer = new StdioPeer(toServer, toClient);
  await peer.initialize();
  const result = async (asked: Promise<{ result?: unknown; error?: { message: string; code: number } }>) => {
    const answer = await asked;
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer.result as never;
  };
  return {
    listTools: (params = {}) => result(peer.ask("tools/list", params)),
    callTool: (call) => result(peer.ask("tools/call", call)),
  };
}

beforeAll(async () => {
  const cli = await program();
  const args = [cli, "serve", "--mcp", "stdio", "--concepts", concepts, "--ledger"];
  const served = await serveHttp(ledger("http"));
  cleanups.push(() => served.stop());
  const managed = { name: "own", toolsPrefix: "own", command: process.execPath, args: [...args, ledger("gateway")] };
  const gateway = await startGatewayHttp([managed]);
  cleanups.push(() => gateway.close());
  const opening: readonly (readonly [string, () => Promise<McpSession>])[] = [
    ["in process", inProcess],
    ["stdio", () => stdioSession(process.execPath, { args: [...args, ledger("stdio")] })],
    ["Streamable HTTP", () => httpSession(served.mcp)],
    ["HTTP+SSE", () => sseSession(`${served.url}/sse`)],
    ["our gateway", () => httpSession(`${gateway.url}/mcp`)],
  ];
  for (const [name, open] of opening) {
    const session = await open();
    if ("close" in session) cleanups.push(() => (session as OpenSession).close());
    doors.set(name, await McpDispatcher.create(session));
  }
}, 120_000);
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const prefixOf = (door: string) => (door === "our gateway" ? "own_" : "");

describe("our own server through the bridge", () => {
  it("is the same in process, on stdio, over Streamable HTTP, over HTTP+SSE and through our gateway", async () => {
    const direct = doors.get("stdio")!;
    expect(direct.toolsSchema()).toHaveLength(8);
    for (const [door, dispatcher] of doors) {
      const prefix = prefixOf(door);
      const raw = dispatcher
        .toolsSchema()
        .map((one) => ({ ...one, function: { ...one.function, name: one.function.name.slice(prefix.length) } }));
      expect(raw, door).toEqual(direct.toolsSchema());
      for (const { tool, arguments: args } of queries) {
        const through = await dispatcher.execute(prefix + tool, args);
        expect(through, `${door}: ${tool}`).toEqual(await direct.execute(tool, args));
        expect(through).toMatchObject({ ok: true, sideEffect: false });
      }
    }
  }, 60_000);

  it("has honest annotations: seven tools that read, and one that adds", () => {
    for (const [door, dispatcher] of doors) {
      for (const { tool } of queries) {
        expect(dispatcher.isMutating(prefixOf(door) + tool)).toBe(false);
        expect(dispatcher.requiresConfirmation(prefixOf(door) + tool)).toBe(false);
      }
      expect(dispatcher.isMutating(prefixOf(door) + logTool)).toBe(true);
      expect(dispatcher.requiresConfirmation(prefixOf(door) + logTool)).toBe(false);
    }
  });

  it("changes no file by the seven, and says what the eighth did", async () => {
    const dispatcher = doors.get("Streamable HTTP")!;
    const log = oneOfEach.find(({ tool }) => tool === logTool)!;
    await dispatcher.execute(logTool, log.arguments);
    const before = fingerprint();
    for (const { tool, arguments: args } of queries) await dispatcher.execute(tool, args);
    expect(fingerprint()).toEqual(before);
    expect(await dispatcher.execute(logTool, log.arguments)).toMatchObject({ ok: true, sideEffect: true });
    expect(fingerprint()).not.toEqual(before);
    const unknown = await dispatcher.execute(logTool, { ...log.arguments, concept: "no such concept at all" });
    expect(unknown).toMatchObject({ ok: false, sideEffect: false });
    expect(unknown.error).toContain("no such concept at all");
  });

  it("lets a model mend every wrong argument", async () => {
    const dispatcher = doors.get("Streamable HTTP")!;
    for (const { tool, arguments: args } of oneOfEach) {
      for (const field of Object.keys(args)) {
        for (const wrong of [undefined, 7, ["x"], { x: 1 }, null]) {
          const { [field]: _, ...others } = args as Record<string, unknown>;
          const told = await dispatcher.execute(tool, wrong === undefined ? others : { ...others, [field]: wrong });
          if (!told.ok) expect(told.error, `${tool} ${field} ${JSON.stringify(wrong)}`).toContain(field);
        }
      }
    }
  }, 60_000);

  it("merges with native functions and another server; the read-only view holds only what reads", async () => {
    const native: ToolDispatcher = {
      toolsSchema: () => [
        {
          type: "function",
          function: { name: "clock", description: "", parameters: { type: "object", properties: {} } },
        },
      ],
      execute: async () => ({ ...refusal(""), ok: true, error: null, output: "noon" }),
    };
    const other = await stdioSession(process.execPath, { args: [stubPath] });
    cleanups.push(() => other.close());
    const session = await McpDispatcher.create(other, { names: ["wipe"] });
    const sources = [native, doors.get("stdio")!, session];
    const all = new CompositeDispatcher(sources);
    expect(all.toolsSchema()).toHaveLength(10);
    expect((await all.execute("clock", {})).output).toBe("noon");
    expect(all.requiresConfirmation("wipe")).toBe(true);
    const reading = new CompositeDispatcher(sources, { mode: "read-only" });
    expect(
      reading
        .toolsSchema()
        .map((one) => one.function.name)
        .sort(),
    ).toEqual(queries.map(({ tool }) => tool).sort());
  });

  it("keeps its strict schemas convertible", async () => {
    const { strictSchema } = await import("../../src/bridge/strict-schema.ts");
    for (const { function: definition } of doors.get("stdio")!.toolsSchema()) {
      const made = strictSchema(definition.parameters);
      expect([definition.name, made.kind, made.kind === "kept" ? made.notes : []]).toEqual([
        definition.name,
        "converted",
        [],
      ]);
    }
  });
});

/** Every file of the ledgers and of the vocabulary, by digest. */
function fingerprint(): Record<string, string> {
  const files = [folder, concepts].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name)),
  );
  const plain = files.filter((file) => statSync(file).isFile() && !file.endsWith("-shm"));
  return Object.fromEntries(plain.map((file) => [file, createHash("sha256").update(readFileSync(file)).digest("hex")]));
}
