import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { bundledPackages, noticesOf, printNotices } from "../../scripts/notices.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "health-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function health(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const file = join(folder, "cmdline");
  writeFileSync(file, ["node", "/app/dist/iaip-dsl.mjs", ...args, ""].join("\0"));
  const script = join(root, "src/plugins/kubernetes/health.mjs");
  const child = spawn(process.execPath, [script, file], { env: { PATH: process.env.PATH ?? "", ...env } });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, said };
}

async function listening(status: number, tls = false) {
  const pem = (name: string) => readFileSync(join(root, "tests/fixtures/tls", name));
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(request.url === "/healthz" ? status : 404).end();
  const server = tls ? createTlsServer({ cert: pem("cert.pem"), key: pem("key.pem") }, answer) : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test.each([
  ["serve", (port: number) => ["serve", "--mcp", `http:0.0.0.0:${port}`]],
  ["serve with an equals sign", (port: number) => ["serve", `--mcp=http:127.0.0.1:${port}`]],
  ["gateway", (port: number) => ["gateway", "--http", `0.0.0.0:${port}`]],
  ["adapt", (port: number) => ["adapt", "--host", "0.0.0.0", "--port", `${port}`, "--", "x", "--port", "1"]],
  ["kag", (port: number) => ["kag", "--transport", "http", "--port", `${port}`]],
])("the container's health check follows the port of %s", async (_, args) => {
  const server = await listening(200);
  expect(await health(args(server.port))).toEqual({ code: 0, said: "" });
  server.close();
  const gone = await health(args(server.port));
  expect(gone.code).toBe(1);
  expect(gone.said).toContain(`http://127.0.0.1:${server.port}/healthz`);
});

test("the container's health check follows TLS, from a flag or from the environment", async () => {
  const server = await listening(200, true);
  const args = ["serve", "--mcp", `http:0.0.0.0:${server.port}`];
  expect(await health([...args, "--tls-cert", "/c.pem"])).toEqual({ code: 0, said: "" });
  expect(await health(args, { IAIP_DSL_TLS_CERT: "/c.pem" })).toEqual({ code: 0, said: "" });
  expect((await health(args)).code).toBe(1);
  server.close();
});

test("the container's health check fails on another status, and has nothing to ask of a server on stdio", async () => {
  const server = await listening(503);
  expect((await health(["serve", "--mcp", `http:0.0.0.0:${server.port}`])).said).toContain("says 503");
  server.close();
  expect((await health(["serve", "--mcp", "stdio"])).code).toBe(0);
});

test("the notices name each bundled package once, with the text of its licence", () => {
  const inputs = Object.fromEntries(
    ["node_modules/zod/v4/index.js", "node_modules/zod/v4/core.js", "node_modules/@lezer/common/dist/index.js"].map(
      (file) => [file, { bytesInOutput: 1 }],
    ),
  );
  const outputs = {
    "a.mjs": {
      inputs: { ...inputs, "node_modules/yaml/x.js": { bytesInOutput: 0 }, "src/a.ts": { bytesInOutput: 5 } },
    },
  };
  const folders = bundledPackages([{ outputs }]);
  expect(folders).toEqual(["node_modules/@lezer/common", "node_modules/zod"]);
  const printed = printNotices(noticesOf(folders));
  expect(printed.match(/^Licence: MIT$/gm)).toHaveLength(2);
  expect(printed).toContain("Permission is hereby granted");
});
