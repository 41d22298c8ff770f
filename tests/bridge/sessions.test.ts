import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Server as SseProtocolServer } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { McpDispatchError } from "../../src/bridge/errors.ts";
import { McpDispatcher } from "../../src/bridge/mcp-dispatcher.ts";
import { httpSession, sseSession, stdioSession, withSession } from "../../src/bridge/sessions.ts";
import { isAlive, logged, pidsIn, stubPath, until } from "../gateway/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-"));
const cleanups: (() => unknown)[] = [];
let logs = 0;
const stub = (env: Record<string, string> = {}) => {
  const log = join(folder, `log-${logs++}`);
  return { log, opening: () => stdioSession(process.execPath, { args: [stubPath], env: { STUB_LOG: log, ...env } }) };
};

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function echoServer(): SseProtocolServer {
  const server = new SseProtocolServer({ name: "echo", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "echo", inputSchema: { type: "object" as const } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, (request) => ({
    content: [{ type: "text", text: String(request.params.arguments?.text) }],
  }));
  return server;
}

const httpServer = () =>
  createServer(async (request, response) => {
    if (request.headers.authorization !== "Bearer good") {
      response.writeHead(401).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await echoServer().connect(transport as never);
    await transport.handleRequest(request, response);
  });

const sseServer = () => {
  const open = new Map<string, SSEServerTransport>();
  return createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://x");
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      open.set(transport.sessionId, transport);
      await echoServer().connect(transport);
    } else {
      await open.get(url.searchParams.get("sessionId") ?? "")?.handlePostMessage(request, response);
    }
  });
};

const echoOnce = (opening: ReturnType<typeof stdioSession>) =>
  withSession(opening, async (session) => {
    const dispatcher = await McpDispatcher.create(session);
    return (await dispatcher.execute("echo", { text: "héllo" })).output;
  });

describe("sessions", () => {
  it("speak stdio, Streamable HTTP and HTTP+SSE alike", async () => {
    const headers = { authorization: "Bearer good" };
    expect(await echoOnce(stub().opening())).toBe("héllo");
    expect(await echoOnce(httpSession(await listen(httpServer()), { headers }))).toBe("héllo");
    expect(await echoOnce(sseSession(await listen(sseServer())))).toBe("héllo");
  });

  it("take the older SDK's client as it is", async () => {
    const client = new OldClient({ name: "old", version: "1" });
    await client.connect(new OldStdio({ command: process.execPath, args: [stubPath], stderr: "ignore" }) as never);
    cleanups.push(() => client.close());
    const dispatcher = await McpDispatcher.create(client as never);
    expect((await dispatcher.execute("echo", { text: "x" })).output).toBe("x");
  });

  it("follow the server's changes of tools", async () => {
    await withSession(stub().opening(), async (session) => {
      const dispatcher = await McpDispatcher.create(session);
      const before = dispatcher.toolsSchema().length;
      await dispatcher.execute("grow", { count: 3 });
      await until(() => dispatcher.toolsSchema().length === before + 3);
    });
  });

  it("end the server and everything it started", async () => {
    const { log, opening } = stub({ STUB_GRANDCHILD: "1" });
    await withSession(opening(), (session) => session.listTools());
    const [server, grandchild] = [pidsIn(log, "start")[0]!, pidsIn(log, "grandchild")[0]!];
    expect([isAlive(server), isAlive(grandchild)]).toEqual([false, false]);
  });

  it("end a server behind a shell and one that ignores SIGTERM", async () => {
    const log = join(folder, "stubborn");
    const session = await stdioSession("sh", {
      args: ["-c", `"${process.execPath}" "${stubPath}"; true`],
      env: { STUB_LOG: log, STUB_GRANDCHILD: "1", STUB_STUBBORN: "1" },
    });
    await session.close();
    await session.close();
    expect(logged(log)).toContain("sigterm");
    expect([...pidsIn(log, "start"), ...pidsIn(log, "grandchild")].map(isAlive)).toEqual([false, false]);
  }, 20_000);

  it("tell the server when a call is given up", async () => {
    const { log, opening } = stub();
    await withSession(opening(), async (session) => {
      const dispatcher = await McpDispatcher.create(session, { callTimeout: 300 });
      await expect(dispatcher.execute("hang", {})).rejects.toThrow("no answer within 300 ms");
      await until(() => logged(log).includes("cancelled"));
    });
  });
});

describe("faults no model can mend", () => {
  it.each([
    [
      "a server that dies in mid-call",
      () => withSession(stub().opening(), async (session) => (await McpDispatcher.create(session)).execute("die", {})),
      "die",
    ],
    ["a command that does not exist", () => stdioSession("/no/such/command"), "initialize"],
    [
      "a server that never answers the handshake",
      () => stdioSession(process.execPath, { args: [stubPath], env: { STUB_SILENT: "1" }, connectTimeout: 500 }),
      "initialize",
    ],
    ["a refused connection", async () => httpSession(`http://127.0.0.1:${await closedPort()}/mcp`), "initialize"],
    [
      "a refused connection over SSE",
      async () => sseSession(`http://127.0.0.1:${await closedPort()}/sse`),
      "initialize",
    ],
    [
      "a wrong token",
      async () => httpSession(await listen(httpServer()), { headers: { authorization: "Bearer bad" } }),
      "initialize",
    ],
    [
      "a list that fails",
      () =>
        withSession(stub({ STUB_GARBAGE: "1" }).opening(), (session) =>
          McpDispatcher.create(session, { callTimeout: 300 }),
        ),
      "list_tools",
    ],
  ])("%s", async (_, attempt, tool) => {
    const error = await (attempt() as Promise<unknown>).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(McpDispatchError);
    expect(error).toMatchObject({ tool });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  it("leave no process behind when the handshake fails", async () => {
    const log = join(folder, "no-handshake");
    const quick = stdioSession(process.execPath, {
      args: [stubPath],
      env: { STUB_LOG: log, STUB_SILENT: "1", STUB_GRANDCHILD: "1" },
      connectTimeout: 500,
    });
    await expect(quick).rejects.toBeInstanceOf(McpDispatchError);
    expect([...pidsIn(log, "start"), ...pidsIn(log, "grandchild")].map(isAlive)).toEqual([false, false]);
  });
});

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
