// Cold start to `initialize` against a bare SDK server, and each tool's round trip on stdio against a null tool on the
// same SDK, turn about in one run.   node scripts/bench/stdio.mjs [STARTS] [ROUNDS]      (after `npm run build`)
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { LineClient, median, ms, percentile, ratio } from "./measure.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [starts, rounds] = [Number(process.argv[2] ?? 15), Number(process.argv[3] ?? 600)];
const folder = mkdtempSync(join(tmpdir(), "iaip-bench-"));
const calls = readFileSync(new URL("calls.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
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

async function roundTrips() {
  const told = new LineClient(process.execPath, ours);
  const nothing = new LineClient(process.execPath, [nullServer, "stdio", join(folder, "bare.db")]);
  await Promise.all([told.initialize(), nothing.initialize()]);
  console.log(`round trip on stdio, ${rounds} calls each, turn about in batches of 20`);
  for (const { tool, arguments: args } of calls) {
    const against =
      tool === "iaip_wisdom_ledger_log" ? { name: "insert", arguments: args } : { name: "null", arguments: {} };
    const seen = { ours: [], null: [], batches: { ours: [], null: [] }, cpu: { ours: [], null: [] } };
    for (let done = -20; done < rounds; done += 20) {
      for (const [kind, client, params] of [
        ["ours", told, { name: tool, arguments: args }],
        ["null", nothing, against],
      ]) {
        const cpu = client.cpu();
        const times = [];
        for (let index = 0; index < 20; index += 1) {
          const from = performance.now();
          const { result } = await client.ask("tools/call", params);
          times.push(performance.now() - from);
          if (result === undefined || result.isError)
            throw new Error(`${params.name} gave ${JSON.stringify(result).slice(0, 300)}`);
        }
        if (done < 0) continue;
        seen[kind].push(...times);
        seen.batches[kind].push(median(times));
        seen.cpu[kind].push(client.cpu() - cpu);
      }
    }
    const p = (kind, q) => ms(percentile(seen[kind], q));
    const cpu = (kind) => seen.cpu[kind].reduce((sum, it) => sum + it, 0) / rounds;
    console.log(
      `  ${tool}: p50 ${p("ours", 50)}, p99 ${p("ours", 99)}, cpu ${ms(cpu("ours"))} | ${against.name}: p50 ${p("null", 50)}, p99 ${p("null", 99)}, cpu ${ms(cpu("null"))} | p50 ratio ${ratio(seen.batches.ours, seen.batches.null)}, cpu ratio ${(cpu("ours") / cpu("null")).toFixed(2)}`,
    );
  }
  await Promise.all([told.end(), nothing.end()]);
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
