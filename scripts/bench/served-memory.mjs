// Memory of the server as its manifests start it: the heap limit of the Dockerfile, 32 HTTP clients with every reading
// tool, hostile texts among their calls, and a reload each second. Prints the peak of resident memory beside the
// manifests' limit, and the longest wait for /healthz beside their probe timeout.
// node scripts/bench/served-memory.mjs [SECONDS] [plain]      (plain: no hostile texts; after `npm run build`; Linux)
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { distinctQuestions } from "./questions.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const seconds = Number(process.argv[2] ?? 60);
const plain = process.argv[3] === "plain";
const deployment = parse(readFileSync(`${root}src/plugins/kubernetes/sqlite/deployment.yaml`, "utf8"));
const container = deployment.spec.template.spec.containers[0];
const limit = Number.parseInt(container.resources.limits.memory, 10);
const heap = /NODE_OPTIONS=(\S+)/.exec(readFileSync(`${root}Dockerfile`, "utf8"))?.[1] ?? "";
const folder = mkdtempSync(join(tmpdir(), "iaip-memory-"));
const concepts = join(folder, "concepts");
cpSync(`${root}concepts`, concepts, { recursive: true });
const args = [
  "serve",
  "--mcp",
  "http:127.0.0.1:0",
  "--greet",
  "--concepts",
  concepts,
  "--ledger",
  join(folder, "l.db"),
];
const env = { ...process.env, NODE_OPTIONS: heap };
const child = spawn(process.execPath, [`${root}dist/iaip-dsl.mjs`, ...args], {
  env,
  stdio: ["ignore", "ignore", "pipe"],
});
const end = Date.now() + seconds * 1_000;
let said = "";
child.once("exit", (code, signal) => {
  if (Date.now() < end + 5_000) note(`THE SERVER ENDED: ${code ?? signal} ${said.slice(-2_000)}`);
});
const url = await new Promise((resolve, reject) => {
  child.stderr.on("data", (chunk) => {
    said += chunk;
    const found = /MCP is served on (\S+)\/mcp/.exec(said)?.[1];
    if (found) resolve(found);
  });
  child.once("exit", () => reject(new Error(said)));
});
const questions = Object.entries(distinctQuestions())
  .flatMap(([tool, list]) => list.map((given, index) => ({ tool, arguments: given, index })))
  .sort((a, b) => a.index - b.index);
const hostile = [">", "- ", "https://a.b/ ", "<", "`", "word "].map((it) => it.repeat(200_000).slice(0, 500_000));
const seen = { calls: 0, errors: new Map(), reloads: 0, health: [] };
let idle = 0;

await setTimeout(2_000);
idle = status("VmRSS");
await Promise.all([...Array.from({ length: 32 }, (_, it) => client(it)), reload(), probe()]);
const peak = status("VmHWM");
await setTimeout(5_000);
console.log(
  `${seen.calls} calls of 32 clients and ${seen.reloads} reloads in ${seconds} s, ${heap || "no heap limit"}`,
);
console.log(
  `  resident: ${idle} MiB idle, ${peak} MiB at most, ${status("VmRSS")} MiB 5 s after; the manifests' limit is ${limit} MiB`,
);
const longest = Math.max(...seen.health);
console.log(
  `  /healthz: ${seen.health.length} answers, the longest wait ${(longest / 1_000).toFixed(2)} s; a probe waits ${container.livenessProbe.timeoutSeconds} s`,
);
for (const [what, count] of seen.errors) console.log(`  ${count} × ${what}`);
child.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

async function client(number) {
  for (let round = number; Date.now() < end; round += 32) {
    const question = questions[round % questions.length];
    const text = { tool: "iaip_validate_terminology", arguments: { text: hostile[round % hostile.length] } };
    const { tool, arguments: given } = !plain && round % 67 === 0 ? text : question;
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: given } };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    try {
      const answer = await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
      await answer.text();
      if (answer.status === 200) seen.calls++;
      else note(`status ${answer.status}`);
    } catch (error) {
      note(String(error.cause?.code ?? error.message));
    }
  }
}

async function reload() {
  const file = join(concepts, "vocabulary.yaml");
  for (const text = readFileSync(file, "utf8"); Date.now() < end; seen.reloads++) {
    writeFileSync(file, `${text}# ${seen.reloads}\n`);
    await setTimeout(1_000);
  }
}

async function probe() {
  while (Date.now() < end) {
    const started = performance.now();
    await fetch(`${url}/healthz`).then(
      (it) => it.text(),
      () => note("no answer of /healthz"),
    );
    seen.health.push(performance.now() - started);
    await setTimeout(100);
  }
}

function note(what) {
  seen.errors.set(what, (seen.errors.get(what) ?? 0) + 1);
}

/** Mebibytes. */
function status(field) {
  if (child.exitCode !== null || child.signalCode !== null) return Number.NaN;
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Math.round(Number(found?.[1]) / 1_024);
}
