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
/** What hosts ask most, and the largest answer. */
const brief = { tool: "iaip_concept_lookup", arguments: { concept: "two-eyed-seeing" } };
const held = join(folder, "held.json");
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
      for (const { tool, arguments: args } of [brief, calls[0]]) {
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
          `HTTP, ${era}, ${inFlight} in flight: ${tool} ${args.depth ?? "at its default"}: ${line("ours")} | null tool: ${line("null")} | ratio of time a call ${ratio(seen.ours.batches, seen.null.batches)}, of cpu ${(seen.ours.cpu / seen.null.cpu).toFixed(2)}`,
        );
      }
    }
  }
}

/** What our server holds after 1,000 calls, and after many more: after a collection, and resident. */
async function memory() {
  const { tool: name, arguments: args } = calls[0];
  const messages = ["2025, stateless", "2026-07-28"].map((era) => messageFor(era, { name, arguments: args }));
  const call = async (count) => {
    for (const message of messages) await burst(ours.url, message, count / 2, 16);
    return heldBy(ours.child);
  };
  const first = await call(1000);
  const told = [];
  for (let quarter = 0; quarter < 4; quarter += 1) told.push(await call(many / 4));
  const mb = (bytes) => (bytes / 1024 / 1024).toFixed(1);
  console.log(
    `memory held after 1,000 calls ${mb(first.held)} MB (resident ${mb(first.rss)}); after each quarter of ${many} more: ${told
      .map(({ held, rss }) => `${mb(held)} (${mb(rss)})`)
      .join(", ")} MB; ratio ${(told.at(-1).held / first.held).toFixed(2)}`,
  );
}

async function heldBy(child) {
  rmSync(held, { force: true });
  child.kill("SIGUSR2");
  for (;;) {
    try {
      return JSON.parse(readFileSync(held, "utf8"));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
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
  const preload = ["--expose-gc", "--import", new URL("held-memory.mjs", import.meta.url).href];
  const env = { ...process.env, HELD_MEMORY: held };
  const child = spawn(process.execPath, [...preload, ...args], { stdio: ["ignore", "ignore", "pipe"], env });
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
