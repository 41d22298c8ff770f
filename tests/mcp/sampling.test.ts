import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import { call, post, startHttp } from "./http-server.ts";
import { arrayLedger, handSource, smallSurface, told, tool } from "./small-surface.ts";
import { StdioPeer } from "./stdio-peer.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Asks the client's model twice, the second time with what it said first. */
const asks = tool("ask", async ({ context }) => {
  if (context.sample === undefined) return told("nobody to ask");
  const first = await context.sample({ system: "You are brief.", prompt: "one", maxTokens: 10 });
  const second = await context.sample({ system: "You are brief.", prompt: first, maxTokens: 10 });
  return told(second);
});

const surface = smallSurface({ tools: [asks] });
const model = (params: unknown) => {
  const { messages } = params as { messages: { content: { text: string } }[] };
  return {
    model: "m",
    role: "assistant" as const,
    content: { type: "text" as const, text: `${messages[0]?.content.text}!` },
  };
};

describe("A tool that asks the client's model", () => {
  it("hears it during the call, from a 2025 client over sessions and SSE", async () => {
    const { url, mcp, close } = await startHttp({ surface, sessions: { idleMs: 60_000, max: 10 } });
    closers.push(close);
    for (const transport of [new HttpV1(new URL(mcp)), new SSEClientTransport(new URL(`${url}/sse`))]) {
      const client = new ClientV1({ name: "c", version: "1" }, { capabilities: { sampling: {} } });
      client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => model(params));
      await client.connect(transport as Transport);
      closers.push(() => client.close());
      expect(await client.callTool({ name: "ask" })).toMatchObject({ structuredContent: { said: "one!!" } });
    }
  });

  it("hears it over stdio", async () => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const { source } = handSource();
    serveMcpStdio({
      surface: () => surface,
      source,
      ledger: arrayLedger(),
      caller: localCaller(),
      log: silentLog,
      streams,
    });
    const peer = new StdioPeer(streams.input, streams.output);
    closers.push(() => peer.end());
    streams.output.on("data", (chunk: string) => {
      for (const line of chunk.split("\n").filter(Boolean)) {
        const { id, method, params } = JSON.parse(line) as { id: number; method?: string; params: unknown };
        if (method === "sampling/createMessage")
          peer.raw(`${JSON.stringify({ jsonrpc: "2.0", id, result: model(params) })}\n`);
      }
    });
    const clientInfo = { name: "c", version: "1" };
    await peer.ask("initialize", { protocolVersion: "2025-11-25", capabilities: { sampling: {} }, clientInfo });
    expect((await peer.call("ask")).result).toMatchObject({ structuredContent: { said: "one!!" } });
  });

  it("is called again with the words by a 2026-07-28 client, as often as it asks", async () => {
    const { mcp, close } = await startHttp({ surface });
    closers.push(close);
    const client = new Client(
      { name: "c", version: "1" },
      { capabilities: { sampling: {} }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("sampling/createMessage", async ({ params }) => model(params));
    await client.connect(new StreamableHTTPClientTransport(new URL(mcp)));
    closers.push(() => client.close());
    expect(await client.callTool({ name: "ask", arguments: {} })).toMatchObject({
      structuredContent: { said: "one!!" },
    });
  });

  it("goes on alone where nobody can be asked", async () => {
    const { mcp, close } = await startHttp({ surface });
    closers.push(close);
    expect((await post(mcp, call("ask"))).json.result.structuredContent).toEqual({ said: "nobody to ask" });
  });
});
