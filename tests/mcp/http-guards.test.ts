import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { openAccess } from "../../src/http/auth/open-access.ts";
import { isAllowedHost } from "../../src/http/host-guard.ts";
import { ClientLimits, defaultLimits } from "../../src/http/limits.ts";
import { isAllowedOrigin } from "../../src/http/origin-guard.ts";
import { call, hello, type Options, post, request, startHttp } from "./http-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(options: Options = {}) {
  const server = await startHttp(options);
  closers.push(server.close);
  return server;
}

/** A request with exactly these headers: `fetch` would not send a Host of ours. */
function raw(url: string, headers: Record<string, string>, body?: string, method = "POST") {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, setHost: !("host" in headers) }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const ping = JSON.stringify(request("ping"));

describe("Host and Origin", () => {
  it.each([
    ["localhost", true],
    ["LOCALHOST:80", true],
    ["127.0.0.1:7331", true],
    ["[::1]:7331", true],
    ["[::1]", true],
    ["iaip.ns.svc:80", true],
    ["a.b.svc.", true],
    ["svc", false],
    [".svc", false],
    ["evil.example", false],
    ["localhost.evil.example", false],
    ["evil.example#localhost", false],
    ["localhost@evil.example", false],
    ["127.0.0.1.evil.example", false],
    ["[::1].evil.example", false],
    ["", false],
    [undefined, false],
  ])("of %s is welcome: %s", (host, welcome) => {
    expect(isAllowedHost(host, ["localhost", "127.0.0.1", "[::1]", "*.svc"])).toBe(welcome);
  });

  it.each([
    [undefined, true],
    ["http://localhost:3000", true],
    ["https://127.0.0.1", true],
    ["http://[::1]:5", true],
    ["https://notes.example", true],
    ["null", false],
    ["http://evil.example", false],
    ["https://notes.example.evil", false],
    ["http://notes.example", false],
    ["file://localhost", false],
    ["", false],
  ])("a page of %s may ask: %s", (origin, welcome) => {
    expect(isAllowedOrigin(origin, { allowed: ["https://notes.example"], loopback: true })).toBe(welcome);
  });

  it.each(["/mcp", "/", "/sse", "/messages", "/metrics", "/rules/x"])(
    "are checked on %s before anything else",
    async (path) => {
      const { url } = await open({ rulePage: () => "<p>" });
      const method = ["/sse", "/metrics", "/rules/x"].includes(path) ? "GET" : "POST";
      for (const headers of [{ host: "evil.example" }, { origin: "http://evil.example" }, { origin: "null" }]) {
        const answer = await raw(
          `${url}${path}`,
          { ...json, ...headers },
          method === "POST" ? ping : undefined,
          method,
        );
        expect(answer.status).toBe(403);
        expect(JSON.parse(answer.text).error.message).toMatch(/Invalid (Host|Origin)/);
      }
    },
  );

  it("leave probes alone, which come by address", async () => {
    const { url } = await open();
    expect((await raw(`${url}/healthz`, { host: "10.1.2.3:7331" }, undefined, "GET")).status).toBe(200);
  });

  it("give CORS headers to origins that were named, and to no other", async () => {
    const { mcp } = await open({ allowOrigins: ["https://notes.example"] });
    const named = await raw(mcp, { ...json, origin: "https://notes.example" }, ping);
    expect(named.headers["access-control-allow-origin"]).toBe("https://notes.example");
    const preflight = await raw(mcp, { origin: "https://notes.example" }, undefined, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toContain("mcp-session-id");
    const local = await raw(mcp, { ...json, origin: "http://localhost:3000" }, ping);
    expect(local.status).toBe(200);
    expect(local.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("What a request may be", () => {
  const bytes = (size: number) => JSON.stringify(call("echo", { text: "x".repeat(size) }));

  it.each(["/mcp", "/", "/messages"])("up to 4 MiB on %s, and JSON", async (path) => {
    const { url } = await open();
    const where = `${url}${path}`;
    for (const size of [99_000, 101_000, 3_900_000]) {
      const answer = await post(where, bytes(size));
      // No session stands behind a bare POST to /messages; the body is read all the same.
      expect(answer.status).toBe(path === "/messages" ? 404 : 200);
    }
    for (const size of [4_300_000, 5_000_000]) {
      const answer = await post(where, bytes(size)).catch(() => undefined);
      // A client still sending may find the connection closed before it reads why.
      if (answer !== undefined) expect([404, 413]).toContain(answer.status);
      if (answer?.status === 413) expect(answer.json.error.message).toContain("4194304");
    }
    if (path === "/messages") return;
    for (const broken of ["{", "", '{"jsonrpc":"2.0"', "\u0000"]) {
      const answer = await post(where, broken);
      expect([answer.status, answer.json.error.code]).toEqual([400, -32700]);
      expect(answer.text).not.toMatch(/<html|at .*\.js/i);
    }
    for (const strange of ["5", '"x"', "null", "{}", '{"jsonrpc":"2.0","id":null,"method":"ping"}']) {
      expect((await post(where, strange)).status).toBe(400);
    }
    expect((await post(where, ping, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("at most a hundred headers", async () => {
    const { mcp } = await open();
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x-${index}`, "1"]));
    const answer = await raw(mcp, { ...json, ...many }, ping);
    expect([answer.status, JSON.parse(answer.text).error.message]).toEqual([431, expect.stringContaining("100")]);
  });

  it("only at an address that exists, with a method it takes", async () => {
    const { url } = await open();
    expect((await post(`${url}/nothing`, ping)).status).toBe(404);
    expect((await post(`${url}//mcp`, ping)).status).toBe(200);
    const put = await fetch(`${url}/mcp`, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "POST, GET, DELETE"]);
    const get = await fetch(`${url}/mcp`, { headers: { accept: "text/event-stream" } });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("Clients that take too much", () => {
  it("have a bucket that refills, and a bounded number of strangers is remembered", () => {
    let now = 0;
    const limits = new ClientLimits({ ...defaultLimits, requestsPerSecond: 10 }, () => now);
    const waits = Array.from({ length: 21 }, () => limits.wait("a"));
    expect(waits.slice(0, 20).every((wait) => wait === 0)).toBe(true);
    expect(waits[20]).toBe(100);
    expect(limits.wait("b")).toBe(0);
    now += 100;
    expect(limits.wait("a")).toBe(0);
  });

  it("are told when to come back, and the others are served", async () => {
    const { mcp } = await open({ limits: { requestsPerSecond: 5, concurrentCalls: 2 } });
    const slow = [post(mcp, call("slow", { text: "300" })), post(mcp, call("slow", { text: "300" }))];
    await expect.poll(async () => (await post(mcp, call("echo"))).status, { interval: 20, timeout: 250 }).toBe(429);
    expect((await Promise.all(slow)).every(({ status }) => status === 200)).toBe(true);
    const many = await Promise.all(Array.from({ length: 20 }, () => post(mcp, ping)));
    const refused = many.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("get an answer of bounded size, with the reason", async () => {
    const { mcp } = await open({ limits: { answerBytes: 100_000 } });
    const answer = await post(mcp, call("big", { text: "200000" }, 7));
    expect(answer.json).toMatchObject({ id: 7, error: { message: expect.stringContaining("Ask for less") } });
  });

  it("are let go when they send slowly, never read, or stay half open", async () => {
    const { url } = await open({ limits: { headersMs: 100, bodyMs: 200, stalledMs: 600 }, keepAliveMs: 100 });
    const port = Number(new URL(url).port);
    const slowHead = await talk(port, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
    const slowBody = await talk(
      port,
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    const silent = await talk(port, "");
    const body = JSON.stringify(call("big", { text: "4000000" }));
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${json.accept}\r\n`;
    const deaf = await talk(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(8));
    deaf.socket.pause();
    expect(await slowHead.said).toContain("408");
    expect(await slowBody.said).toContain("408");
    await silent.said;
    // Three calls take longer than a stalled peer is kept; its eight answers are 64 MB, more than sockets hold.
    for (let index = 0; index < 3; index += 1) await post(`${url}/mcp`, call("slow", { text: "400" }));
    deaf.socket.resume();
    expect((await deaf.said).length).toBeLessThan(60_000_000);
    expect((await post(`${url}/mcp`, ping)).status).toBe(200);
  }, 15_000);

  /** A bare socket that says this much. `said` settles with what it heard when the server has closed. */
  async function talk(port: number, text: string) {
    const socket: Socket = connect(port, "127.0.0.1");
    closers.push(() => socket.destroy());
    socket.on("error", () => {});
    const heard: Buffer[] = [];
    socket.on("data", (chunk) => heard.push(chunk));
    const said = new Promise<string>((resolve) => socket.on("close", () => resolve(Buffer.concat(heard).toString())));
    await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
    socket.write(text);
    return { socket, said };
  }
});

describe("Where a server may be reached", () => {
  it("is this machine alone, unless somebody says who may come in", async () => {
    await expect(openAccess({ host: "0.0.0.0", log: silentLog })).rejects.toThrow(/--token-file.*--allow-anonymous/);
    const warned: string[] = [];
    const access = await openAccess({
      host: "0.0.0.0",
      allowAnonymous: true,
      log: (level, message) => warned.push(`${level} ${message}`),
    });
    expect(access).toMatchObject({ kind: "everyone", caller: { kind: "anonymous" } });
    expect(warned).toEqual([expect.stringMatching(/^warn anyone who reaches 0\.0\.0\.0/)]);
  });

  it("serves an anonymous caller what is open, and records nothing for it", async () => {
    const access = await openAccess({ host: "0.0.0.0", allowAnonymous: true, log: silentLog });
    const { mcp, ledger } = await open({ access, allowHosts: ["iaip.svc"] });
    expect((await post(mcp, call("echo", { text: "hi" }))).json.result.isError).toBeUndefined();
    const log = (await post(mcp, call("log", { text: "x" }))).json.result;
    expect([log.isError, ledger.kept.length]).toEqual([true, 0]);
    expect((await raw(mcp, { ...json, host: "iaip.svc:80" }, ping)).status).toBe(200);
  });

  it("gives the local caller the protocols that were granted by name, and no other", async () => {
    const access = await openAccess({ host: "localhost", grant: ["circle"], log: silentLog });
    const granted = await open({ access });
    expect((await post(granted.mcp, call("protocols"))).json.result.structuredContent).toEqual({ said: "circle" });
    const plain = await open();
    expect((await post(plain.mcp, call("protocols"))).json.result.structuredContent).toEqual({ said: "" });
  });

  it("never believes X-Forwarded-For", async () => {
    const { mcp } = await open({ limits: { requestsPerSecond: 2 } });
    const from = (n: number) => post(mcp, ping, { "x-forwarded-for": `10.0.0.${n}`, forwarded: `for=10.0.0.${n}` });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => from(index)));
    expect(answers.some(({ status }) => status === 429)).toBe(true);
  });

  it("tells by its code that its port is taken", async () => {
    const { url } = await open();
    await expect(startHttp({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("Bodies and paths", () => {
  it("answers a body of 4.5 MiB with 413 that its sender can read", async () => {
    const { mcp } = await open();
    const body = JSON.stringify({ ...hello, padding: "x".repeat(4.5 * 1024 * 1024) });
    for (let round = 0; round < 5; round += 1) {
      const refused = await post(mcp, body);
      expect([refused.status, refused.json.error.message]).toEqual([413, expect.stringContaining("at most")]);
    }
  });

  it("serves a path with a slash at its end as the path itself", async () => {
    const { url } = await open();
    expect((await post(`${url}/mcp/`, hello)).status).toBe(200);
    expect((await fetch(`${url}/readyz/`)).status).toBe(200);
    expect((await fetch(`${url}/nothing/`)).status).toBe(404);
  });
});

describe("Probes and pages", () => {
  it("is ready once a vocabulary has loaded and while the ledger can be written", async () => {
    let trouble: string | undefined = "the disk is full";
    const probeLedger = async () => {
      if (trouble !== undefined) throw new Error(trouble);
    };
    const { url, hand } = await open({ loaded: false, probeLedger });
    const ready = async () => {
      const answer = await fetch(`${url}/readyz`);
      return { status: answer.status, body: (await answer.json()) as { waits: string[]; broken_files: string[] } };
    };
    expect(await ready()).toMatchObject({
      status: 503,
      body: { waits: [expect.any(String), expect.stringMatching(/disk/)] },
    });
    hand.turn();
    trouble = undefined;
    await expect.poll(async () => (await ready()).status, { timeout: 3000 }).toBe(200);
    expect((await ready()).body.broken_files).toEqual(["vocabulary.yaml"]);
  });

  it("counts calls, latencies and errors by tool, with labels from the surface alone", async () => {
    const { url, mcp } = await open();
    await post(mcp, hello);
    for (const name of ["echo", "refuse", "break", "evil{}\n"]) await post(mcp, call(name));
    await post(mcp, call("log", { text: "x" }));
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('iaip_tool_calls_total{tool="echo",outcome="ok"} 1');
    expect(text).toContain('iaip_tool_calls_total{tool="refuse",outcome="refused"} 1');
    expect(text).toContain('iaip_tool_calls_total{tool="break",outcome="failed"} 1');
    expect(text).toContain('iaip_tool_calls_total{tool="unknown",outcome="unknown"} 1');
    expect(text).toContain('iaip_ledger_writes_total{outcome="recorded"} 1');
    expect(text).toContain('iaip_tool_call_seconds_bucket{le="0.1",tool="echo"} 1');
    expect(text).not.toContain("evil");
    // How many files are watched would say how many there are.
    expect(text).not.toContain("active_resources");
    expect(text).not.toContain("active_handles");
  });

  it("shows a rule's page and nothing else below it", async () => {
    const { url } = await open({ rulePage: (id) => (id === "gap.term" ? "<p>why</p>" : undefined) });
    const page = await fetch(`${url}/rules/gap.term`);
    expect([page.status, await page.text()]).toEqual([200, "<p>why</p>"]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const path of ["/rules/none", "/rules/", "/rules/%zz", "/rules/../mcp%2f"]) {
      expect([400, 404, 405]).toContain((await fetch(`${url}${path}`)).status);
    }
  });
});
