import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { type AdapterOptions, serveAdapter } from "../../src/gateway/adapter.ts";
import type { ServedHttp } from "../../src/gateway/serve-http.ts";
import { isAlive, logged, pidsIn, stubPath, until } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "adapter-"));
const full = process.env.IAIP_LONG === "1";
const served: ServedHttp[] = [];
let logs = 0;

afterEach(async () => {
  await Promise.all(served.splice(0).map((one) => one.close()));
});
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

async function adapt(env: Record<string, string> = {}, more: Partial<AdapterOptions> = {}) {
  const log = join(folder, `log-${logs++}`);
  const adapter = await serveAdapter({
    name: "stub",
    command: process.execPath,
    args: [stubPath],
    env: { STUB_LOG: log, ...env },
    environment: { PATH: process.env.PATH },
    timeout: 2_000,
    host: "127.0.0.1",
    port: 0,
    access: { kind: "everyone", caller: localCaller() },
    version: "1",
    timeouts: { firstRetry: 100 },
    log: silentLog,
    now: Date.now,
    ...more,
  });
  served.push(adapter);
  return { url: adapter.url, log, adapter };
}

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function post(url: string, body: unknown, path = "/", more: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(url + path, { method: "POST", headers: { ...headers, ...more }, body: text });
  const answer = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    answer,
    session: response.headers.get("mcp-session-id"),
  };
}

const call = (id: unknown, name: string, args: object = {}, more: object = {}) => {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...more } };
};
const textOf = (answer: string) => JSON.parse(answer).result.content[0].text;
const probe = async (url: string, path: string) => {
  const response = await fetch(url + path);
  return [response.status, await response.json()];
};

describe("the adapter's endpoints", () => {
  it("answers at / and /mcp with plain JSON, without a session or a handshake", async () => {
    const { url } = await adapt();
    for (const path of ["/", "/mcp"]) {
      const { status, type, answer } = await post(url, call(7, "echo", { text: "héllo" }), path);
      expect([status, type]).toEqual([200, "application/json"]);
      expect(JSON.parse(answer)).toEqual({
        jsonrpc: "2.0",
        id: 7,
        result: { content: [{ type: "text", text: "héllo" }] },
      });
    }
  });

  it("says on /healthz and /readyz whether the server runs and has listed its tools", async () => {
    const flag = join(folder, "may-live");
    const { url, log } = await adapt({ STUB_DIE_UNLESS: flag });
    await until(async () => (await probe(url, "/healthz"))[0] === 503);
    expect(await probe(url, "/healthz")).toEqual([503, { status: "not alive" }]);
    expect(await probe(url, "/readyz")).toEqual([503, { status: "not ready" }]);
    const refused = await post(url, call(1, "echo", { text: "x" }));
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.answer).error).toMatch(/^upstream "stub" is not available: /);
    writeFileSync(flag, "");
    await until(async () => (await probe(url, "/readyz"))[0] === 200);
    expect(await probe(url, "/healthz")).toEqual([200, { status: "ok" }]);
    expect(await probe(url, "/readyz")).toEqual([200, { status: "ready" }]);
    expect(logged(log)).toContain("tools/list");
  });

  it("answers notifications with 200 and a body for clients that name no revision, with 202 for others", async () => {
    const { url } = await adapt();
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect(await post(url, note)).toMatchObject({ status: 200, answer: '{"jsonrpc":"2.0"}' });
    expect(await post(url, note, "/", { "mcp-protocol-version": "2025-06-18" })).toMatchObject({
      status: 202,
      answer: "",
    });
  });

  it("mends envelopes that lack jsonrpc or id", async () => {
    const { url } = await adapt();
    const { jsonrpc: _, ...bare } = call(1, "echo", { text: "a" });
    expect(textOf((await post(url, bare)).answer)).toBe("a");
    const { id: __, ...nameless } = bare;
    expect(textOf((await post(url, nameless)).answer)).toBe("a");
  });

  it("says what is wrong with a body in JSON-RPC", async () => {
    const { url } = await adapt();
    expect(await post(url, "{")).toMatchObject({ status: 400, answer: expect.stringContaining("-32700") });
    expect(await post(url, "[]")).toMatchObject({ status: 400, answer: expect.stringContaining("-32600") });
    expect(await post(url, "x".repeat(4 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
    expect(await post(url, call(1, "echo"), "/", { "mcp-protocol-version": "1999-01-01" })).toMatchObject({
      status: 400,
    });
    expect(await post(url, call(1, "echo"), "/", { "mcp-session-id": "own-gone" })).toMatchObject({ status: 404 });
    expect((await fetch(url)).status).toBe(405);
  });

  it("refuses foreign Hosts and Origins, and takes the ones it was told of", async () => {
    const { url } = await adapt({}, { allowHosts: ["*.svc"] });
    const { port } = new URL(url);
    const as = (host: string, origin?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = { ...headers, host, ...(origin === undefined ? {} : { origin }) };
        httpRequest({ port, host: "127.0.0.1", method: "POST", path: "/", headers: sent }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end(JSON.stringify(call(1, "echo", { text: "x" })));
      });
    expect(await as("evil.example")).toBe(403);
    expect(await as("stub.tools.svc:8080")).toBe(200);
    expect(await as("127.0.0.1", "https://evil.example")).toBe(403);
  });

  it("gives the handshake of the server itself, in the client's revision", async () => {
    const { url } = await adapt();
    const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "old", version: "1" } };
    const { answer, session } = await post(url, { jsonrpc: "2.0", id: 1, method: "initialize", params });
    expect(JSON.parse(answer).result).toMatchObject({
      protocolVersion: "2024-11-05",
      serverInfo: { name: "stub", version: "1" },
      instructions: "A stub.",
    });
    const list = await post(url, { jsonrpc: "2.0", id: 2, method: "tools/list" }, "/", { "mcp-session-id": session! });
    expect(JSON.parse(list.answer).result.tools[0].name).toBe("echo");
  });

  it("passes on what it does not know", async () => {
    const { url, log } = await adapt();
    expect(JSON.parse((await post(url, { jsonrpc: "2.0", id: 1, method: "custom/thing" })).answer).error.code).toBe(
      -32601,
    );
    await post(url, { jsonrpc: "2.0", method: "notifications/custom" });
    await until(() => logged(log).includes("notifications/custom"));
    const task = await post(url, { jsonrpc: "2.0", id: 2, method: "tasks/get", params: { taskId: "t" } });
    expect(JSON.parse(task.answer).result.status).toBe("completed");
  });
});

describe("answers", () => {
  it("go to the caller that asked, whatever ids the callers choose and however late others answer", async () => {
    const { url } = await adapt();
    const waits = Array.from({ length: full ? 240 : 60 }, (_, index) => (index * 7) % 40);
    const answers = await Promise.all(
      waits.map(async (ms, index) => {
        const slow = index % 2 === 0;
        const sent = slow ? call(1, "slow", { ms: ms + 1 }) : call(1, "echo", { text: `caller ${index}` });
        return { answer: textOf((await post(url, sent)).answer), wanted: slow ? `slept ${ms + 1}` : `caller ${index}` };
      }),
    );
    for (const { answer, wanted } of answers) expect(answer).toBe(wanted);
  });

  it("are never another's after one came too late", async () => {
    const { url, log } = await adapt({}, { timeout: 300 });
    const late = await post(url, call(1, "slow", { ms: 700 }));
    expect(late.status).toBe(502);
    expect(JSON.parse(late.answer).error).toMatch(/^upstream "stub" gave no answer: no answer within 0\.\d s$/);
    await until(() => logged(log).includes("cancelled"));
    for (let index = 0; index < 20; index++) {
      expect(textOf((await post(url, call(1, "echo", { text: `n${index}` }))).answer)).toBe(`n${index}`);
    }
  });

  it("are plain JSON while the server logs between them, and a stream only for who asked for progress", async () => {
    const { url } = await adapt();
    const talked = await post(url, call(1, "talk", { lines: 50 }));
    expect(talked.type).toBe("application/json");
    const plain = await post(url, call(2, "slow", { ms: 60, step: 20 }));
    expect(plain.type).toBe("application/json");
    const streamed = await post(url, call(3, "slow", { ms: 60, step: 20 }, { _meta: { progressToken: "p" } }));
    expect(streamed.type).toBe("text/event-stream");
    const events = streamed.answer
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)));
    expect(events.at(-1)).toMatchObject({ id: 3, result: { content: [{ text: "slept 60" }] } });
    for (const event of events.slice(0, -1))
      expect(event).toMatchObject({ method: "notifications/progress", params: { progressToken: "p" } });
    expect(events.length).toBeGreaterThan(1);
  });

  it("are given in one array to a body that is one", async () => {
    const { url } = await adapt();
    const { answer } = await post(url, [
      call(1, "echo", { text: "a" }),
      call("two", "echo", { text: "b" }),
      { jsonrpc: "2.0", method: "notifications/x" },
    ]);
    const sorted = JSON.parse(answer).sort((a: { id: unknown }, b: { id: unknown }) =>
      String(a.id).localeCompare(String(b.id)),
    );
    expect(
      sorted.map((one: { id: unknown; result: { content: { text: string }[] } }) => [
        one.id,
        one.result.content[0]!.text,
      ]),
    ).toEqual([
      [1, "a"],
      ["two", "b"],
    ]);
  });
});

describe("the adapted process", () => {
  it("gets its arguments as they are, commas and spaces too", async () => {
    const odd = ["a,b", "c d", "--x=1,2", "", "é'\"$HOME"];
    const { url } = await adapt({}, { args: [stubPath, ...odd] });
    expect(JSON.parse(textOf((await post(url, call(1, "args"))).answer))).toEqual(odd);
  });

  it("gets of the environment what is on the list, what it was given, and nothing else", async () => {
    const environment = {
      PATH: process.env.PATH,
      LC_ALL: "C",
      NODE_ENV: "test",
      SSL_CERT_FILE: "/x",
      AWS_SECRET_ACCESS_KEY: "secret",
      MY_TOKEN: "secret",
    };
    const { url, log } = await adapt({ GIVEN: "yes" }, { environment });
    const seen = JSON.parse(textOf((await post(url, call(1, "env"))).answer));
    expect(seen).toEqual({
      PATH: process.env.PATH,
      LC_ALL: "C",
      NODE_ENV: "test",
      SSL_CERT_FILE: "/x",
      GIVEN: "yes",
      STUB_LOG: log,
    });
  });

  it("is started again after it ended in mid-call, and that call is told so", async () => {
    const { url, log } = await adapt();
    const [died, hung] = await Promise.all([post(url, call(1, "die")), post(url, call(2, "hang"))]);
    expect([died.status, hung.status]).toEqual([502, 502]);
    expect(JSON.parse(died.answer).error).toMatch(/gave no answer: .* ended with exit code 9/);
    await until(async () => (await probe(url, "/readyz"))[0] === 200 && pidsIn(log, "start").length === 2);
    expect(textOf((await post(url, call(3, "echo", { text: "back" }))).answer)).toBe("back");
  });

  it("is started again after ever longer waits while it keeps ending", async () => {
    const { log } = await adapt(
      { STUB_DIE_UNLESS: join(folder, "never") },
      { timeouts: { firstRetry: 40, lastRetry: 320 } },
    );
    const at: number[] = [];
    await until(() => {
      if (pidsIn(log, "start").length > at.length) at.push(Date.now());
      return at.length >= 6;
    });
    const waits = at.slice(1).map((time, index) => time - at[index]!);
    expect(waits.at(-1)!).toBeGreaterThan(waits[0]!);
    expect(waits.at(-1)!).toBeGreaterThanOrEqual(300);
  });

  it("may say a lot on stderr", async () => {
    const { url } = await adapt({ STUB_STDERR: "1024" });
    expect(textOf((await post(url, call(1, "echo", { text: "heard" }))).answer)).toBe("heard");
  });

  it("is ended with everything it started, by SIGKILL where it does not listen", async () => {
    const { url, log, adapter } = await adapt({ STUB_GRANDCHILD: "1", STUB_STUBBORN: "1" });
    await post(url, call(1, "echo", { text: "x" }));
    await adapter.close();
    expect(logged(log)).toContain("sigterm");
    expect([...pidsIn(log, "start"), ...pidsIn(log, "grandchild")].map(isAlive)).toEqual([false, false]);
  }, 20_000);
});
