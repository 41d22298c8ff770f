import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { serveAdapter } from "../../src/gateway/adapter.ts";
import { concepts, oneOfEach, program, type Served, serveHttp } from "../mcp/served.ts";
import { startGatewayHttp } from "./start-gateway.ts";
import { BridgeClientPeer, StdioAdapterPeer, shownBytes, shownToModel } from "./sympozium-peers.ts";

const folder = mkdtempSync(join(tmpdir(), "sympozium-"));
const logTool = "iaip_wisdom_ledger_log";
const cleanups: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })];
let served: Served;
let own: { readonly command: string; readonly args: readonly string[] };
let direct: BridgeClientPeer;

beforeAll(async () => {
  served = await serveHttp(join(folder, "http.db"), ["--allowed-hosts", "*.svc"]);
  cleanups.push(() => served.stop());
  const args = [
    await program(),
    "serve",
    "--mcp",
    "stdio",
    "--concepts",
    concepts,
    "--ledger",
    join(folder, "stdio.db"),
  ];
  own = { command: process.execPath, args };
  direct = new BridgeClientPeer(served.mcp);
  await direct.initialize();
}, 120_000);
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** All eight tools, twice over, by a client with the quirks: the same words as directly. */
async function allEight(peer: BridgeClientPeer, prefix = "") {
  expect((await peer.tools()).map((tool) => tool.name)).toEqual(oneOfEach.map(({ tool }) => prefix + tool));
  for (const { tool, arguments: args } of [...oneOfEach, ...oneOfEach]) {
    const told = await peer.call(prefix + tool, args);
    expect(told.isError, tool).toBe(false);
    expect(shownToModel(told).length).toBeGreaterThan(20);
    if (tool !== logTool) expect(told).toEqual(await direct.call(tool, args));
  }
}

describe("Sympozium's bridge as a client", () => {
  it("gets every tool of our server at / and at /mcp", async () => {
    for (const path of ["", "/mcp"]) {
      const peer = new BridgeClientPeer(served.url + path);
      await peer.initialize();
      await allEight(peer);
    }
  });

  it("may leave the handshake out, send trace context, and call the server by its service's name", async () => {
    const peer = new BridgeClientPeer(served.url, `iaip-concepts.sympozium-system.svc:8080`);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { tool, arguments: args } = oneOfEach[0];
    expect((await peer.call(tool, args, { traceparent })).isError).toBe(false);
    const stranger = new BridgeClientPeer(served.url, "evil.example");
    await expect(stranger.tools()).rejects.toThrow("status 403");
  });

  it("goes on after our server was restarted under it, and beside a second process", async () => {
    const port = Number(new URL(served.url).port);
    await direct.tools();
    await served.stop();
    served = await serveHttp(join(folder, "http.db"), ["--allowed-hosts", "*.svc"], port);
    await allEight(direct);
  }, 60_000);

  it("shows a model all that matters within the bytes it keeps", async () => {
    for (const { tool, arguments: args } of oneOfEach) {
      const { texts } = await direct.call(tool, args);
      expect(Buffer.byteLength(texts.join("\n")), tool).toBeLessThanOrEqual(shownBytes);
    }
  });

  it("gets our server's every tool through our gateway and our adapter, also after they were restarted", async () => {
    const config = [{ name: "iaip", toolsPrefix: "iaip", command: own.command, args: own.args }];
    const gateway = await startGatewayHttp(config);
    const throughGateway = new BridgeClientPeer(gateway.url);
    await throughGateway.initialize();
    await allEight(throughGateway, "iaip_");
    const port = Number(new URL(gateway.url).port);
    await gateway.close();
    const again = await startGatewayHttp(config, process.env, port);
    cleanups.push(() => again.close());
    await allEight(throughGateway, "iaip_");

    const adapter = await serveAdapter({
      name: "iaip",
      command: own.command,
      args: own.args,
      env: {},
      environment: process.env,
      timeout: 30_000,
      host: "127.0.0.1",
      port: 0,
      access: { kind: "everyone", caller: localCaller() },
      version: "1",
      log: silentLog,
      now: Date.now,
    });
    cleanups.push(() => adapter.close());
    const throughAdapter = new BridgeClientPeer(adapter.url);
    await throughAdapter.initialize();
    await allEight(throughAdapter);
  }, 60_000);
});

describe("Sympozium's adapter around our server", () => {
  it("gets the right line for every call of three agents with the same ids, and none that nobody asked for", async () => {
    const peer = new StdioAdapterPeer(own.command, own.args);
    const clientInfo = { name: "agent", version: "1" };
    const agent = async (name: number) => {
      const hello = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo },
      };
      expect((await peer.send(hello)).result.serverInfo).toBeDefined();
      await peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      expect((await peer.send({ jsonrpc: "2.0", id: 2, method: "tools/list" })).result.tools).toHaveLength(8);
      for (const [index, { tool, arguments: args }] of oneOfEach.entries()) {
        const id = 3 + index;
        const answer = await peer.send({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: tool, arguments: args },
        });
        expect(answer.id, `agent ${name}`).toBe(id);
        const text = answer.result.content.map((one: { text: string }) => one.text).join("\n");
        if (tool !== logTool) expect([text]).toEqual((await direct.call(tool, args)).texts);
      }
    };
    await Promise.all([1, 2, 3].map(agent));
    expect(peer.unasked).toEqual([]);
    await peer.close();
  }, 60_000);
});
