import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import { arrayLedger, handSource, smallSurface } from "./small-surface.ts";
import { modernMeta, StdioPeer } from "./stdio-peer.ts";

describe("MCP over two streams", () => {
  const peers: StdioPeer[] = [];
  afterEach(() => {
    for (const peer of peers.splice(0)) peer.end();
  });

  function open(ready?: Promise<void>) {
    const surface = smallSurface();
    const hand = handSource(ready);
    hand.turn();
    const ledger = arrayLedger();
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const server = serveMcpStdio({
      surface: () => surface,
      source: hand.source,
      ledger,
      caller: localCaller(),
      log: silentLog,
      streams,
    });
    const peer = new StdioPeer(streams.input, streams.output);
    peers.push(peer);
    return { peer, server, hand, ledger };
  }

  it("answers the handshake before the vocabulary is there, and the tools after", async () => {
    let loaded = (): void => {};
    const { peer } = open(new Promise((resolve) => (loaded = resolve)));
    const hello = await peer.initialize();
    expect(hello.result).toMatchObject({ serverInfo: { name: "small" }, instructions: "Echo what you like." });
    const tools = peer.ask("tools/list");
    await peer.ask("ping");
    expect(peer.received.some(({ id }) => id === tools.id)).toBe(false);
    loaded();
    expect((await tools).result?.tools).toHaveLength(8);
  });

  it("keeps schemas to the letter and adds nothing to an answer", async () => {
    const { peer } = open();
    await peer.initialize();
    const [first] = (await peer.ask("tools/list")).result!.tools as { inputSchema: object; outputSchema: object }[];
    expect(first?.inputSchema).toEqual(smallSurface().tools[0]?.inputSchema);
    expect(first?.outputSchema).toEqual(smallSurface().tools[0]?.outputSchema);
    const { result } = await peer.call("echo", { text: "hi", extra: 1 });
    expect(result).toEqual({ content: [{ type: "text", text: "hi" }], structuredContent: { said: "hi" } });
  });

  it("tells a refusal as an answer, an unknown tool as an error, and a bug in one neutral line", async () => {
    const { peer } = open();
    await peer.initialize();
    expect((await peer.call("refuse")).result).toEqual({
      content: [{ type: "text", text: "no: give a `text`" }],
      isError: true,
    });
    expect((await peer.call("nothing")).error?.code).toBe(-32602);
    const broken = await peer.call("break");
    expect(broken.result?.isError).toBe(true);
    expect(JSON.stringify(broken)).not.toContain("secret");
    expect((await peer.ask("no/such")).error?.code).toBe(-32601);
  });

  it.each([
    ["null", null, "ok"],
    ["nothing", undefined, "ok"],
    ["an object in a string", '{"text":"hi"}', "ok"],
    ["a list", [], "fault"],
    ["a number", 5, "fault"],
  ])("takes arguments that are %s", async (_what, args, outcome) => {
    const { peer } = open();
    await peer.initialize();
    const answer = await peer.ask("tools/call", { name: "echo", ...(args === undefined ? {} : { arguments: args }) });
    if (outcome === "ok") expect(answer.result?.isError).toBeUndefined();
    else expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining("object") });
  });

  it("speaks 2026-07-28 to a client that opens with server/discover", async () => {
    const { peer } = open();
    const found = await peer.ask("server/discover", { _meta: modernMeta() });
    expect(found.result?.supportedVersions).toContain("2026-07-28");
    const tools = await peer.ask("tools/list", { _meta: modernMeta() });
    expect(tools.result).toMatchObject({ resultType: "complete", ttlMs: 60_000, cacheScope: "public" });
    const answer = await peer.ask("tools/call", { name: "echo", arguments: { text: "hi" }, _meta: modernMeta() });
    expect(answer.result).toMatchObject({ structuredContent: { said: "hi" }, resultType: "complete" });
  });

  it.each([
    ["discover, then initialize", ["server/discover", "initialize"]],
    ["initialize, then discover", ["initialize", "server/discover"]],
  ])("stays usable after %s", async (_what, order) => {
    const { peer } = open();
    for (const method of order) {
      await (method === "initialize" ? peer.initialize() : peer.ask(method, { _meta: modernMeta() }));
    }
    const legacy = await peer.call("echo", { text: "hi" });
    expect(legacy.result?.structuredContent).toEqual({ said: "hi" });
  });

  it("sends progress only for a token, and none after the result", async () => {
    const { peer } = open();
    await peer.initialize();
    await peer.call("slow", { text: "1" });
    expect(peer.notifications("notifications/progress")).toHaveLength(0);
    const slow = peer.ask("tools/call", { name: "slow", arguments: { text: "1" }, _meta: { progressToken: "p" } });
    const { id } = await slow;
    await peer.ask("ping");
    const progress = peer.notifications("notifications/progress");
    expect(progress.map(({ params }) => params?.progress)).toEqual([1, 2]);
    const last = peer.received.lastIndexOf(progress[1]!);
    expect(last).toBeLessThan(peer.received.findIndex((message) => message.id === id));
  });

  it("stops a cancelled call without an answer", async () => {
    const { peer } = open();
    await peer.initialize();
    const slow = peer.ask("tools/call", { name: "slow", arguments: { text: "60000" } });
    peer.tell("notifications/cancelled", { requestId: slow.id });
    await peer.ask("ping");
    await peer.ask("ping");
    expect(peer.received.some(({ id }) => id === slow.id)).toBe(false);
  });

  it("announces a reload once, and a resource only to those who follow it", async () => {
    const { peer, hand } = open();
    await peer.initialize();
    await peer.ask("resources/subscribe", { uri: "test://registry" });
    hand.turn();
    await peer.ask("ping");
    const updated = peer.notifications("notifications/resources/updated");
    expect(updated.map(({ params }) => params?.uri)).toEqual(["test://registry"]);
    await peer.ask("resources/unsubscribe", { uri: "test://registry" });
    hand.turn();
    await peer.ask("ping");
    expect(peer.notifications("notifications/resources/updated")).toHaveLength(1);
    expect(peer.notifications("notifications/tools/list_changed")).toHaveLength(0);
  });

  it("announces a new event to a modern listener", async () => {
    const { peer } = open();
    await peer.ask("server/discover", { _meta: modernMeta() });
    const listen = peer.ask("subscriptions/listen", {
      notifications: { resourceSubscriptions: ["iaip://wisdom/ledger"] },
      _meta: modernMeta(),
    });
    await peer.ask("tools/call", { name: "log", arguments: { text: "used" }, _meta: modernMeta() });
    await peer.ask("tools/list", { _meta: modernMeta() });
    const [updated] = peer.notifications("notifications/resources/updated");
    expect(updated?.params).toMatchObject({ uri: "iaip://wisdom/ledger" });
    expect(peer.notifications("notifications/subscriptions/acknowledged")).toHaveLength(1);
    void listen;
  });

  it("sends messages only after a level was set", async () => {
    const { peer, hand } = open();
    await peer.initialize();
    hand.turn();
    await peer.ask("ping");
    expect(peer.notifications("notifications/message")).toHaveLength(0);
    await peer.ask("logging/setLevel", { level: "info" });
    hand.turn();
    await peer.ask("ping");
    expect(peer.notifications("notifications/message")).toHaveLength(1);
  });

  it("pages resources behind an opaque cursor and refuses one it never gave", async () => {
    const { peer } = open();
    await peer.initialize();
    const uris: string[] = [];
    let cursor: unknown;
    do {
      const { result } = await peer.ask("resources/list", cursor === undefined ? {} : { cursor });
      uris.push(...(result!.resources as { uri: string }[]).map(({ uri }) => uri));
      cursor = result?.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(uris).size).toBe(252);
    for (const bad of ["x", "", 5, "W10"]) {
      expect((await peer.ask("resources/list", { cursor: bad })).error?.code).toBe(-32602);
    }
    expect((await peer.ask("tools/list", { cursor: "x" })).error?.code).toBe(-32602);
  });

  it("decodes a template's value once and never lets it climb", async () => {
    const { peer } = open();
    await peer.initialize();
    const read = (uri: string) => peer.ask("resources/read", { uri });
    const value = "a b/ü#%";
    const found = await read(`test://item/${encodeURIComponent(value)}`);
    expect(found.result?.contents).toMatchObject([{ text: `item ${value}` }]);
    for (const uri of ["test://item/../registry", "test://item/item-1/x", "test://item/%zz", "test://item/", "x:"]) {
      expect((await read(uri)).error?.code).toBe(-32602);
    }
    const started = performance.now();
    await read(`test://item/${"{".repeat(200_000)}`);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("completes templates and prompts", async () => {
    const { peer } = open();
    await peer.initialize();
    const complete = (ref: object, name: string, value: string) =>
      peer.ask("completion/complete", { ref, argument: { name, value } });
    const ids = await complete({ type: "ref/resource", uri: "test://item/{id}" }, "id", "item-2");
    expect(ids.result?.completion).toMatchObject({ total: 61, hasMore: false });
    const who = await complete({ type: "ref/prompt", name: "greet" }, "who", "al");
    expect(who.result?.completion).toMatchObject({ values: ["alan"] });
    const got = await peer.ask("prompts/get", { name: "greet", arguments: { who: "ada" } });
    expect(got.result?.messages).toHaveLength(2);
    expect((await peer.ask("prompts/get", { name: "greet" })).error?.message).toContain("who");
  });

  it("survives garbage, batches, null ids, CRLF and split characters", async () => {
    const { peer } = open();
    await peer.initialize();
    for (const line of ["garbage", "[]", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', "{}", "null", "", "\r"]) {
      peer.raw(`${line}\n`);
    }
    peer.raw('{"jsonrpc":"2.0","id":null,"method":"ping"}\n');
    const bytes = Buffer.from(
      '{"jsonrpc":"2.0","id":"ü","method":"tools/call","params":{"name":"echo","arguments":{"text":"🜁"}}}\r\n',
    );
    for (const byte of bytes) peer.raw(Buffer.from([byte]));
    const answer = await peer.answerTo("ü");
    expect(answer.result?.structuredContent).toEqual({ said: "🜁" });
  });

  it("refuses a line of 11 MiB by its id and goes on", async () => {
    const { peer } = open();
    await peer.initialize();
    const long = "x".repeat(11 * 1024 * 1024);
    const first = await peer.ask("tools/call", { name: "echo", arguments: { text: long } });
    expect(first.error).toMatchObject({ code: -32600, message: expect.stringContaining("Send less") });
    const answerTo77 = peer.answerTo(77);
    peer.raw(
      `{"method":"tools/call","params":{"name":"echo","arguments":{"text":"${long}"}},"jsonrpc":"2.0","id":77}\n`,
    );
    expect((await answerTo77).error?.code).toBe(-32600);
    const answer = await peer.call("big", { text: "9000000" });
    expect(answer.error?.message).toContain("Ask for less");
    expect((await peer.call("echo", { text: "hi" })).result).toBeDefined();
  });

  it("answers what was asked before the client closed its side, then ends", async () => {
    const { peer, server, hand } = open();
    await peer.initialize();
    const slow = peer.ask("tools/call", { name: "slow", arguments: { text: "50" } });
    peer.end();
    expect((await slow).result?.structuredContent).toEqual({ said: "done" });
    await server.closed;
    expect(hand.listeners.size).toBe(0);
  });

  it("ends when the client is gone in the middle of calls", async () => {
    const { peer, server } = open();
    await peer.initialize();
    for (let index = 0; index < 50; index += 1)
      void peer.ask("tools/call", { name: "slow", arguments: { text: "20" } });
    peer.output.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await server.closed;
  });
});
