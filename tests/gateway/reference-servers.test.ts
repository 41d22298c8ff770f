import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, it } from "vitest";
import { program } from "../mcp/served.ts";
import { until } from "./processes.ts";
import { startGatewayHttp } from "./start-gateway.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "reference-")));
writeFileSync(join(folder, "note.txt"), "a note\n");
const cleanups: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

const script = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url));

interface Case {
  readonly server: string;
  readonly args: readonly string[];
  readonly env?: (where: string) => Record<string, string>;
  readonly calls: readonly (readonly [string, object])[];
  /** Answers that hold a time or a random thing. */
  readonly loose?: readonly string[];
}

const entity = { name: "bridge", entityType: "thing", observations: ["it carries"] };
const cases: readonly Case[] = [
  {
    server: "server-everything",
    args: ["stdio"],
    calls: [
      ["echo", { message: "hello" }],
      ["get-sum", { a: 2, b: 3 }],
      ["get-tiny-image", {}],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-resource-links", { count: 2 }],
      ["get-structured-content", { location: "New York" }],
      ["trigger-long-running-operation", { duration: 0.2, steps: 2 }],
      ["get-roots-list", {}],
      ["trigger-sampling-request", { prompt: "hi", maxTokens: 5 }],
      ["trigger-elicitation-request", {}],
      ["echo", {}],
    ],
  },
  {
    server: "server-memory",
    args: [],
    env: (where) => ({ MEMORY_FILE_PATH: join(folder, `memory-${where}.jsonl`) }),
    calls: [
      ["create_entities", { entities: [entity] }],
      ["search_nodes", { query: "carries" }],
      ["read_graph", {}],
      ["open_nodes", {}],
    ],
  },
  {
    server: "server-filesystem",
    args: [folder],
    calls: [
      ["read_text_file", { path: join(folder, "note.txt") }],
      ["read_text_file", { path: "/etc/passwd" }],
      ["list_directory", { path: join(folder, "nothing") }],
    ],
  },
  {
    server: "server-sequential-thinking",
    args: [],
    calls: [["sequentialthinking", { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }]],
  },
];

const full = process.env.IAIP_LONG === "1";
const everything = { sampling: {}, elicitation: {}, roots: {} };

async function connect(transport: Transport, capabilities: object): Promise<Client> {
  const client = new Client({ name: "peer", version: "1" }, { capabilities });
  if ("sampling" in capabilities) {
    const message = { model: "m", role: "assistant" as const, content: { type: "text" as const, text: "sampled" } };
    client.setRequestHandler(CreateMessageRequestSchema, () => message);
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "decline" as const }));
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${folder}`, name: "here" }] }));
  }
  await client.connect(transport);
  cleanups.push(() => client.close());
  return client;
}

/** Everything a client sees of a server. `raw` takes a prefix away; the gateway's own status is left out. */
async function seen(client: Client, test: Case, prefix = "") {
  const raw = <T extends { name: string }>(items: T[]) =>
    items.map((item) => ({ ...item, name: item.name.slice(prefix.length) }));
  const capabilities = client.getServerCapabilities() ?? {};
  const { tools } = await client.listTools();
  const resources = capabilities.resources === undefined ? [] : (await client.listResources()).resources;
  const own = resources.filter((one) => one.uri !== "iaip-gateway://status");
  const prompts = capabilities.prompts === undefined ? [] : (await client.listPrompts()).prompts;
  const templates =
    capabilities.resources === undefined ? [] : (await client.listResourceTemplates()).resourceTemplates;
  const calls: unknown[] = [];
  const offered = new Set(tools.map((tool) => tool.name.slice(prefix.length)));
  for (const [name, args] of test.calls.filter(([one]) => offered.has(one))) {
    const call = client.callTool({ name: prefix + name, arguments: { ...args } });
    calls.push([
      name,
      timeless(await call.catch((error: Error & { code?: number }) => ({ code: error.code, message: error.message }))),
    ]);
  }
  const first = own[0] === undefined ? undefined : timeless(await client.readResource({ uri: own[0].uri }));
  return { tools: raw(tools), resources: own, templates, prompts: raw(prompts), calls, first };
}

function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\d{1,2}:\d\d:\d\d( [AP]M)?|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"));
}

describe.each(cases)("$server", (test) => {
  const env = (where: string) => ({ PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...test.env?.(where) });
  const managed = (where: string) => ({
    name: "ref",
    toolsPrefix: "p",
    command: process.execPath,
    args: [script(test.server), ...test.args],
    env: test.env?.(where) ?? {},
  });
  const direct = (where: string, capabilities: object) =>
    connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [script(test.server), ...test.args],
        env: env(where),
        stderr: "ignore",
      }),
      capabilities,
    );

  const clients: [string, object][] = [["a client that can be asked everything", everything]];
  if (full || test.server === "server-everything") clients.push(["a client that can be asked nothing", {}]);

  it.each(clients)(
    "is the same through the gateway on stdio as directly, for %s",
    async (_, capabilities) => {
      const config = join(folder, `${test.server}-${Object.keys(capabilities).length}.json`);
      const where = `stdio-${Object.keys(capabilities).length}`;
      writeFileSync(config, JSON.stringify({ servers: [managed(where)] }));
      const cli = await program();
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [cli, "gateway", "--config", config],
        env: env(where),
        stderr: "ignore",
      });
      const through = await seen(await connect(transport, capabilities), test, "p_");
      expect(through).toEqual(await seen(await direct(`direct-${where}`, capabilities), test));
    },
    60_000,
  );

  it.each(clients)(
    "is the same through the gateway over HTTP as directly, for %s",
    async (_, capabilities) => {
      const where = `http-${Object.keys(capabilities).length}`;
      const gateway = await startGatewayHttp([managed(where)]);
      cleanups.push(() => gateway.close());
      const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`));
      const through = await seen(await connect(transport as Transport, capabilities), test, "p_");
      expect(through).toEqual(await seen(await direct(`direct-${where}`, capabilities), test));
    },
    60_000,
  );
});

describe("server-everything behind a URL", () => {
  const test = cases[0]!;

  async function listen(mode: string): Promise<string> {
    const port = await freePort();
    const child = spawn(process.execPath, [script(test.server), mode], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: "ignore",
    });
    cleanups.push(() => child.kill("SIGKILL"));
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(url).catch(() => undefined)) !== undefined);
    return url;
  }

  it.each([
    ["streamableHttp", "/mcp", {}],
    ["sse", "/sse", { transport: "sse" }],
  ])(
    "is the same through the gateway over %s as directly",
    async (mode, path, more) => {
      const url = (await listen(mode)) + path;
      const gateway = await startGatewayHttp([{ name: "ref", toolsPrefix: "p", url, ...more }]);
      cleanups.push(() => gateway.close());
      const transport = (address: string) => new StreamableHTTPClientTransport(new URL(address)) as Transport;
      const direct = mode === "sse" ? new SSEClientTransport(new URL(url)) : transport(url);
      const through = await seen(await connect(transport(`${gateway.url}/mcp`), everything), test, "p_");
      expect(through).toEqual(await seen(await connect(direct, everything), test));
    },
    60_000,
  );
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
