import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterEach, describe, expect, it } from "vitest";
import { call, hello, modern, type Options, post, request, startHttp } from "./http-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(options: Options = {}) {
  const server = await startHttp(options);
  closers.push(server.close);
  return server;
}

async function clientV1(transport: Transport) {
  const client = new ClientV1({ name: "v1", version: "1" });
  await client.connect(transport);
  closers.push(() => client.close());
  return client;
}

async function clientV2(url: string) {
  const client = new Client({ name: "v2", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  closers.push(() => client.close());
  return client;
}

describe("every door", () => {
  const doors: readonly (readonly [string, Options, (url: string) => Promise<ClientV1 | Client>])[] = [
    ["/mcp, 2026-07-28", {}, (url) => clientV2(`${url}/mcp`)],
    ["/mcp, 2025, stateless", {}, (url) => clientV1(new HttpV1(new URL(`${url}/mcp`)) as Transport)],
    ["/, 2025, stateless", {}, (url) => clientV1(new HttpV1(new URL(`${url}/`)) as Transport)],
    [
      "/mcp, 2025, sessions",
      { sessions: { idleMs: 60_000, max: 100 } },
      (url) => clientV1(new HttpV1(new URL(`${url}/mcp`)) as Transport),
    ],
    ["/sse", {}, (url) => clientV1(new SSEClientTransport(new URL(`${url}/sse`)))],
  ];

  it.each(doors)("%s lists and calls, reads and prompts, in the same words", async (_name, options, connect) => {
    const { url } = await open(options);
    const client = (await connect(url)) as ClientV1;
    expect((await client.listTools()).tools).toHaveLength(8);
    expect(await client.callTool({ name: "echo", arguments: { text: "hi" } })).toMatchObject({
      content: [{ type: "text", text: "hi" }],
      structuredContent: { said: "hi" },
    });
    expect(await client.callTool({ name: "refuse", arguments: {} })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    expect((await client.readResource({ uri: "test://registry" })).contents).toMatchObject([{ text: "the registry" }]);
    await expect(client.readResource({ uri: "test://nothing" })).rejects.toThrow(/no resource/);
    expect((await client.getPrompt({ name: "greet", arguments: { who: "ada" } })).messages).toHaveLength(2);
    const ref = { type: "ref/resource" as const, uri: "test://item/{id}" };
    const completed = await client.complete({ ref, argument: { name: "id", value: "item-24" } });
    expect(completed.completion.values).toHaveLength(11);
    const uris = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      for (const { uri } of page.resources) uris.add(uri);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(uris.size).toBe(252);
  });

  it.each(doors)("%s carries progress during a call", async (_name, options, connect) => {
    const { url } = await open(options);
    const client = await connect(url);
    const steps: number[] = [];
    const asked = { name: "slow", arguments: { text: "30" } };
    const onprogress = ({ progress }: { progress: number }) => steps.push(progress);
    await (client instanceof ClientV1
      ? client.callTool(asked, undefined, { onprogress })
      : client.callTool(asked, { onprogress }));
    // A v1 client drops progress that arrives in one read with the result.
    expect(steps[0]).toBe(1);
  });
});

describe("Streamable HTTP", () => {
  it("answers in plain JSON when nothing streams, in every mode", async () => {
    for (const options of [{}, { sessions: { idleMs: 60_000, max: 10 } }]) {
      const { mcp } = await open(options);
      const { headers: session } = await post(mcp, hello);
      const id = session.get("mcp-session-id");
      expect(id === null).toBe(!("sessions" in options));
      const answer = await post(mcp, call("echo", { text: "hi" }), id === null ? {} : { "mcp-session-id": id });
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.json.result.structuredContent).toEqual({ said: "hi" });
    }
    const { mcp } = await open();
    const { body, headers } = modern("tools/call", { name: "echo", arguments: { text: "hi" } });
    expect((await post(mcp, body, headers)).headers.get("content-type")).toBe("application/json");
  });

  it("declares changes only where it can deliver them", async () => {
    const stateless = await open();
    expect((await post(stateless.mcp, hello)).json.result.capabilities).toEqual({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
    });
    expect(
      (await post(stateless.mcp, request("resources/subscribe", { uri: "test://registry" }))).json.error.code,
    ).toBe(-32601);
    const sessions = await open({ sessions: { idleMs: 60_000, max: 10 } });
    const { capabilities } = (await post(sessions.mcp, hello)).json.result;
    expect(capabilities.resources).toEqual({ listChanged: true, subscribe: true });
    const discover = modern("server/discover");
    const found = (await post(stateless.mcp, discover.body, discover.headers)).json.result.capabilities;
    expect(found.resources).toEqual({ listChanged: true, subscribe: true });
  });

  it("keeps to the 2026-07-28 errors: headers that disagree, a revision nobody speaks, an unknown method", async () => {
    const { mcp } = await open();
    const { body, headers } = modern("tools/call", { name: "echo", arguments: {} });
    const wrongName = await post(mcp, body, { ...headers, "mcp-name": "other" });
    expect([wrongName.status, wrongName.json.error.code]).toEqual([400, -32020]);
    const future = modern("tools/list", {}, { "io.modelcontextprotocol/protocolVersion": "2031-01-01" });
    const unsupported = await post(mcp, future.body, { ...future.headers, "mcp-protocol-version": "2031-01-01" });
    expect([unsupported.status, unsupported.json.error.code]).toEqual([400, -32022]);
    const unknown = modern("no/such");
    const missing = await post(mcp, unknown.body, unknown.headers);
    expect([missing.status, missing.json.error.code]).toEqual([404, -32601]);
  });

  it("says what it can send to a client that accepts neither form, and serves one that accepts either", async () => {
    const { mcp } = await open();
    for (const accept of ["application/json", "*/*", "application/*"]) {
      expect((await post(mcp, call("echo", { text: "hi" }), { accept })).json.result).toBeDefined();
    }
    const streamed = await post(mcp, call("echo", { text: "hi" }), { accept: "text/event-stream" });
    expect(streamed.json.result.structuredContent).toEqual({ said: "hi" });
    const neither = await post(mcp, call("echo"), { accept: "text/html" });
    expect([neither.status, neither.json.error.message]).toEqual([406, expect.stringContaining("application/json")]);
  });

  it("answers a batch of the 2025-03-26 revision in order", async () => {
    const { mcp } = await open();
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    const answer = await post(mcp, [call("echo", { text: "a" }, 1), note, call("echo", { text: "b" }, "two")]);
    expect(answer.json.map(({ id }: { id: unknown }) => id)).toEqual([1, "two"]);
    expect((await post(mcp, [note])).status).toBe(202);
    expect((await post(mcp, [])).json.error.code).toBe(-32600);
  });

  it("tells a listener about a reload and an event, and ends the listen when it closes", async () => {
    const server = await open();
    const client = await clientV2(server.mcp);
    const updated: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      updated.push(params.uri);
    });
    const { body, headers } = modern("subscriptions/listen", {
      notifications: { resourceSubscriptions: ["test://registry", "iaip://wisdom/ledger"] },
    });
    const listening = await fetch(server.mcp, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(body),
    });
    const reader = listening.body!.getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toContain("acknowledged");
    server.hand.turn();
    expect(await next()).toContain("test://registry");
    await client.callTool({ name: "log", arguments: { text: "used" } });
    expect(await next()).toContain("iaip://wisdom/ledger");
    const closing = server.close();
    closers.length = 0;
    expect(await next()).toContain('"resultType":"complete"');
    await client.close();
    await closing;
  });
});
