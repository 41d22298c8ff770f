import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as SseV1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installClients } from "../../scripts/clients/install.mjs";
import { count } from "./long.ts";
import { concepts, oneOfEach, program, type Served, serveHttp } from "./served.ts";

type Door = "stdio" | "http" | "sse";
type Answers = { readonly names: readonly string[]; readonly answers: Readonly<Record<string, string>> };

const names = oneOfEach.map(({ tool }) => tool);
/** Slow clients call two tools of one door each, and all eight of every door in a long run. */
const few = oneOfEach.slice(0, count(oneOfEach.length, 2));
const some = <T>(all: readonly T[], which: number): readonly T[] =>
  all.slice(count(0, which), count(all.length, which + 1));

describe("Clients that nobody here wrote", () => {
  let folder = "";
  let clients = "";
  let stateless: Served;
  let withSessions: Served;
  let stdio: { readonly command: string; readonly args: string[] };
  let direct: Answers;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    clients = await installClients();
    folder = await mkdtemp(join(tmpdir(), "iaip-clients-"));
    const ledger = join(folder, "ledger.db");
    // A copy, so that all are asked about the same words while somebody edits the vocabulary.
    const copy = ["--concepts", join(folder, "concepts")];
    await cp(concepts, join(folder, "concepts"), { recursive: true });
    stdio = {
      command: process.execPath,
      args: [await program(), "serve", "--mcp", "stdio", "--ledger", ledger, ...copy],
    };
    stateless = await serveHttp(ledger, copy);
    withSessions = await serveHttp(ledger, ["--sessions", ...copy]);
    direct = await withSdk(new HttpV1(new URL(stateless.mcp)) as TransportV1, oneOfEach);
  }, 300_000);
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all([stateless.stop(), withSessions.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** The same names in the same order, and the same words for every tool but the ledger's, which counts. */
  function expectSame(told: Answers, tools: readonly { readonly tool: string }[] = oneOfEach): void {
    expect(told.names).toEqual(names);
    for (const { tool } of tools) {
      expect(told.answers[tool], tool).toBeTruthy();
      if (tool !== "iaip_wisdom_ledger_log") expect(told.answers[tool]).toBe(direct.answers[tool]);
    }
  }

  async function ask(client: Client | ClientV1, calls: typeof oneOfEach | typeof few): Promise<Answers> {
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    const answers: Record<string, string> = {};
    for (const { tool, arguments: args } of calls) {
      const { content } = (await client.callTool({ name: tool, arguments: args })) as { content: { text: string }[] };
      answers[tool] = content.map(({ text }) => text).join("\n");
    }
    await client.close();
    return { names: tools, answers };
  }

  async function withSdk(transport: TransportV1, calls: typeof oneOfEach | typeof few): Promise<Answers> {
    const client = new ClientV1({ name: "v1", version: "1" });
    await client.connect(transport);
    return ask(client, calls);
  }

  /** What it printed; some programs print their answers where others complain. */
  function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 26, timeout: 100_000 };
      const child = execFile(command, args, options, (error, stdout, stderr) =>
        error === null
          ? resolve(stdout === "" ? stderr : stdout)
          : reject(new Error(`${args.join(" ")}\n${stdout}\n${stderr}`)),
      );
      child.stdin?.end();
      children.push(child);
    });
  }

  const bin = (name: string) => join(clients, "node_modules", ".bin", name);

  function urlOf(door: Exclude<Door, "stdio">): string {
    return door === "http" ? stateless.mcp : `${stateless.url}/sse`;
  }

  it.each([
    ["stdio", () => new StdioV1({ ...stdio, stderr: "ignore" })],
    ["HTTP", () => new HttpV1(new URL(stateless.mcp))],
    ["HTTP at /", () => new HttpV1(new URL(`${stateless.url}/`))],
    ["HTTP with sessions", () => new HttpV1(new URL(withSessions.mcp))],
    ["SSE", () => new SseV1(new URL(`${stateless.url}/sse`))],
  ] as const)("SDK v1 over %s", async (_door, transport) => {
    expectSame(await withSdk(transport() as TransportV1, oneOfEach));
  });

  it.each([
    ["stdio", "auto", () => new StdioClientTransport({ ...stdio, stderr: "ignore" })],
    ["stdio", "legacy", () => new StdioClientTransport({ ...stdio, stderr: "ignore" })],
    ["HTTP", "auto", () => new StreamableHTTPClientTransport(new URL(stateless.mcp))],
    ["HTTP", "legacy", () => new StreamableHTTPClientTransport(new URL(stateless.mcp))],
    ["HTTP with sessions", "auto", () => new StreamableHTTPClientTransport(new URL(withSessions.mcp))],
    ["SSE", "legacy", () => new SSEClientTransport(new URL(`${stateless.url}/sse`))],
  ] as const)("SDK v2 over %s, %s era", async (door, mode, transport) => {
    const client = new Client({ name: "v2", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport());
    const version = client.getNegotiatedProtocolVersion();
    if (mode === "auto") expect(version, door).toBe("2026-07-28");
    expectSame(await ask(client, oneOfEach));
  });

  it.each(
    ["langchain", "ai", "openai"].flatMap((client, index) =>
      some(["stdio", "http", "sse"] as const, index).map((door) => [client, door] as const),
    ),
  )(
    "%s over %s",
    async (client, door) => {
      const target = door === "stdio" ? { door, ...stdio } : { door, url: urlOf(door) };
      const env = { OPENAI_API_KEY: "none", OPENAI_AGENTS_DISABLE_TRACING: "1" };
      const out = await run(
        process.execPath,
        [join(clients, "probe.mjs"), client, JSON.stringify(target), JSON.stringify(oneOfEach)],
        env,
      );
      expectSame(JSON.parse(out) as Answers);
    },
    60_000,
  );

  describe("the Inspector's command line", () => {
    const doors: readonly (readonly [string, Door, readonly string[]])[] = [
      ["stdio", "stdio", []],
      ["HTTP, legacy", "http", ["--protocol-era", "legacy"]],
      ["HTTP, modern", "http", ["--protocol-era", "modern"]],
      ["SSE", "sse", ["--transport", "sse"]],
    ];

    it.each(some(doors, 2))(
      "over %s",
      async (_name, door, more) => {
        const target = door === "stdio" ? [stdio.command, ...stdio.args] : [urlOf(door)];
        const inspect = async (...args: readonly string[]) => {
          const out = await run(bin("mcp-inspector"), [
            "--cli",
            ...target,
            ...more,
            ...args,
            "--format",
            "json",
            "-q",
            "--connect-timeout",
            "60000",
          ]);
          return (JSON.parse(out) as { result: { tools: { name: string }[]; content: { text: string }[] } }).result;
        };
        const answers: Record<string, string> = {};
        const [list] = await Promise.all([
          inspect("--method", "tools/list", "--strict"),
          ...few.map(async ({ tool, arguments: args }) => {
            const call = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args)];
            answers[tool] = (await inspect(...call)).content.map(({ text }) => text).join("\n");
          }),
        ]);
        expectSame({ names: list?.tools.map(({ name }) => name) ?? [], answers }, few);
      },
      120_000,
    );
  });

  describe("bridges tell the same as the server itself", () => {
    it("mcp-remote, from HTTP to stdio", async () => {
      const env = {
        ...(process.env as Record<string, string>),
        HOME: folder,
        MCP_REMOTE_CONFIG_DIR: join(folder, "mcp-remote"),
      };
      const args = [stateless.mcp, "--allow-http", "--transport", "http-only"];
      expectSame(await withSdk(new StdioV1({ command: bin("mcp-remote"), args, env, stderr: "ignore" }), oneOfEach));
    }, 60_000);

    it.each([
      [
        "supergateway",
        (port: number) => [
          "--stdio",
          [stdio.command, ...stdio.args].join(" "),
          "--outputTransport",
          "streamableHttp",
          "--stateful",
          "--port",
          String(port),
        ],
      ],
      [
        "mcp-proxy",
        (port: number) => ["--port", String(port), "--host", "127.0.0.1", "--", stdio.command, ...stdio.args],
      ],
    ] as const)(
      "%s, from stdio to HTTP",
      async (bridge, argsFor) => {
        const port = await freePort();
        const child = spawn(bin(bridge), argsFor(port), { stdio: "ignore" });
        children.push(child);
        const url = new URL(`http://127.0.0.1:${port}/mcp`);
        await expect
          .poll(
            () =>
              fetch(url).then(
                () => true,
                () => false,
              ),
            { timeout: 30_000, interval: 100 },
          )
          .toBe(true);
        expectSame(await withSdk(new HttpV1(url) as TransportV1, oneOfEach));
        child.kill("SIGTERM");
        await once(child, "exit");
      },
      60_000,
    );
  });

  describe("agents on a command line", () => {
    it("claude mcp list prints Connected", async () => {
      const home = join(folder, "claude");
      await mkdir(home, { recursive: true });
      const env = { HOME: home, CLAUDE_CONFIG_DIR: home };
      await run(bin("claude"), ["mcp", "add", "-s", "user", "iaip-stdio", "--", stdio.command, ...stdio.args], env);
      await run(bin("claude"), ["mcp", "add", "-s", "user", "--transport", "http", "iaip-http", stateless.mcp], env);
      await run(bin("claude"), ["mcp", "add", "-s", "user", "--transport", "sse", "iaip-sse", urlOf("sse")], env);
      const out = await run(bin("claude"), ["mcp", "list"], env);
      for (const name of ["iaip-stdio", "iaip-http", "iaip-sse"])
        expect(out).toMatch(new RegExp(`${name}:.*Connected`));
    }, 120_000);

    it("gemini mcp list prints Connected", async () => {
      const home = join(folder, "gemini");
      await mkdir(join(home, ".gemini"), { recursive: true });
      const settings = {
        security: { folderTrust: { enabled: false } },
        mcpServers: {
          "iaip-stdio": stdio,
          "iaip-http": { httpUrl: stateless.mcp },
          "iaip-sse": { url: urlOf("sse"), type: "sse" },
        },
      };
      await writeFile(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
      const out = await run(bin("gemini"), ["mcp", "list"], { HOME: home, GEMINI_CLI_HOME: home });
      for (const name of ["iaip-stdio", "iaip-http", "iaip-sse"])
        expect(out).toMatch(new RegExp(`${name}:.*Connected`));
    }, 120_000);
  });
});

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
