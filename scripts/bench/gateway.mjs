// Echo through the gateway and the adapter against direct, supergateway and mcp-proxy, in one run on one server.
//   node scripts/bench/gateway.mjs [rounds]
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createServer } from "node:net";
import { cpus, loadavg } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = `${root}node_modules/.cache/iaip-bench-gateway`;
const echo = fileURLToPath(new URL("echo-server.mjs", import.meta.url));
const rounds = Number(process.argv[2] ?? 3);
const sequential = 400;
const concurrent = 2_000;
const inFlight = 32;
const text = "x".repeat(64);
const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

mkdirSync(cache, { recursive: true });
const cli = `${cache}/cli.mjs`;
await build({
  absWorkingDir: root,
  entryPoints: ["src/main.ts"],
  outfile: cli,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
  },
  external: ["better-sqlite3", "pg-native"],
  define: { __VERSION__: '"bench"' },
  logLevel: "error",
});
const versions = installOthers();
const configFile = `${cache}/mcp-servers.json`;
writeFileSync(
  configFile,
  JSON.stringify({ servers: [{ name: "echo", toolsPrefix: "e", command: process.execPath, args: [echo] }] }),
);

/** The other gateways, at the versions that scripts/clients pins. */
function installOthers() {
  const pinned = JSON.parse(readFileSync(`${root}scripts/clients/package.json`, "utf8")).dependencies;
  const wanted = { supergateway: pinned.supergateway, "mcp-proxy": pinned["mcp-proxy"] };
  const manifest = JSON.stringify({ private: true, dependencies: wanted });
  const file = `${cache}/package.json`;
  if (!existsSync(`${cache}/node_modules`) || readFileSync(file, "utf8") !== manifest) {
    writeFileSync(file, manifest);
    execFileSync("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: cache,
      stdio: ["ignore", 2, 2],
    });
  }
  return wanted;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const bin = (name) => {
  const { bin } = JSON.parse(readFileSync(`${cache}/node_modules/${name}/package.json`, "utf8"));
  return `${cache}/node_modules/${name}/${typeof bin === "string" ? bin : bin[name]}`;
};

const targets = [
  { name: "direct stdio", tool: "echo", stdio: [echo] },
  { name: "our gateway, stdio", tool: "e_echo", stdio: [cli, "gateway", "--config", configFile] },
  {
    name: "our gateway, HTTP",
    tool: "e_echo",
    http: (port) => [cli, "gateway", "--config", configFile, "--http", `127.0.0.1:${port}`],
  },
  {
    name: "our adapter, HTTP",
    tool: "echo",
    http: (port) => [cli, "adapt", "--port", port, "--", process.execPath, echo],
  },
  {
    name: `supergateway ${versions.supergateway}, HTTP`,
    tool: "echo",
    http: (port) => [
      bin("supergateway"),
      "--stdio",
      `${process.execPath} ${echo}`,
      "--outputTransport",
      "streamableHttp",
      "--stateful",
      "--port",
      port,
      "--logLevel",
      "none",
    ],
  },
  {
    name: `mcp-proxy ${versions["mcp-proxy"]}, HTTP`,
    tool: "echo",
    http: (port) => [bin("mcp-proxy"), "--port", port, "--host", "127.0.0.1", "--", process.execPath, echo],
  },
];

const results = new Map(targets.map(({ name }) => [name, { p50: [], p95: [], rate: [], cpu: [] }]));
console.log(
  `node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(2)}; ${rounds} rounds of ${sequential} calls one by one and ${concurrent} with ${inFlight} in flight`,
);
for (let round = 0; round < rounds; round++) {
  for (const target of targets) {
    const client = target.stdio === undefined ? await httpClient(target) : await stdioClient(target);
    const { p50, p95, rate, cpu } = await measure(client, target.tool);
    const kept = results.get(target.name);
    kept.p50.push(p50);
    kept.p95.push(p95);
    kept.rate.push(rate);
    kept.cpu.push(cpu);
    await client.close();
  }
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const direct = median(results.get("direct stdio").p50);
console.log(
  "| through | p50 ms | p95 ms | p50 added ms | calls/s at 32 in flight | its own CPU ms a call |\n|---|---|---|---|---|---|",
);
for (const [name, { p50, p95, rate, cpu }] of results) {
  console.log(
    `| ${name} | ${median(p50).toFixed(2)} | ${median(p95).toFixed(2)} | ${(median(p50) - direct).toFixed(2)} | ${Math.round(median(rate))} | ${median(cpu).toFixed(2)} |`,
  );
}
const added = (start) => median([...results].find(([name]) => name.startsWith(start))[1].p50) - direct;
const rateOf = (start) => median([...results].find(([name]) => name.startsWith(start))[1].rate);
for (const ours of ["our gateway, HTTP", "our adapter, HTTP"]) {
  const share = added(ours) / added("mcp-proxy");
  const best = Math.max(rateOf("mcp-proxy"), rateOf("supergateway"));
  console.log(
    `${ours}: p50 added is ${share.toFixed(2)} of mcp-proxy's (aim: at most 0.33); ${(rateOf(ours) / best).toFixed(1)} times the calls a second of the better of the two (aim: more than 1)`,
  );
}

async function measure(client, tool) {
  const call = () => client.request("tools/call", { name: tool, arguments: { text } });
  for (let i = 0; i < 100; i++) await call();
  const times = [];
  const cpuBefore = cpuMs(client.pid);
  for (let i = 0; i < sequential; i++) {
    const began = performance.now();
    const { result } = await call();
    times.push(performance.now() - began);
    if (result.content[0].text !== text) throw new Error("another answer came back");
  }
  times.sort((a, b) => a - b);
  let left = concurrent;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await call();
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  return {
    p50: times[Math.floor(times.length * 0.5)],
    p95: times[Math.floor(times.length * 0.95)],
    rate: concurrent / seconds,
    cpu: (cpuMs(client.pid) - cpuBefore) / (sequential + concurrent),
  };
}

/** CPU time of a process so far, which the load of the machine does not change as it changes the clock; Linux only. */
function cpuMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function stdioClient({ stdio }) {
  const child = spawn(process.execPath, stdio, { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  let next = 1;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(next, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: next++, method, params })}\n`);
    });
  await request("initialize", hello);
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  await request("tools/list", {});
  const close = async () => {
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.stdin.end();
    await ended;
  };
  return { request, close, pid: child.pid };
}

async function httpClient(target) {
  const port = await freePort();
  const child = spawn(process.execPath, target.http(String(port)), { stdio: "ignore" });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  let session;
  let next = 1;
  const post = (message) =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      if (session !== undefined)
        Object.assign(headers, { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" });
      const request = http.request(
        { host: "127.0.0.1", port, path: "/mcp", method: "POST", agent, headers },
        (response) => {
          session ??= response.headers["mcp-session-id"];
          let body = "";
          response.setEncoding("utf8");
          response.on("data", (chunk) => (body += chunk));
          response.on("end", () => {
            if (message.id === undefined) return resolve(undefined);
            const line = body.startsWith("{")
              ? body
              : body
                  .split("\n")
                  .findLast((one) => one.startsWith("data: {"))
                  ?.slice(6);
            if (line === undefined) return reject(new Error(`${response.statusCode} ${body}`));
            resolve(JSON.parse(line));
          });
          response.on("error", reject);
        },
      );
      request.on("error", reject);
      request.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
    });
  const request = (method, params) => post({ id: next++, method, params });
  for (let tries = 0; ; tries++) {
    try {
      await request("initialize", hello);
      break;
    } catch (error) {
      if (tries > 400) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await post({ method: "notifications/initialized" });
  await request("tools/list", {});
  const close = async () => {
    agent.destroy();
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), 5_000).unref();
    await ended;
  };
  return { request, close, pid: child.pid };
}
