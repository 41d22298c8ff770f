import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../mcp/served.ts";
import { scratchFile, stubServer } from "./harness.ts";
import { isAlive, pidsIn, stubPath, until } from "./processes.ts";

let cli = "";
const running = new Set<ChildProcessWithoutNullStreams>();
beforeAll(async () => {
  cli = await program();
});
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

function config(servers: readonly object[], top: object = {}): string {
  const file = scratchFile("mcp-servers.yaml");
  writeFileSync(file, JSON.stringify({ servers, ...top }));
  return file;
}

function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, HOME: scratchFile(), ...env },
  });
  running.add(child);
  const said = { out: "", err: "" };
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  child.stdout.on("data", (chunk) => (said.out += chunk));
  child.stderr.on("data", (chunk) => (said.err += chunk));
  const ended = new Promise<number | null>((resolve) =>
    child.on("close", (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  return { child, said, lines, ended };
}

const hello = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "c", version: "1" } },
};
const say = (child: ChildProcessWithoutNullStreams, message: object) =>
  child.stdin.write(`${JSON.stringify(message)}\n`);
const listTools = { jsonrpc: "2.0", id: "list", method: "tools/list" };
const answers = (lines: string[]) => lines.map((line) => JSON.parse(line));

describe("the gateway on stdio", () => {
  it("answers a probe for a newer revision and the handshake in one process, with nothing but JSON-RPC on stdout", async () => {
    const { child, lines, ended } = start(["gateway", "--config", config([stubServer("s")])]);
    say(child, { jsonrpc: "2.0", id: "server-discover-probe-1", method: "server/discover", params: { _meta: {} } });
    child.stdin.write("this is no JSON\n");
    say(child, hello);
    say(child, listTools);
    await until(() => lines.length >= 4);
    const byId = (id: unknown) => answers(lines).find((one) => one.id === id);
    const [probe, garbage, shaken, list] = ["server-discover-probe-1", null, 0, "list"].map(byId);
    expect(probe).toMatchObject({ id: "server-discover-probe-1", error: { code: -32601 } });
    expect(garbage).toMatchObject({ id: null, error: { code: -32700 } });
    expect(shaken).toMatchObject({
      id: 0,
      result: { protocolVersion: "2025-11-25", serverInfo: { name: "iaip-dsl-gateway" } },
    });
    expect(list.result.tools[0].name).toBe("s_echo");
    child.stdin.end();
    expect(await ended).toBe(0);
  });

  it.each(["stdin", "SIGTERM", "SIGINT"] as const)("ends itself and all it started on %s", async (how) => {
    const log = scratchFile("log");
    const { child, lines, ended } = start([
      "gateway",
      "--config",
      config([stubServer("s", { STUB_LOG: log, STUB_GRANDCHILD: "1" })]),
    ]);
    say(child, hello);
    say(child, listTools);
    await until(() => lines.length >= 2);
    if (how === "stdin") child.stdin.end();
    else child.kill(how);
    expect(await ended).toBe(0);
    const pids = [...pidsIn(log, "start"), ...pidsIn(log, "grandchild")];
    expect(pids.length).toBe(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it("answers what was asked before its stream ended", async () => {
    const { child, lines, ended } = start(["gateway", "--config", config([stubServer("s")])]);
    say(child, hello);
    child.stdin.end(`${JSON.stringify(listTools)}\n`);
    expect(await ended).toBe(0);
    expect(answers(lines).map((one) => one.id)).toEqual([0, "list"]);
  });

  it("ends soon though a call hangs and its stream has ended", async () => {
    const { child, lines, ended } = start(["gateway", "--config", config([stubServer("s")])]);
    say(child, hello);
    say(child, listTools);
    await until(() => lines.length >= 2);
    child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "s_hang" } })}\n`);
    const began = Date.now();
    expect(await ended).toBe(0);
    expect(Date.now() - began).toBeLessThan(8_000);
  });

  it("adds a line to the audit file for each call", async () => {
    const audit = scratchFile("audit");
    const { child, lines, ended } = start(["gateway", "--config", config([stubServer("s")]), "--audit", audit]);
    say(child, hello);
    say(child, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "s_echo", arguments: { text: "private" } },
    });
    await until(() => lines.length >= 2);
    child.stdin.end();
    await ended;
    const line = readFileSync(audit, "utf8").trim();
    expect(JSON.parse(line)).toMatchObject({ who: "local", client: "c", tool: "s_echo", upstream: "s", outcome: "ok" });
    expect(line).not.toContain("private");
  });
});

describe("the gateway's command line", () => {
  it.each([
    ["no file", () => "/no/such/mcp-servers.yaml", "does not exist: nothing to serve"],
    ["no server in the file", () => config([]), "names no servers: nothing to serve"],
  ])("ends well where there is %s", async (_, file, message) => {
    const { said, ended } = start(["gateway", "--config", file()]);
    expect(await ended).toBe(0);
    expect(said.err).toContain(message);
    expect(said.out).toBe("");
  });

  it("says in one line what is wrong with the file, and starts nothing", async () => {
    const log = scratchFile("log");
    const auth = { auth: { type: "bearer", secretKey: "NOT_SET" } };
    const external = { name: "x", toolsPrefix: "x", url: "http://127.0.0.1:1", ...auth };
    const { said, ended } = start(["gateway", "--config", config([stubServer("s", { STUB_LOG: log }), external])]);
    expect(await ended).toBe(2);
    expect(said.err.trim().split("\n")).toEqual([
      'iaip-dsl: "x": the environment variable NOT_SET (auth.secretKey) is empty; set it or remove it from the file',
    ]);
    expect(pidsIn(log, "start")).toEqual([]);
  });
});

it.each(["gateway", "adapt"])("%s says in one line that its port is taken", async (command) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const args = {
    gateway: ["gateway", "--config", config([stubServer("s")]), "--http", `127.0.0.1:${port}`],
    adapt: ["adapt", "--port", String(port), "--", process.execPath, stubPath],
  }[command]!;
  const { said, ended } = start(args);
  expect(await ended).toBe(2);
  expect(said.err.trim()).toBe(
    `iaip-dsl: Port ${port} on 127.0.0.1 is taken. Give another one, or end what listens there.`,
  );
  server.close();
});

describe("gateway probe", () => {
  const servers = (log: string) => [
    stubServer("managed", { STUB_LOG: log }, { toolsAllow: ["echo", "env"] }),
    stubServer("dead", {}, { command: "/no/such/command" }),
    stubServer("off", {}, { suspended: true }),
  ];

  it("prints a status for every server and exits 1 while one is not ready", async () => {
    const log = scratchFile("log");
    const { said, ended } = start(["gateway", "probe", "--config", config(servers(log)), "--json"]);
    expect(await ended).toBe(1);
    const [managed, dead, off] = JSON.parse(said.out).servers;
    const types = (one: { conditions: { type: string; status: string }[] }) =>
      one.conditions.map((it) => `${it.type}=${it.status}`);
    expect(managed).toMatchObject({
      name: "managed",
      ready: true,
      url: `stdio:${process.execPath}`,
      toolCount: 2,
      tools: ["managed_echo", "managed_env"],
      error: null,
    });
    expect(managed.age).toBeGreaterThanOrEqual(0);
    expect(Date.parse(managed.lastListed)).toBeGreaterThan(0);
    expect(types(managed)).toEqual(["Deployed=True", "Ready=True", "ToolsDiscovered=True"]);
    expect(dead).toMatchObject({ ready: false, toolCount: 0, tools: [], lastListed: null, age: null });
    expect(dead.error).toContain("could not start /no/such/command");
    expect(types(dead)).toEqual(["Deployed=False", "Ready=False", "ToolsDiscovered=False"]);
    expect(types(off)).toEqual(["Suspended=True", "Ready=False"]);
    expect(pidsIn(log, "start").filter(isAlive)).toEqual([]);
  });

  it("exits 0 when all is well, and prints a table", async () => {
    const { said, ended } = start(["gateway", "probe", "--config", config([stubServer("one")])]);
    expect(await ended).toBe(0);
    expect(said.out).toMatch(/^NAME {2}READY {2}TOOLS {2}AGE +URL/);
    expect(said.out).toMatch(/\none +True +12 +[\d.]+s +stdio:/);
  });

  it("watches: what changes is printed again", async () => {
    const flag = scratchFile("flag");
    const file = config([stubServer("late", { STUB_DIE_UNLESS: flag })]);
    const { child, lines, ended } = start(["gateway", "probe", "--config", file, "--json", "--watch"]);
    await until(() => lines.length > 0);
    expect(JSON.parse(lines[0]!).servers[0]).toMatchObject({ ready: false, toolCount: 0 });
    writeFileSync(flag, "");
    await until(() => JSON.parse(lines.at(-1)!).servers[0].ready === true);
    expect(JSON.parse(lines.at(-1)!).servers[0].toolCount).toBe(12);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});

describe("adapt on the command line", () => {
  it("serves the command after --, with commas and spaces in its arguments, until SIGTERM", async () => {
    const args = ["adapt", "--port", "0", "--", process.execPath, stubPath, "a,b", "c d"];
    const { child, said, ended } = start(args, { STUB_DIE: "", STDIO_ENV_GIVEN: "carried", HIDDEN: "secret" });
    await until(() => /served at (\S+)\n/.test(said.err));
    const url = /served at (\S+)\n/.exec(said.err)![1]!;
    const call = async (name: string) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body,
      });
      return JSON.parse((await response.json()).result.content[0].text);
    };
    expect(await call("args")).toEqual(["a,b", "c d"]);
    const environment = await call("env");
    expect(environment).toMatchObject({ GIVEN: "carried" });
    expect(environment).not.toHaveProperty("HIDDEN");
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("asks for a command", async () => {
    const { said, ended } = start(["adapt", "--port", "0", "--"]);
    expect(await ended).toBe(2);
    expect(said.err).toContain("command");
  });
});
