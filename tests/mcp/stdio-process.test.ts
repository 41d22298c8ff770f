import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildEntry } from "./build-entry.ts";
import { concepts, program } from "./served.ts";
import { StdioPeer } from "./stdio-peer.ts";

describe("MCP over stdio in a process of its own", () => {
  let entry = "";
  let folder = "";
  const children: ChildProcessWithoutNullStreams[] = [];

  beforeAll(async () => {
    entry = await buildEntry("tests/mcp/entries/small-stdio.ts");
    folder = await mkdtemp(join(tmpdir(), "iaip-stdio-"));
  });
  afterAll(() => Promise.all([rm(folder, { recursive: true }), rm(entry)]));
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  function start(env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [entry], { env: { ...process.env, ...env } });
    children.push(child);
    child.stderr.resume();
    child.on("error", () => {});
    return { child, peer: new StdioPeer(child.stdin, child.stdout) };
  }

  /** Milliseconds until the process ended, with the code it ended with. */
  async function ended(child: ChildProcessWithoutNullStreams) {
    const from = performance.now();
    const code = child.exitCode ?? (await once(child, "exit"))[0];
    return { ms: performance.now() - from, code };
  }

  it("prints nothing but JSON-RPC on stdout, whoever else prints there", async () => {
    const { child, peer } = start();
    const lines: string[] = [];
    child.stdout.on("data", (chunk: string) => lines.push(...chunk.split("\n").filter(Boolean)));
    await peer.initialize();
    peer.raw("garbage\n");
    await peer.call("break");
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("ends within a second of the end of stdin, timers or not", async () => {
    const { child, peer } = start();
    await peer.initialize();
    peer.end();
    const { ms, code } = await ended(child);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(1000);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends within a second of %s, with every event it told of on disk",
    async (signal) => {
      const kept = join(folder, `kept-${signal}`);
      const { child, peer } = start({ KEPT: kept });
      await peer.initialize();
      const told: string[] = [];
      for (let index = 0; index < 200; index += 1) {
        void peer.call("log", { text: `event ${index}` }).then(() => told.push(`event ${index}`));
      }
      await peer.ask("ping");
      child.kill(signal);
      const { ms, code } = await ended(child);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(1000);
      const onDisk = new Set((await readFile(kept, "utf8")).split("\n"));
      for (const event of told) expect(onDisk.has(event)).toBe(true);
    },
  );

  it("ends quietly when both its output streams break with 50 calls under way", async () => {
    const { child, peer } = start();
    await peer.initialize();
    for (let index = 0; index < 50; index += 1) void peer.call("slow", { text: "30" });
    child.stdout.destroy();
    child.stderr.destroy();
    const { ms, code } = await ended(child);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(1500);
  });

  it("ends quietly as the program itself, with every event it was told of on disk", async () => {
    const ledger = join(folder, "ledger.db");
    const serve = ["serve", "--mcp", "stdio", "--log-level", "debug", "--concepts", concepts, "--ledger", ledger];
    const child = spawn(process.execPath, [await program(), ...serve]);
    children.push(child);
    const peer = new StdioPeer(child.stdin, child.stdout);
    await peer.initialize();
    const args = { concept: "etuaptmumk", agent_id: "pipes", context: "before they broke" };
    const recorded = await Promise.all(Array.from({ length: 20 }, () => peer.call("iaip_wisdom_ledger_log", args)));
    expect(recorded.every(({ result }) => result?.isError === undefined)).toBe(true);
    for (let index = 0; index < 50; index += 1) void peer.call("iaip_wisdom_ledger_log", args);
    child.stderr.destroy();
    child.stdout.destroy();
    expect((await ended(child)).code).toBe(0);
    const again = spawn(process.execPath, [await program(), ...serve]);
    children.push(again);
    again.stderr.resume();
    const reader = new StdioPeer(again.stdin, again.stdout);
    await reader.initialize();
    const { result } = await reader.ask("resources/read", { uri: "iaip://wisdom/ledger" });
    const [{ text }] = result!.contents as [{ text: string }];
    const { by_agent } = JSON.parse(text) as { by_agent: { agent: string; events: number }[] };
    expect(by_agent).toEqual([{ agent: "pipes", events: expect.any(Number) }]);
    expect(by_agent[0]?.events).toBeGreaterThanOrEqual(20);
  });

  it("dies with the launcher that started it", async () => {
    const launcher = spawn("sh", ["-c", `"${process.execPath}" "${entry}"; true`], { stdio: "pipe" });
    children.push(launcher);
    const peer = new StdioPeer(launcher.stdin, launcher.stdout);
    launcher.stderr.resume();
    await peer.initialize();
    launcher.kill("SIGKILL");
    // The launcher's end closes the pipes' other sides only once its child is gone too.
    launcher.stdin.destroy();
    const from = performance.now();
    await once(launcher.stdout, "close");
    expect(performance.now() - from).toBeLessThan(1500);
  });

  it("answers two processes on one folder at once, as hosts probe", async () => {
    const both = [start(), start()];
    const hellos = await Promise.all(both.map(({ peer }) => peer.initialize()));
    expect(hellos.map(({ result }) => result?.protocolVersion)).toEqual(["2025-11-25", "2025-11-25"]);
  });
});
