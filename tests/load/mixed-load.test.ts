import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { distinctQuestions } from "../../scripts/bench/questions.mjs";
import { Peer } from "../lsp/support/peer.ts";
import { count } from "../support/counts.ts";
import { startProcess } from "../support/start-process.ts";

const root = join(import.meta.dirname, "../..");
const program = join(root, "dist/iaip-dsl.mjs");
/** What a fleet's manifests allow one server, in MiB. */
const memoryLimit = 384;
const httpClients = 32;
const lspClients = 4;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "iaip-load-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("agents and editors are answered through many reloads, inside the memory that the manifests allow", {
  timeout: 600_000,
}, async () => {
  const concepts = join(folder, "concepts");
  cpSync(join(root, "concepts"), concepts, { recursive: true });
  const server = startProcess(
    process.execPath,
    [
      program,
      ...["serve", "--mcp", "http:127.0.0.1:0", "--lsp", "tcp:127.0.0.1:0", "--greet"],
      ...["--concepts", concepts, "--ledger", join(folder, "ledger.db")],
    ],
    { env: { ...process.env, NODE_OPTIONS: heapOptions() } },
  );
  const { mcp, lspPort } = await addresses(server.stderr);
  const isOver = { value: false };
  const counts = { calls: 0, refusals: 0, hovers: 0, reloads: 0, failures: [] as string[] };
  const questions = Object.entries(distinctQuestions()).flatMap(([name, list]) =>
    list.map((args) => ({ name, arguments: args })),
  );

  const agent = async (index: number) => {
    for (let i = index * 101; !isOver.value; i += 37) {
      const outcome = await call(mcp, questions[i % questions.length]!);
      counts.calls++;
      if (outcome === "refused") counts.refusals++;
      else if (outcome !== "answered") counts.failures.push(outcome);
    }
  };
  const editor = async (index: number) => {
    const socket = connect(lspPort, "127.0.0.1");
    const peer = Peer.over(socket);
    await peer.initialize();
    const uri = `file:///notes-${index}.md`;
    const text = "Two-Eyed Seeing guides us.\n\nWe bridged the gap together.\n";
    await peer.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "markdown", version: 1, text },
    });
    for (let version = 2; !isOver.value; version++) {
      await peer.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text: `${text}\nLine ${version}.\n` }],
      });
      const hover = await peer.connection.sendRequest("textDocument/hover", {
        textDocument: { uri },
        position: { line: 0, character: 4 },
      });
      if (hover === null) counts.failures.push("no hover");
      counts.hovers++;
    }
    socket.destroy();
  };
  const files = readdirSync(join(concepts, "framework")).map((it) => join(concepts, "framework", it));
  const saver = async (times: number, everyMs: number) => {
    for (let i = 0; i < times; i++) {
      const file = files[i % files.length]!;
      writeFileSync(file, `${readFileSync(file, "utf8").replace(/\n# saved .*\n$/, "\n")}\n# saved ${i}\n`);
      counts.reloads++;
      await setTimeout(everyMs);
    }
    isOver.value = true;
  };

  await Promise.all([
    saver(count(20, 300), 1_000 / count(4, 1)),
    ...Array.from({ length: httpClients }, (_, i) => agent(i)),
    ...Array.from({ length: lspClients }, (_, i) => editor(i)),
  ]);
  const peak = peakMemory(server.pid!);
  const { calls, refusals, hovers, reloads, failures } = counts;
  process.stderr.write(
    `${calls} calls (${refusals} refused in words) and ${hovers} hovers through ${reloads} saves: ${failures.length} failures, peak ${peak} MiB\n`,
  );
  expect(failures.slice(0, 5)).toEqual([]);
  expect(calls).toBeGreaterThan(httpClients);
  expect(hovers).toBeGreaterThan(lspClients);
  if (!Number.isNaN(peak)) expect(peak).toBeLessThan(memoryLimit);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});

/** The options that the manifests give the server's Node. */
function heapOptions(): string {
  const manifest = readFileSync(join(root, "src/plugins/kubernetes/sqlite/deployment.yaml"), "utf8");
  return /--max-[\w-]+=\d+/.exec(manifest)?.[0] ?? "";
}

async function addresses(stderr: NodeJS.ReadableStream): Promise<{ readonly mcp: string; readonly lspPort: number }> {
  let text = "";
  for await (const chunk of stderr) {
    text += String(chunk);
    const mcp = /MCP is served on (http\S+)/.exec(text)?.[1];
    const lspPort = /LSP is served on TCP \S+:(\d+)/.exec(text)?.[1];
    if (mcp !== undefined && lspPort !== undefined) {
      stderr.on("data", () => undefined);
      return { mcp, lspPort: Number(lspPort) };
    }
  }
  throw new Error(`the server ended before it listened: ${text}`);
}

async function call(address: string, params: object): Promise<string> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await response.text();
  if (response.status === 429) {
    await setTimeout(Number(response.headers.get("retry-after") ?? 1) * 1_000);
    return "answered";
  }
  if (response.status !== 200) return `${response.status} ${text.slice(0, 200)}`;
  if (text.includes('"isError":true')) return "refused";
  return text.includes('"structuredContent"') ? "answered" : `no answer: ${text.slice(0, 200)}`;
}

/** The most memory that the process ever held, in MiB; NaN where /proc is not. */
function peakMemory(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}
