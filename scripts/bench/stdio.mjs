// Cold start to `initialize` against a bare SDK server, the first call of each tool in a fresh process, and each tool's
// round trip on stdio over distinct questions against a null tool on the same SDK, turn about in one run.
// node scripts/bench/stdio.mjs [STARTS] [ROUNDS]      (after `npm run build`)
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { LineClient, median, ms, percentile, ratio } from "./measure.mjs";
import { distinctQuestions } from "./questions.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [starts, rounds] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 700)];
const folder = mkdtempSync(join(tmpdir(), "iaip-bench-"));
const questions = distinctQuestions();
const ours = [
  `${root}dist/iaip-dsl.mjs`,
  "serve",
  "--mcp",
  "stdio",
  "--concepts",
  `${root}concepts`,
  "--ledger",
  join(folder, "ledger.db"),
];
const nullServer = fileURLToPath(new URL("null-server.mjs", import.meta.url));
const bare = fileURLToPath(new URL("bare-server.mjs", import.meta.url));

await coldStarts();
await firstCalls();
await roundTrips();
rmSync(folder, { recursive: true, force: true });

/** Wall and processor time from spawn to the answer of `initialize`, each kind in turn. */
async function coldStarts() {
  const bundled = await bundle(bare);
  const kinds = { ours, "bare SDK server, bundled": [bundled], "bare SDK server, as installed": [bare] };
  const seen = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, { wall: [], cpu: [] }]));
  for (let round = 0; round <= starts; round += 1) {
    for (const [kind, args] of Object.entries(kinds)) {
      const client = new LineClient(process.execPath, args);
      await client.initialize();
      const wall = performance.now() - client.started;
      const cpu = client.cpu();
      await client.end();
      if (round === 0) continue;
      seen[kind].wall.push(wall);
      seen[kind].cpu.push(cpu);
    }
  }
  console.log(`cold start to initialize, ${starts} starts each, turn about`);
  for (const [kind, { wall, cpu }] of Object.entries(seen)) {
    console.log(`  ${kind}: wall ${ms(median(wall))}, cpu ${ms(median(cpu))}`);
    if (kind === "ours") continue;
    console.log(`    ours / ${kind}: wall ${ratio(seen.ours.wall, wall)}, cpu ${ratio(seen.ours.cpu, cpu)}`);
  }
}

/** Processor time of the first call of each tool in a process that was greeted a second ago. */
async function firstCalls() {
  const runs = Math.max(3, Math.round(starts / 4));
  console.log(`first call, ${runs} fresh processes for each tool, one second after the handshake`);
  for (const [tool, list] of Object.entries(questions)) {
    const seen = [];
    for (let run = 0; run < runs; run += 1) {
      const client = new LineClient(process.execPath, ours);
      await client.initialize();
      await setTimeout(1_000);
      const before = client.cpu();
      await called(client, { name: tool, arguments: list[run % list.length] });
      seen.push(client.cpu() - before);
      await client.end();
    }
    console.log(`  ${tool}: cpu ${ms(median(seen))} (${ms(Math.min(...seen))} to ${ms(Math.max(...seen))})`);
  }
}

/** No question is put twice, but for the four directions. */
async function roundTrips() {
  const client = new LineClient(process.execPath, ours);
  const nothing = new LineClient(process.execPath, [nullServer, "stdio", join(folder, "bare.db")]);
  await Promise.all([client.initialize(), nothing.initialize()]);
  const size = 10;
  console.log(`round trip on stdio, up to ${rounds} distinct questions, turn about in batches of ${size}`);
  for (const [tool, list] of Object.entries(questions)) {
    const count = Math.min(rounds, list.length < 20 ? 200 : Math.floor(list.length / size) * size);
    const peer = tool === "iaip_wisdom_ledger_log" ? "insert" : "null";
    const seen = { ours: [], null: [], batches: { ours: [], null: [] }, cpu: { ours: 0, null: 0 } };
    for (let from = 0; from < count; from += size) {
      const batch = Array.from({ length: size }, (_, i) => list[(from + i) % list.length]);
      for (const [kind, one, name] of [
        ["ours", client, tool],
        ["null", nothing, peer],
      ]) {
        const cpu = one.cpu();
        const times = [];
        for (const question of batch) {
          const start = performance.now();
          await called(one, { name, arguments: question });
          times.push(performance.now() - start);
        }
        seen[kind].push(...times);
        seen.batches[kind].push(median(times));
        seen.cpu[kind] += one.cpu() - cpu;
      }
    }
    const p = (kind, q) => ms(percentile(seen[kind], q));
    const cpu = (kind) => seen.cpu[kind] / count;
    console.log(
      `  ${tool} (${count}): p50 ${p("ours", 50)}, p99 ${p("ours", 99)}, cpu ${ms(cpu("ours"))} | ${peer}: p50 ${p("null", 50)}, p99 ${p("null", 99)}, cpu ${ms(cpu("null"))} | p50 ratio ${ratio(seen.batches.ours, seen.batches.null)}, cpu ratio ${(cpu("ours") / cpu("null")).toFixed(2)}`,
    );
  }
  await Promise.all([client.end(), nothing.end()]);
}

async function called(client, params) {
  const { result } = await client.ask("tools/call", params);
  if (result === undefined || result.isError)
    throw new Error(`${params.name} gave ${JSON.stringify(result).slice(0, 300)}`);
}

async function bundle(entry) {
  const cache = `${root}node_modules/.cache/iaip-bench`;
  mkdirSync(cache, { recursive: true });
  const outfile = join(cache, "bare-server.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "error",
  });
  return outfile;
}
