import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { commandLine, startProgram } from "./support.ts";

const line = commandLine();
const key = { KAG_BRIDGE_API_KEY: "k" };

/** Every server of the program that listens: its command line at an address, and what it says when it is there. */
const servers: readonly (readonly [
  name: string,
  at: (host: string, port: number) => readonly string[],
  ready: RegExp,
])[] = [
  ["serve --mcp http", (host, port) => ["serve", "--mcp", `http:${host}:${port}`, "--greet"], /MCP is served on http/],
  ["serve --mcp sse", (host, port) => ["serve", "--mcp", `sse:${host}:${port}`, "--greet"], /MCP is served on http/],
  ["serve --lsp tcp", (host, port) => ["serve", "--lsp", `tcp:${host}:${port}`, "--greet"], /LSP is served on TCP/],
  ["lsp --listen", (host, port) => ["lsp", "--listen", `${host}:${port}`], /Language server on/],
  ["kag --transport http", (host, port) => kag("http", host, port), /kag tools are served at/],
  ["kag mcp-server --transport sse", (host, port) => kag("sse", host, port), /kag tools are served at/],
  [
    "gateway --http",
    (host, port) => ["gateway", "--config", "g.yaml", "--http", `${host}:${port}`],
    /the gateway is at/,
  ],
  ["adapt", (host, port) => adapt(host, port), /is served at/],
];

function kag(transport: string, host: string, port: number): readonly string[] {
  return ["kag", "mcp-server", "--transport", transport, "--host", host, "--port", String(port)];
}

function adapt(host: string, port: number): readonly string[] {
  const child = "process.stdin.resume()";
  return ["adapt", "--host", host, "--port", String(port), "--", process.execPath, "-e", child];
}

describe.each(servers)("%s", (_name, at, ready) => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ends with 0 on %s", async (signal) => {
    line.put("g.yaml", "concepts: true\n");
    const server = startProgram(line.folder, at("127.0.0.1", 0), key);
    await server.said(ready);
    server.child.kill(signal);
    expect(await server.exited).toBe(0);
    expect(server.stderr()).not.toMatch(/fault of the program/);
  });

  test("says of a taken port what every other says, exit 2", async () => {
    line.put("g.yaml", "concepts: true\n");
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { readonly port: number };
    const server = startProgram(line.folder, at("127.0.0.1", port), key);
    expect(await server.exited).toBe(2);
    taken.close();
    expect(server.stderr()).toBe(
      `iaip-dsl: Port ${port} on 127.0.0.1 is taken. Give another one, or end what listens there.\n`,
    );
  });

  test("listens beyond loopback only for a credential or a flag that says so", async () => {
    line.put("g.yaml", "concepts: true\n");
    const { code, stderr } = await line.cli(at("0.0.0.0", 0));
    expect(code).toBe(2);
    expect(stderr).toMatch(/--allow-remote-editors|--token-file FILE|KAG_BRIDGE_API_KEY/);
    expect(stderr.trim().split("\n").length).toBe(1);
  });

  test.each(["256.0.0.1x", "no.such.host.invalid"])(
    "says in a line that %s is no address of this machine",
    async (host) => {
      line.put("g.yaml", "concepts: true\n");
      const allowed = { ...key, IAIP_DSL_ALLOW_ANONYMOUS: "1", IAIP_DSL_ALLOW_REMOTE_EDITORS: "1" };
      const server = startProgram(line.folder, at(host, 0), allowed);
      expect(await server.exited).toBe(2);
      expect(server.stderr()).toMatch(/no address to listen on/);
      expect(server.stderr()).not.toMatch(/\n {4}at /);
    },
  );
});

test("a language server listens beyond loopback when the flag names it, by command line or environment, never by project file", async () => {
  const server = startProgram(line.folder, ["lsp", "--listen", "0.0.0.0:0", "--allow-remote-editors"]);
  await server.said(/Language server on 0\.0\.0\.0/);
  server.child.kill("SIGHUP");
  expect(await server.exited).toBe(0);
  line.put(".iaip-dsl.yaml", "allow-remote-editors: true\n");
  expect((await line.cli(["lsp", "--listen", "0.0.0.0:0"])).code).toBe(2);
});

test.each([
  ["--mcp http:7331", /HOST:PORT/],
  ["--mcp http:127.0.0.1:99999", /0 to 65535/],
  ["--mcp https:127.0.0.1:1", /stdio, http:HOST:PORT, sse:HOST:PORT or none/],
  ["--mcp http:::1:7331", /HOST:PORT/],
  ["--lsp tcp:[::1:7332", /HOST:PORT/],
  ["--lsp http:127.0.0.1:7332", /tcp:HOST:PORT/],
])("%j is refused with what is taken", async (args, words) => {
  expect(await line.cli(["serve", ...args.split(" ")])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(words),
  });
});
