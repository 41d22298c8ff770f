import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import type { SnapshotSource } from "../../src/core/ports.ts";
import { buildSnapshot } from "../../src/core/snapshot/snapshot.ts";
import { serveKagHttp } from "../../src/kag/endpoint/serve-kag-http.ts";
import { issueToken, readToken } from "../../src/kag/endpoint/session-token.ts";
import { kagSurfaceOf } from "../../src/kag/kag-surface.ts";
import { noLedger } from "../../src/ledger/no-ledger.ts";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import { StdioPeer } from "../mcp/stdio-peer.ts";
import { shippedSnapshot } from "./open-kag.ts";
import { foldSolve } from "./web-ui-fold.ts";

const key = "a-key-of-this-test";
let now = Date.parse("2026-01-01T00:00:00Z");
let source: SnapshotSource;
let host: { readonly url: string; close(): Promise<void> };

beforeAll(async () => {
  const snapshot = await shippedSnapshot();
  source = { snapshot, ready: Promise.resolve(), onDidChange: () => () => {} };
  host = await serveOver(source);
});
afterAll(() => host.close());

function serveOver(over: SnapshotSource) {
  return serveKagHttp({
    host: "127.0.0.1",
    port: 0,
    key,
    projectId: () => (over.snapshot.sequence === 0 ? undefined : over.snapshot.vocabulary.name),
    allowHosts: ["kag.example"],
    surface: kagSurfaceOf(over, { log: silentLog, version: "0.0.0" }),
    source: over,
    ledger: noLedger(),
    log: silentLog,
    now: () => now,
    drainMs: 100,
  });
}

interface Posted {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function post(path: string, body: unknown, { token = key, headers = {} }: Posted = {}): Promise<Response> {
  return fetch(`${host.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function rpc(method: string, params: object = {}) {
  return { jsonrpc: "2.0", id: 1, method, params };
}

async function call(name: string, args: object, posted: Posted = {}): Promise<string> {
  const response = await post("/mcp", rpc("tools/call", { name, arguments: args }), posted);
  expect(response.status).toBe(200);
  const { result } = (await response.json()) as {
    result: { content: { type: string; text: string }[]; isError: boolean };
  };
  expect(result.content).toHaveLength(1);
  return result.content[0]?.text ?? "";
}

async function sessionToken(
  body: object = { session_id: "s1" },
): Promise<{ readonly token: string; readonly expires_at: number }> {
  const response = await post("/tokens", body);
  expect(response.status).toBe(200);
  return (await response.json()) as { token: string; expires_at: number };
}

describe("a turn of the WebUI", () => {
  test("exchanges the key, writes its .mcp.json with the token alone, and calls through it", async () => {
    const settings = { bridge_http_url: host.url, bridge_api_key: key };
    const exchanged = await fetch(`${settings.bridge_http_url}/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${settings.bridge_api_key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "turn-1" }),
    });
    expect(exchanged.status).toBe(200);
    const given = (await exchanged.json()) as Record<string, unknown>;
    expect(given).toEqual({
      token: expect.stringMatching(/^kagt\./),
      expires_at: now / 1000 + 900,
      session_id: "turn-1",
      project_id: "iaip",
    });
    const file = JSON.stringify({
      mcpServers: {
        "kag-bridge": {
          type: "http",
          url: `${settings.bridge_http_url}/mcp`,
          headers: { Authorization: `Bearer ${given.token}` },
        },
      },
    });
    expect(file).not.toContain(key);
    const { url, headers } = (
      JSON.parse(file) as { mcpServers: { "kag-bridge": { url: string; headers: Record<string, string> } } }
    ).mcpServers["kag-bridge"];
    const send = (message: object) =>
      fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(message),
      });
    const hello = await send(
      rpc("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "peer", version: "1" },
      }),
    );
    expect(await hello.json()).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
    expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    const answer = await send(
      rpc("tools/call", { name: "kag_solve", arguments: { question: "What is Two-Eyed Seeing?" } }),
    );
    const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
    expect(foldSolve("mcp__kag-bridge__kag_solve", result.content[0]?.text ?? "")?.hasGraphTab).toBe(true);
  });
});

describe("who may come in", () => {
  test.each([
    ["nobody's", ""],
    ["another key", "another-key"],
    ["a token of another key", issueToken("another-key", { sessionId: "s", projectId: "iaip", expiresAt: 9e9 })],
    ["a token that is no token", "kagt.e30.00"],
    ["a token in three parts", "kagt.a.b.c"],
  ])("%s request is refused with 401 in the frozen form", async (_what, token) => {
    for (const path of ["/mcp", "/", "/tokens", "/metrics"]) {
      const response =
        path === "/metrics"
          ? await fetch(`${host.url}${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {})
          : await post(path, rpc("tools/list"), { token });
      expect(response.status, path).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
      expect(await response.json()).toEqual({
        error: "unauthorized",
        hint: expect.stringContaining("Authorization: Bearer"),
      });
    }
  });

  test("a session's token comes in until its time is up", async () => {
    const { token } = await sessionToken({ session_id: "s1", ttl_seconds: 60 });
    expect(await call("kag_status", {}, { token })).toContain('"bridge":"ok"');
    now += 61_000;
    expect((await post("/mcp", rpc("tools/list"), { token })).status).toBe(401);
  });

  test("a token whose content was changed is refused", async () => {
    const { token } = await sessionToken();
    const [head = "", payload = "", signature = ""] = token.split(".");
    const session = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...session, exp: 9e9 })).toString("base64url");
    expect((await post("/mcp", rpc("tools/list"), { token: `${head}.${forged}.${signature}` })).status).toBe(401);
    expect(readToken(key, `${head}.${payload}.${signature}`, now / 1000)).toBeDefined();
    expect(readToken("another-key", token, now / 1000)).toBeUndefined();
  });

  test("a token opens no further session", async () => {
    const { token } = await sessionToken();
    const response = await post("/tokens", { session_id: "s2" }, { token });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: "unauthorized" });
  });

  test("tokens tell nothing of the key", async () => {
    const { token } = await sessionToken();
    expect(token + Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).not.toContain(key);
  });
});

describe("/tokens", () => {
  test.each([
    [undefined, 900],
    [null, 900],
    [120, 120],
    ["120", 120],
    [120.9, 120],
    [1, 60],
    [-5, 60],
    [999_999, 3_600],
  ])("a time to live of %s is %i seconds", async (ttl_seconds, seconds) => {
    expect((await sessionToken({ session_id: "s", ttl_seconds })).expires_at).toBe(Math.floor(now / 1000) + seconds);
  });

  test.each([
    [{ session_id: "s", ttl_seconds: "soon" }, /ttl_seconds/],
    [{ session_id: "s", ttl_seconds: {} }, /ttl_seconds/],
    [{ session_id: "  " }, /session_id/],
    [{}, /session_id/],
    [[], /session_id/],
    ["no json", /session_id/],
  ])("%j is refused with 400", async (body, expected) => {
    const response = await post("/tokens", body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toMatch(expected);
  });

  test("waits for a vocabulary", async () => {
    const empty = await serveOver({
      snapshot: buildSnapshot([], { sequence: 0 }),
      ready: Promise.resolve(),
      onDidChange: () => () => {},
    });
    const response = await fetch(`${empty.url}/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: '{"session_id":"s"}',
    });
    expect(response.status).toBe(503);
    await empty.close();
  });

  test("takes POST only", async () => {
    expect((await fetch(`${host.url}/tokens`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(405);
  });
});

describe("/healthz", () => {
  test.each(["/healthz", "/healthz/"])("%s is open to all", async (path) => {
    const response = await fetch(`${host.url}${path}`);
    expect([response.status, await response.json()]).toEqual([200, { status: "ok", transport: "streamable-http" }]);
  });

  test.each(["/healthzanything", "/healthz/x", "/HEALTHZ"])("%s is not it", async (path) => {
    expect((await fetch(`${host.url}${path}`)).status).toBeGreaterThanOrEqual(400);
  });
});

describe("which names it answers to", () => {
  const statusFor = async (name: string): Promise<number> => {
    const { hostname, port } = new URL(host.url);
    const socket = connect(Number(port), hostname);
    socket.end(
      `POST /mcp HTTP/1.1\r\nHost: ${name}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    const [head] = (await once(socket.setEncoding("utf8"), "data")) as [string];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  };

  test.each(["127.0.0.1:8890", "localhost", "[::1]:1", "host.docker.internal:8890", "kag.example:1"])(
    "%s",
    async (name) => {
      expect(await statusFor(name)).toBe(400);
    },
  );

  test.each(["evil.example", "127.0.0.1.evil.example", "0.0.0.0", ""])("not “%s”", async (name) => {
    expect(await statusFor(name)).toBeGreaterThanOrEqual(name === "" ? 400 : 403);
  });
});

test("a web socket is not opened", async () => {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /mcp HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const [head] = (await once(socket.setEncoding("utf8"), "data")) as [string];
  socket.destroy();
  expect(head).toMatch(/^HTTP\/1\.1 401/);
});

test("stdio and HTTP give the same JSON, apart from cost_ms", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stdio = serveMcpStdio({
    surface: kagSurfaceOf(source, { log: silentLog, version: "0.0.0" }),
    source,
    ledger: noLedger(),
    log: silentLog,
    caller: localCaller(),
    streams: { input, output },
  });
  const peer = new StdioPeer(input, output);
  await peer.initialize();
  const timeless = (text: string): unknown => JSON.parse(text.replaceAll(/"cost_ms":\d+/g, '"cost_ms":0'));
  const names = [...source.snapshot.viewFor(localCaller()).concepts.values()].map((it) => it.concept.name);
  const requests: readonly (readonly [string, object])[] = [
    ["kag_status", {}],
    ["kag_schema", {}],
    ["kag_schema", { project_id: "another" }],
    ["kag_reason", { dsl: "MATCH (n)-[p]->(o) RETURN n.id, p.label, o" }],
    ["kag_reason", { dsl: "MATCH (n) WHERE n.id in $ids RETURN n", params: { ids: '["ocap"]' } }],
    ["kag_reason", { dsl: "MATCH (n) RETURN n LIMIT 1" }],
    ["kag_solve", { question: "What is the capital of France?" }],
    ["kag_solve", { question: "How do structural tension and creative orientation relate?", use_pipeline: "x" }],
    ...names.map((it) => ["kag_solve", { question: `What is ${it}?` }] as const),
  ];
  for (const [name, args] of requests) {
    const { result } = await peer.call(name, args);
    const [block] = (result?.content ?? []) as readonly { readonly text: string }[];
    expect(timeless(await call(name, args)), JSON.stringify(args)).toEqual(timeless(block?.text ?? ""));
  }
  const [overStdio, overHttp] = [
    await peer.ask("tools/list"),
    (await (await post("/mcp", rpc("tools/list"), { headers: { "mcp-protocol-version": "2025-11-25" } })).json()) as {
      result: unknown;
    },
  ];
  expect(overHttp.result).toEqual(overStdio.result);
  peer.end();
  await stdio.closed;
  console.log(`stdio and HTTP: ${requests.length} requests, identical apart from cost_ms`);
});
