// HTTP round trips against a null tool on the same SDK, one at a time and 32 in flight, and memory after many calls.
//   node scripts/bench/http.mjs [ROUNDS] [CALLS]      (after `npm run build`)
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuOf, median, ms, percentile, ratio } from "./measure.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [rounds, many] = [Number(process.argv[2] ?? 30), Number(process.argv[3] ?? 100_000)];
const folder = mkdtempSync(join(tmpdir(), "iaip-bench-"));
const calls = readFileSync(new URL("calls.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const ours = await startOurs();
const nothing = await startNull();
await roundTrips();
await memory();
ours.child.kill("SIGTERM");
nothing.child.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function roundTrips() {
  for (const era of ["2025, stateless", "2026-07-28"]) {
    for (const inFlight of [1, 32]) {
      for (const { tool, arguments: args } of calls.slice(0, 1)) {
        const seen = { ours: { times: [], batches: [], cpu: 0 }, null: { times: [], batches: [], cpu: 0 } };
        const batch = inFlight === 1 ? 40 : 320;
        for (let round = -2; round < rounds; round += 1) {
          for (const [kind, server, call] of [
            ["ours", ours, { name: tool, arguments: args }],
            ["null", nothing, { name: "null", arguments: {} }],
          ]) {
            const cpu = cpuOf(server.child.pid);
            const from = performance.now();
            const times = await burst(server.url, messageFor(era, call), batch, inFlight);
            if (round < 0) continue;
            seen[kind].times.push(...times);
            seen[kind].batches.push((performance.now() - from) / batch);
            seen[kind].cpu += cpuOf(server.child.pid) - cpu;
          }
        }
        const line = (kind) => {
          const { times, batches, cpu } = seen[kind];
          return `p50 ${ms(percentile(times, 50))}, p99 ${ms(percentile(times, 99))}, ${Math.round(1000 / median(batches))} calls/s, cpu ${ms(cpu / (rounds * batch))}`;
        };
        console.log(
          `HTTP, ${era}, ${inFlight} in flight: ${tool}: ${line("ours")} | null tool: ${line("null")} | ratio of time a call ${ratio(seen.ours.batches, seen.null.batches)}, of cpu ${(seen.ours.cpu / seen.null.cpu).toFixed(2)}`,
        );
      }
    }
  }
}

/** Resident memory of our server after 1,000 calls, and after many more. */
async function memory() {
  const lookup = messageFor("2025, stateless", { name: calls[0].tool, arguments: calls[0].arguments });
  const modern = messageFor("2026-07-28", { name: calls[0].tool, arguments: calls[0].arguments });
  const both = async (count) => {
    await burst(ours.url, lookup, count / 2, 16);
    await burst(ours.url, modern, count / 2, 16);
  };
  await both(1000);
  const first = resident(ours.child.pid);
  const told = [];
  for (let done = 0; done < many; done += many / 4) {
    await both(many / 4);
    told.push(resident(ours.child.pid));
  }
  console.log(
    `memory: resident ${first.toFixed(0)} MB after 1,000 calls; ${told.map((it) => it.toFixed(0)).join(", ")} MB after each quarter of ${many} more; ratio ${(told.at(-1) / first).toFixed(2)}`,
  );
}

function resident(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

async function burst(url, message, count, inFlight) {
  const times = [];
  let next = 0;
  const worker = async () => {
    while (next++ < count) {
      const from = performance.now();
      const { status, text } = await send(url, message);
      times.push(performance.now() - from);
      if (status !== 200 || text.includes('"error"')) throw new Error(`${url} gave ${status}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return times;
}

function messageFor(era, params) {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  if (era !== "2026-07-28")
    return { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }) };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const more = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": params.name };
  return {
    headers: { ...headers, ...more },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta } }),
  };
}

function send(url, { headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", agent, headers: { ...headers, "content-length": Buffer.byteLength(body) } },
      (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

async function startOurs() {
  const args = [
    `${root}dist/iaip-dsl.mjs`,
    "serve",
    "--mcp",
    "http:127.0.0.1:0",
    "--greet",
    "--concepts",
    `${root}concepts`,
    "--ledger",
    join(folder, "ledger.db"),
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  for await (const chunk of child.stderr) {
    said += chunk;
    const url = /MCP is served on (http:\S+\/mcp)/.exec(said)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error(`the server did not start: ${said}`);
}

async function startNull() {
  const child = fork(fileURLToPath(new URL("null-server.mjs", import.meta.url)), ["http"], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [url] = await once(child, "message");
  return { child, url: `${url}/mcp` };
}
