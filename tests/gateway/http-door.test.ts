import { writeFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { parseConfig } from "../../src/gateway/config/config.ts";
import { makeGateway, serveGatewayHttp } from "../../src/gateway/serve-gateway.ts";
import type { ServeHttpOptions } from "../../src/gateway/serve-http.ts";
import { openAccess } from "../../src/http/auth/open-access.ts";
import { makeToken, printTokenFile } from "../../src/http/auth/token-file.ts";
import { program } from "../mcp/served.ts";
import { scratchFile, stubServer } from "./harness.ts";
import { isAlive, pidsIn, until } from "./processes.ts";

const vanishing = process.env.IAIP_LONG === "1" ? 200 : 8;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(servers: readonly object[], more: Partial<ServeHttpOptions> = {}) {
  const gateway = makeGateway({
    config: parseConfig(JSON.stringify({ servers }), "mcp-servers.yaml"),
    environment: process.env,
    version: "1",
    log: silentLog,
    audit: () => {},
    auditArguments: false,
    now: Date.now,
  });
  const access = { kind: "everyone", caller: localCaller() } as const;
  const served = await serveGatewayHttp(gateway, {
    host: "127.0.0.1",
    port: 0,
    access,
    log: silentLog,
    now: Date.now,
    ...more,
  });
  cleanups.push(() => served.close());
  return served.url;
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const body = (method: string, params: object = {}, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const hello = (capabilities: object = {}) =>
  body("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "c", version: "1" } });
const post = (url: string, text: string, headers: object = {}) =>
  fetch(url, { method: "POST", headers: { ...json, ...headers }, body: text });

async function connect(url: string, options: object = {}) {
  const client = new Client({ name: "c", version: "1" }, options);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`));
  await client.connect(transport);
  cleanups.push(() => client.close());
  return { client, transport };
}

describe("the gateway's HTTP door", () => {
  it("tells list changes on a client's own stream", async () => {
    const url = await serve([stubServer("s")]);
    const { client } = await connect(url);
    const changed = new Promise<void>((resolve) =>
      client.setNotificationHandler("notifications/tools/list_changed", () => resolve()),
    );
    const before = (await client.listTools()).tools.length;
    await client.callTool({ name: "s_grow", arguments: { count: 5 } });
    await changed;
    expect((await client.listTools()).tools.length).toBe(before + 5);
  });

  it("brings what an upstream asks to the right client, and its answer back", async () => {
    const url = await serve([stubServer("s")]);
    const clients = await Promise.all(
      ["a", "b"].map(async (name) => {
        const { client } = await connect(url, { capabilities: { roots: {}, elicitation: {} } });
        client.setRequestHandler("roots/list", () => ({ roots: [{ uri: `file:///${name}` }] }));
        client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name } }));
        return { name, client };
      }),
    );
    for (const { name, client } of clients) {
      const ask = async (method: string) => {
        const { content } = await client.callTool({ name: "s_ask", arguments: { method } });
        return JSON.parse((content[0] as { text: string }).text);
      };
      expect(await ask("roots/list")).toEqual({ roots: [{ uri: `file:///${name}` }] });
      expect(await ask("elicitation/create")).toEqual({ action: "accept", content: { name } });
    }
  });

  it("ends what a session has of its own when the session is ended, and knows it no more", async () => {
    const log = scratchFile("log");
    const url = await serve([stubServer("s", { STUB_LOG: log })]);
    const { client, transport } = await connect(url, { capabilities: { roots: {} } });
    await client.listTools();
    // One for all that share, and one of its own.
    await until(() => pidsIn(log, "start").filter(isAlive).length === 2);
    const session = { "mcp-session-id": transport.sessionId! };
    await transport.terminateSession();
    await until(() => pidsIn(log, "start").filter(isAlive).length === 1);
    expect((await post(url, body("ping"), session)).status).toBe(404);
  });

  it("ends idle sessions, and makes room by ending the one that was idle longest", async () => {
    const log = scratchFile("log");
    const url = await serve([stubServer("s", { STUB_LOG: log })], { sessionLimits: { count: 2, ownIdleMs: 1_000 } });
    const open = async () => (await post(url, hello({ roots: {} }))).headers.get("mcp-session-id")!;
    const status = async (id: string) => (await post(url, body("ping"), { "mcp-session-id": id })).status;
    const [first, second] = [await open(), await open()];
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await status(second);
    const third = await open();
    expect([await status(first), await status(third)]).toEqual([404, 200]);
    expect((await post(url, body("tools/list"), { "mcp-session-id": third })).status).toBe(200);
    // What is left is the connection that all share.
    await until(() => pidsIn(log, "start").filter(isAlive).length === 1);
    expect(await status(third)).toBe(404);
  });

  it(`ends what ${vanishing} clients had that vanished without a word, while others are answered`, async () => {
    const log = scratchFile("log");
    const url = await serve([stubServer("s", { STUB_LOG: log, STUB_GRANDCHILD: "1" })], {
      sessionLimits: { goneMs: 300, ownIdleMs: 300 },
    });
    for (let left = vanishing; left > 0; left -= 4) {
      await Promise.all(
        Array.from({ length: 4 }, async (_, index) => {
          const abort = new AbortController();
          const opened = await post(url, hello({ roots: {} }));
          const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
          await post(url, body("tools/list"), session);
          const held = [
            fetch(url, {
              method: "POST",
              headers: { ...json, ...session },
              body: body("tools/call", { name: "s_hang" }),
              signal: abort.signal,
            }),
          ];
          if (index % 2 === 0)
            held.push(fetch(url, { headers: { accept: "text/event-stream", ...session }, signal: abort.signal }));
          setTimeout(() => abort.abort(), 20);
          await Promise.allSettled(held);
          const call = await post(url, body("tools/call", { name: "s_echo", arguments: { text: "x" } }));
          expect(await call.text()).toContain('"text":"x"');
        }),
      );
    }
    const pids = () => [...pidsIn(log, "start"), ...pidsIn(log, "grandchild")];
    await until(() => pids().filter(isAlive).length === 2, 30_000);
    expect(pids().length).toBe(2 * (vanishing + 1));
  }, 240_000);

  it("keeps one stream a session: a new one takes over from one that may be half open", async () => {
    const url = await serve([stubServer("s")]);
    const id = (await post(url, hello())).headers.get("mcp-session-id")!;
    const get = () => fetch(url, { headers: { accept: "text/event-stream", "mcp-session-id": id } });
    const first = await get();
    const second = await get();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await first.text()).toBe("");
    await second.body?.cancel();
  });

  it("sends comments while an answer takes its time", async () => {
    const url = await serve([stubServer("s")], { keepAliveMs: 50 });
    const answer = await post(url, body("tools/call", { name: "s_slow", arguments: { ms: 300 } }));
    const text = await answer.text();
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(text).toContain(": keepalive");
    expect(text).toContain("slept 300");
  });

  it("keeps tokens, sessions and rights apart", async () => {
    const file = scratchFile("tokens.json");
    const made = (name: string, scopes: ("read" | "log")[]) =>
      makeToken({ name, scopes, protocols: [], expires: undefined }, new Date());
    const [reader, writer] = [made("reader", ["read"]), made("writer", ["read", "log"])];
    writeFileSync(file, printTokenFile([reader.stored, writer.stored]));
    const access = await openAccess({ host: "127.0.0.1", tokenFile: file, log: silentLog });
    const url = await serve([stubServer("s")], { access });
    const as = ({ secret }: { secret: string }, more: object = {}) => ({ authorization: `Bearer ${secret}`, ...more });
    expect((await post(url, hello())).status).toBe(401);
    expect((await post(url, hello(), { authorization: "Bearer wrong" })).status).toBe(401);
    const opened = await post(url, hello({ roots: {} }), as(writer));
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
    expect((await post(url, body("ping"), as(writer, session))).status).toBe(200);
    expect((await post(url, body("ping"), as(reader, session))).status).toBe(404);
    const call = async (who: { secret: string }, name: string) => {
      const answer = await post(url, body("tools/call", { name, arguments: { text: "x" } }), as(who));
      const { result, error } = (await answer.json()) as { result?: object; error?: { message: string } };
      return result === undefined ? error?.message : "ok";
    };
    expect(await call(reader, "s_echo")).toBe("ok");
    expect(await call(reader, "s_wipe")).toBe(
      's_wipe may change things, and this caller was not given the scope "log". Whoever runs this server can grant it.',
    );
    expect(await call(writer, "s_wipe")).toBe("ok");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("says on /readyz whether any upstream is ready", async () => {
    const url = await serve([stubServer("dead", {}, { command: "/no/such/command" })]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const healthy = await serve([stubServer("dead", {}, { command: "/no/such/command" }), stubServer("s")]);
    await until(async () => (await fetch(`${healthy}/readyz`)).status === 200);
  });
});

describe("a client of the newest revision", () => {
  const options = { versionNegotiation: { mode: "auto" as const } };

  it("falls back to the handshake over HTTP", async () => {
    const url = await serve([stubServer("s")]);
    const { client } = await connect(url, options);
    const { content } = await client.callTool({ name: "s_echo", arguments: { text: "x" } });
    expect(content).toEqual([{ type: "text", text: "x" }]);
  });

  it("falls back to the handshake on stdio", async () => {
    const config = scratchFile("mcp-servers.json");
    writeFileSync(config, JSON.stringify({ servers: [stubServer("s")] }));
    const client = new Client({ name: "c", version: "1" }, options);
    const args = [await program(), "gateway", "--config", config];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
    cleanups.push(() => client.close());
    expect((await client.callTool({ name: "s_echo", arguments: { text: "x" } })).content).toEqual([
      { type: "text", text: "x" },
    ]);
  }, 60_000);
});
