// The ledger: durable events a second against bare better-sqlite3, the summary as the ledger grows, and what logging
// queries costs an answer. Events are made up. IAIP_LONG=1 asks for the sizes.
//   node scripts/bench/ledger.mjs [writes|summary|queries]...
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { build } from "esbuild";
import { LineClient, median, percentile, ratio } from "./measure.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = `${root}node_modules/.cache/iaip-bench-ledger`;
const long = process.env.IAIP_LONG === "1";
const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "ledger-bench-"));

mkdirSync(cache, { recursive: true });
const common = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["better-sqlite3", "pg-native"],
  banner: { js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);' },
  logLevel: "error",
};
const parts = ["open-ledger", "summary-query", "sqlite/sqlite-store"];
const contents = parts.map((name) => `export * from "./src/ledger/${name}.ts";`).join("\n");
await build({ ...common, stdin: { contents, resolveDir: root, loader: "ts" }, outfile: `${cache}/ledger.mjs` });
const { openLedger, summarize, SqliteStore } = await import(pathToFileURL(`${cache}/ledger.mjs`).href);

const quiet = { log: () => {}, now: () => new Date() };
const concepts = Array.from({ length: 78 }, (_, n) => `concept-${n}`);
const facts = concepts.map((id, n) => ({ id, direction: `d${n % 5}`, category: `c${n % 6}` }));

console.log(
  `ledger bench: ${cpus().length} × ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, node ${process.version}`,
);
if (wanted("writes")) await writes();
if (wanted("summary")) await summaries();
if (wanted("queries")) await queries();
rmSync(folder, { recursive: true, force: true });

function wanted(part) {
  return asked.length === 0 || asked.includes(part);
}

/** Alternating rounds in one run: each way writes the same events with WAL and synchronous=FULL. */
async function writes() {
  const rounds = long ? 30 : 12;
  const each = long ? 2_000 : 600;
  const path = join(folder, "writes.db");
  const ledger = openLedger(path, quiet);
  await ledger.record(event(0));
  const bare = bareWriter(join(folder, "bare.db"), path);
  const ways = {
    "bare, one insert a commit": () => bare.oneByOne(each),
    "bare, 20 inserts a commit": () => bare.inCommits(each, 20),
    "bare, 500 inserts a commit": () => bare.inCommits(each, 500),
    "ledger, 1 caller": () => called(ledger, each, 1),
    "ledger, 20 callers at once": () => called(ledger, each, 20),
    "ledger, batches of 500": () => batched(ledger, each, 500),
  };
  const rates = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, write] of Object.entries(ways)) {
      const start = performance.now();
      await write();
      rates[name].push((each / (performance.now() - start)) * 1_000);
    }
  }
  console.log(`durable events a second, ${rounds} alternating rounds of ${each}, median (quartiles):`);
  for (const [name, values] of Object.entries(rates)) {
    const [half, low, high] = [50, 25, 75].map((p) => Math.round(percentile(values, p)));
    console.log(`  ${name}: ${half} (${low} to ${high})`);
  }
  const pairs = [
    ["ledger, 1 caller", "bare, one insert a commit"],
    ["ledger, 20 callers at once", "bare, one insert a commit"],
    ["ledger, 20 callers at once", "bare, 20 inserts a commit"],
    ["ledger, batches of 500", "bare, 500 inserts a commit"],
  ];
  for (const [ours, theirs] of pairs) console.log(`  ${ours} ÷ ${theirs}: ${ratio(rates[ours], rates[theirs])}`);
  bare.close();
  const { ok, events } = await ledger.check();
  console.log(`  ledger after it: ${events} events, check ${ok ? "ok" : "failed"}`);
  await ledger.close();
}

/** The same table with the same indexes, without the counts that the ledger keeps besides. */
function bareWriter(file, like) {
  const source = new Database(like, { readonly: true });
  const schema = source
    .prepare(
      "select sql from sqlite_schema where tbl_name = 'event' and type in ('table', 'index') and sql is not null",
    )
    .all();
  source.close();
  const db = new Database(file);
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  for (const { sql } of schema) db.exec(sql);
  const insert = db.prepare(
    "insert into event (id, at, type, concept, agent, session, context) values (?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing",
  );
  let n = 0;
  const one = () => {
    const { concept, agent, session, context } = event(n++);
    insert.run(`bare-${n}-${performance.now()}`, new Date().toISOString(), "use", concept, agent, session, context);
  };
  const some = db.transaction((count) => {
    for (let i = 0; i < count; i++) one();
  });
  return {
    oneByOne(count) {
      for (let i = 0; i < count; i++) one();
    },
    inCommits(count, size) {
      for (let i = 0; i < count; i += size) some(Math.min(size, count - i));
    },
    close: () => db.close(),
  };
}

async function called(ledger, count, callers) {
  let n = 0;
  const caller = async () => {
    while (n < count) await ledger.record(event(n++));
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

async function batched(ledger, count, size) {
  for (let i = 0; i < count; i += size) {
    await ledger.recordBatch(Array.from({ length: Math.min(size, count - i) }, (_, n) => event(i + n)));
  }
}

function event(n) {
  return {
    concept: concepts[(n * 7) % concepts.length],
    agent: `agent-${n % 5}`,
    session: `session-${Math.floor(n / 100)}`,
    context: `Naming the parts of a module after what they are to each other, part ${n}`,
  };
}

/** A year of events, in sessions of a hundred on some ten concepts; the larger ledger is ten times as busy. */
async function summaries() {
  const sizes = long ? [1_000_000, 10_000_000] : [50_000, 500_000];
  const questions = {
    everything: {},
    "one month": { since: "2026-06-01", until: "2026-06-30" },
    "ten days": { since: "2026-06-05", until: "2026-06-14" },
    "one agent": { agent: "agent-3" },
    "one concept": { concept: "concept-5" },
  };
  const asking = [];
  for (const size of sizes) {
    const path = join(folder, `summary-${size}.db`);
    const ledger = openLedger(path, quiet);
    await ledger.summary({ concepts: facts });
    await ledger.recordBatch([event(0)]);
    const filled = fill(path, size - 1);
    const start = performance.now();
    await ledger.summary({ concepts: facts });
    const counted = performance.now() - start;
    console.log(
      `${size} events: written in ${(filled / 1e3).toFixed(0)} s, counted in ${(counted / 1e3).toFixed(0)} s`,
    );
    asking.push({ size, path, ledger, times: Object.fromEntries(Object.keys(questions).map((name) => [name, []])) });
  }
  for (let round = 0; round < (long ? 25 : 9); round++) {
    for (const { ledger, times } of asking) {
      for (const [name, filter] of Object.entries(questions)) {
        if (round > 2 && (name === "one agent" || name === "ten days")) continue;
        const start = performance.now();
        await ledger.summary({ concepts: facts, ...filter });
        times[name].push(performance.now() - start);
      }
    }
  }
  const [small, large] = asking;
  for (const name of Object.keys(questions)) {
    const told = asking.map(({ size, times }) => `${size}: ${median(times[name]).toFixed(1)} ms`).join(", ");
    console.log(`summary of ${name}: ${told}; larger ÷ smaller ${ratio(large.times[name], small.times[name])}`);
  }
  for (const { size, path, ledger } of asking) {
    const store = new SqliteStore(path, { ...quiet, patience: 60_000 });
    const start = performance.now();
    const recount = await summarize(store, { concepts: facts }, "recount");
    const same = isDeepStrictEqual(recount, await ledger.summary({ concepts: facts }));
    console.log(
      `${size}: a recount from every event takes ${((performance.now() - start) / 1e3).toFixed(1)} s and is ${same ? "equal" : "DIFFERENT"}`,
    );
    await store.close();
    await ledger.close();
  }
}

/** Rows as the ledger itself would have written them, by one statement a hundred thousand. Milliseconds it took. */
function fill(path, count) {
  const start = performance.now();
  const db = new Database(path);
  db.pragma("synchronous = off");
  db.pragma("cache_size = -262144");
  const insert =
    db.prepare(`with recursive n(i) as (select cast(@from as integer) union all select i + 1 from n where i + 1 < @to)
    insert into event (id, at, type, concept, other, agent, session, context)
    select printf('made-%012d', i), strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + cast(i as real) * 31535999 / @count, 'unixepoch'),
      case i % 5 when 0 then 'relationship_query' when 1 then 'search' when 2 then 'use' else 'lookup' end,
      'concept-' || ((i / 100 * 13 + (i * 40503 / 256) % 5 * ((i * 2654435761 / 65536) % 5)) % 78),
      case i % 5 when 0 then 'concept-' || ((i * 97) % 78) end,
      'agent-' || (i / 100 % 20), 'session-' || (i / 100), 'made up for the bench, event ' || i
    from n`);
  for (let from = 0; from < count; from += 100_000) insert.run({ from, to: Math.min(count, from + 100_000), count });
  db.pragma("wal_checkpoint(truncate)");
  db.close();
  return performance.now() - start;
}

/** Two servers over stdio, with query logging and without, asked in turn; processor time of all their threads. */
async function queries() {
  const pairs = long ? 40 : 20;
  const calls = long ? 2_000 : 500;
  await build({
    ...common,
    entryPoints: [`${root}src/main.ts`],
    outfile: `${cache}/iaip-dsl.mjs`,
    define: { __VERSION__: '"bench"' },
  });
  const server = async (name, flags) => {
    const args = [
      `${cache}/iaip-dsl.mjs`,
      "serve",
      "--mcp",
      "stdio",
      "--concepts",
      `${root}concepts`,
      "--ledger",
      join(folder, name),
    ];
    const client = new LineClient(process.execPath, [...args, ...flags]);
    await client.initialize();
    await asking(client, 300);
    return client;
  };
  const off = await server("off.db", []);
  const on = await server("on.db", ["--log-queries"]);
  const used = { off: [], on: [] };
  const spent = { off: threadsCpu(off.child.pid), on: threadsCpu(on.child.pid) };
  for (let pair = 0; pair < pairs; pair++) {
    const turns = [
      ["off", off],
      ["on", on],
    ];
    for (const [name, client] of pair % 2 === 0 ? turns : turns.reverse()) {
      await asking(client, calls);
      // From the end of its last turn: what a server writes after its answers is counted too.
      const now = threadsCpu(client.child.pid);
      used[name].push((now - spent[name]) / calls);
      spent[name] = now;
    }
  }
  await Promise.all([off.end(), on.end()]);
  const db = new Database(join(folder, "on.db"), { readonly: true });
  const { n } = db.prepare("select count(*) as n from event").get();
  db.close();
  const told = (values) =>
    `${median(values).toFixed(3)} ms (${percentile(values, 25).toFixed(3)} to ${percentile(values, 75).toFixed(3)})`;
  console.log(`processor time of an answer, all threads, ${pairs} alternating pairs of ${calls} lookups over stdio:`);
  console.log(`  logging off ${told(used.off)}, on ${told(used.on)}; ${n} events written`);
  console.log(
    `  on ÷ off: ${ratio(used.on, used.off)}, median with quartiles; 95 % interval of the median ${interval(used.on, used.off)}`,
  );
}

/** Milliseconds of processor time of all threads of a process, to the nanosecond; Linux. */
function threadsCpu(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return (
    tasks.reduce(
      (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
      0,
    ) / 1e6
  );
}

async function asking(client, calls) {
  for (let i = 0; i < calls; i++) {
    await client.ask("tools/call", { name: "iaip_concept_lookup", arguments: { concept: "two-eyed-seeing" } });
  }
}

/** Percentile bootstrap of the median of paired ratios. */
function interval(ours, theirs) {
  const ratios = ours.map((value, i) => value / theirs[i]);
  const medians = Array.from({ length: 2_000 }, () =>
    median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)])),
  );
  return `${percentile(medians, 2.5).toFixed(2)} to ${percentile(medians, 97.5).toFixed(2)}`;
}
