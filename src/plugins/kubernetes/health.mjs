// Asks /healthz of the server that is process 1 of this container, at the address, on the port and by the protocol that
// its command line and environment name. A server on stdio listens nowhere: that it runs is its health.
// node health.mjs [FILE]      FILE holds a command line as /proc/1/cmdline does
import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

const args = readFileSync(process.argv[2] ?? "/proc/1/cmdline", "utf8").split("\0");
const target = listenTarget(args, process.env);
if (target === undefined) process.exit(0);
const timeout = setTimeout(() => fail("no answer within 4 seconds"), 4_000);
const tls = valueOf(args, "--tls-cert") ?? process.env.IAIP_DSL_TLS_CERT;
// The certificate names the server as clients know it, not this address; nothing secret is sent.
const options = { ...target, path: "/healthz", agent: false, ...(tls ? { rejectUnauthorized: false } : {}) };
(tls ? requestHttps : requestHttp)(options, (response) => {
  clearTimeout(timeout);
  if (response.statusCode !== 200) fail(`/healthz says ${response.statusCode}`);
  process.exit(0);
})
  .on("error", (error) => fail(error.message))
  .end();

function fail(reason) {
  const { host, port } = target;
  process.stderr.write(`not healthy: ${tls ? "https" : "http"}://${host}:${port}/healthz: ${reason}\n`);
  process.exit(1);
}

function listenTarget(words, env) {
  const command = words.find((it) => ["serve", "gateway", "adapt", "kag"].includes(it));
  if (command === "gateway") return parsed(valueOf(words, "--http"));
  if (command === "serve") return parsed(/^http:(?:\/\/)?(.+)$/.exec(valueOf(words, "--mcp") ?? "")?.[1]);
  if (command === "adapt") return located(valueOf(words, "--host"), valueOf(words, "--port") ?? "8080");
  if (command !== "kag") return undefined;
  const transport = valueOf(words, "--transport") ?? env.KAG_BRIDGE_TRANSPORT ?? "stdio";
  if (!/^(http|streamable-http|sse)$/i.test(transport.trim())) return undefined;
  const port = valueOf(words, "--port") ?? env.KAG_BRIDGE_HTTP_PORT ?? "8890";
  return located(valueOf(words, "--host") ?? env.KAG_BRIDGE_HTTP_HOST, port);
}

/** `--flag VALUE` or `--flag=VALUE`, as far as the program's own words go. */
function valueOf(words, flag) {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  const at = own.findIndex((it) => it === flag || it.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return own[at] === flag ? own[at + 1] : own[at].slice(flag.length + 1);
}

function parsed(address) {
  const found = /^(\[.+\]|[^:]+):(\d+)$/.exec(address ?? "");
  return found === null ? undefined : located(found[1].replace(/^\[|\]$/g, ""), found[2]);
}

/** A server that listens everywhere is asked on loopback. */
function located(host = "127.0.0.1", port) {
  const everywhere = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  return { host: everywhere[host] ?? host, port: Number(port) };
}
