import { rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { closeGateways, openGateway, scratchFile, stubServer, type TestClient } from "./harness.ts";
import { httpUpstream } from "./http-upstream.ts";
import { isAlive, logged, pidsIn, until } from "./processes.ts";

const full = process.env.IAIP_LONG === "1";
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await closeGateways();
  await Promise.all(cleanups.splice(0).map((one) => one()));
});

const schema = { type: "object" };
const httpTools = [
  { name: "look", inputSchema: schema, annotations: { readOnlyHint: true } },
  { name: "put", inputSchema: schema },
];
async function upstream(tools: readonly object[] = httpTools) {
  const made = await httpUpstream(tools);
  cleanups.push(() => made.stop().catch(() => {}));
  return made;
}
const external = (name: string, url: string, more: object = {}) => ({ name, toolsPrefix: name, url, ...more });
const has = async (client: TestClient, name: string) => (await client.toolNames()).includes(name);
const pidOf = (log: string) => pidsIn(log, "start").at(-1)!;

async function closedPort(): Promise<string> {
  const gone = await upstream();
  await gone.stop();
  return new URL(gone.url).port;
}

describe("an upstream that fails hurts only itself", () => {
  it("while it is dead, silent, slow or talks garbage, the healthy ones are listed and called", async () => {
    const { client, gateway } = openGateway(
      [
        stubServer("dead", {}, { command: "/no/such/command" }),
        external("refused", `http://127.0.0.1:${await closedPort()}/mcp`),
        stubServer("silent", { STUB_SILENT: "1" }),
        stubServer("slow", { STUB_LIST_MS: "7000" }),
        stubServer("garbage", { STUB_GARBAGE: "1" }),
        stubServer("loop", { STUB_LOOP: "1", STUB_PAGE: "3" }),
        stubServer("good"),
      ],
      { timeouts: { listWait: 3_000 } },
    );
    const one = await client();
    const began = Date.now();
    const names = await one.toolNames();
    expect(Date.now() - began).toBeLessThan(6_000);
    expect(new Set(names.map((name) => name.split("_")[0]))).toEqual(new Set(["good"]));
    expect(await one.text("good_echo", { text: "fine" })).toBe("fine");
    const { _meta } = await one.request("tools/list");
    const told = _meta["iaip-dsl/not-ready"] as { name: string; reason: string }[];
    expect(told.map((it) => it.name)).toEqual(["dead", "refused", "silent", "slow", "garbage", "loop"]);
    expect(told[0]?.reason).toContain("could not start /no/such/command");
    const refusal = await one.ask("tools/call", { name: "dead_echo", arguments: {} });
    expect(refusal?.error).toMatchObject({ code: -32000, data: { kind: "unavailable", upstream: "dead" } });
    expect(refusal?.error?.message).toContain("could not start /no/such/command");
    await until(() => one.toldOf("notifications/tools/list_changed").length > 0);
    expect(await has(one, "slow_echo")).toBe(true);
    const status = Object.fromEntries(gateway.status().map((it) => [it.name, it]));
    expect(
      Object.values(status)
        .filter((it) => it.ready)
        .map((it) => it.name),
    ).toEqual(["slow", "good"]);
    expect(status.refused?.error).toContain("ECONNREFUSED");
    expect(status.loop?.error).toContain("twice");
  });

  it("delays no list by being slow once its tools are known", async () => {
    const http = await upstream();
    const client = await openGateway([external("h", http.url)], { timeouts: { refreshWait: 100 } }).client();
    expect(await client.toolNames()).toEqual(["h_look", "h_put"]);
    http.delay = 1_500;
    http.tools = [...httpTools, { name: "more", inputSchema: schema }];
    await new Promise((resolve) => setTimeout(resolve, 60));
    const began = Date.now();
    expect(await client.toolNames()).toEqual(["h_look", "h_put"]);
    expect(Date.now() - began).toBeLessThan(1_200);
    await until(() => client.toldOf("notifications/tools/list_changed").length === 1);
    http.delay = 0;
    expect(await client.toolNames()).toContain("h_more");
  });

  it("is listed once it recovers, however late", async () => {
    const flag = scratchFile("flag");
    const client = await openGateway([stubServer("late", { STUB_DIE_UNLESS: flag })]).client();
    expect(await client.toolNames()).toEqual([]);
    writeFileSync(flag, "");
    await until(() => client.toldOf("notifications/tools/list_changed").length > 0);
    expect(await client.text("late_echo", { text: "here" })).toBe("here");
  });

  it("keeps its tools shown while it comes back, and loses them when it does not", async () => {
    const [log, flag] = [scratchFile("log"), scratchFile("flag")];
    writeFileSync(flag, "");
    const opened = openGateway([stubServer("s", { STUB_LOG: log, STUB_DIE_UNLESS: flag })]);
    const client = await opened.client();
    expect(await has(client, "s_echo")).toBe(true);
    process.kill(pidOf(log), "SIGKILL");
    await until(() => pidsIn(log, "start").length === 2 && opened.gateway.status()[0]?.ready);
    expect(await has(client, "s_echo")).toBe(true);
    expect(client.toldOf("notifications/tools/list_changed")).toEqual([]);
    rmSync(flag);
    process.kill(pidOf(log), "SIGKILL");
    await until(() => opened.gateway.status()[0]?.ready === false);
    expect(await has(client, "s_echo")).toBe(true);
    await until(() => client.toldOf("notifications/tools/list_changed").length === 1);
    expect(await client.toolNames()).toEqual([]);
  });

  it("is tried ever more seldom while it keeps dying right after its list", async () => {
    const log = scratchFile("log");
    const opened = openGateway([stubServer("s", { STUB_LOG: log })], {
      timeouts: { firstRetry: 30, lastRetry: 100_000 },
    });
    const client = await opened.client();
    await client.toolNames();
    const at: number[] = [];
    for (let round = 1; round <= 5; round++) {
      await until(() => pidsIn(log, "start").length === round && opened.gateway.status()[0]?.ready);
      at.push(Date.now());
      process.kill(pidOf(log), "SIGKILL");
    }
    const waits = at.slice(1).map((time, index) => time - at[index]!);
    expect(waits.at(-1)!).toBeGreaterThan(30 * 2 ** 3 - 10);
  });
});

describe("time", () => {
  it("limits each call by its server's own timeout, and leaves the server usable", async () => {
    const log = scratchFile("log");
    const client = await openGateway([stubServer("s", { STUB_LOG: log }, { timeout: 0.3 })]).client();
    const hung = await client.ask("tools/call", { name: "s_hang" });
    expect(hung?.error).toMatchObject({ code: -32001, data: { kind: "timeout", upstream: "s" } });
    expect(hung?.error?.message).toMatch(/^upstream "s" gave no answer: no answer within 0\.\d s$/);
    expect(await client.text("s_echo", { text: "x" })).toBe("x");
    await until(() => logged(log).includes("cancelled"));
    expect(pidsIn(log, "start")).toHaveLength(1);
  });

  it("is extended by progress, up to a total that ends every call", async () => {
    const client = await openGateway([stubServer("s", {}, { timeout: 0.3 })]).client();
    const token = { _meta: { progressToken: 1 } };
    const long = await client.call("s_slow", { ms: 1_000, step: 100 }, token);
    expect(long.content[0].text).toBe("slept 1000");
    const endless = await client.ask("tools/call", { name: "s_slow", arguments: { ms: 60_000, step: 100 }, ...token });
    expect(endless?.error?.message).toMatch(/no answer within (3|2\.9|3\.\d) s$/);
  });
});

describe("an upstream behind a URL", () => {
  it("that lost the session is shaken hands with once more; reading calls go through, others say so", async () => {
    const http = await upstream();
    const opened = openGateway([external("h", http.url)], { timeouts: { listAge: 60_000 } });
    const client = await opened.client();
    expect(await client.text("h_look")).toBe("did look");
    http.forget();
    const all = await Promise.all(Array.from({ length: 5 }, () => client.text("h_look")));
    expect(all).toEqual(Array(5).fill("did look"));
    expect(http.seen.filter((one) => one === "initialize")).toHaveLength(2);
    http.forget();
    const put = await client.ask("tools/call", { name: "h_put" });
    expect(put?.error).toMatchObject({ code: -32000, data: { kind: "session-lost", upstream: "h" } });
    expect(put?.error?.message).toContain("the call was not repeated");
    expect(http.seen).not.toContain("tools/call put");
    expect(await client.text("h_put")).toBe("did put");
  });

  it("whose hints are not trusted has no call repeated", async () => {
    const http = await upstream();
    const client = await openGateway([external("h", http.url, { trustAnnotations: false })], {
      timeouts: { listAge: 60_000 },
    }).client();
    await client.text("h_look");
    http.forget();
    expect((await client.ask("tools/call", { name: "h_look" }))?.error?.data).toEqual({
      kind: "session-lost",
      upstream: "h",
    });
  });

  it("that went away and came back is used again", async () => {
    const http = await upstream();
    const client = await openGateway([external("h", http.url), stubServer("good")]).client();
    expect(await client.text("h_look")).toBe("did look");
    await http.stop();
    const gone = await client.ask("tools/call", { name: "h_look" });
    expect(gone?.error).toMatchObject({ code: -32000, data: { upstream: "h" } });
    expect(await client.text("good_echo", { text: "x" })).toBe("x");
    await http.start();
    await until(async () => (await client.ask("tools/call", { name: "h_look" }))?.error === undefined);
  });

  it("that announces nothing is asked again when its list has grown old", async () => {
    const http = await upstream();
    const { client, gateway } = openGateway([external("h", http.url)]);
    const one = await client();
    expect(await one.toolNames()).toEqual(["h_look", "h_put"]);
    http.tools = [...httpTools, { name: "more", inputSchema: schema }];
    await until(() => has(one, "h_more"));
    expect(gateway.status()[0]).toMatchObject({ toolCount: 3, tools: ["h_look", "h_put", "h_more"] });
  });

  it("gets its token from the environment, and no secret shows anywhere", async () => {
    const http = await upstream();
    http.token = "right-token";
    const secret = { auth: { type: "bearer", secretKey: "TOKEN" }, headers: { "x-static": "static-secret" } };
    const managed = stubServer(
      "m",
      { STUB_STDERR_SAY: "my token is right-token", STUB_DIE_UNLESS: "/no/such/file" },
      { envFrom: ["TOKEN"] },
    );
    const servers = [external("h", `${http.url}?key=query-secret`, secret), external("w", http.url), managed];
    const opened = openGateway(servers, { environment: { TOKEN: "right-token" } });
    const client = await opened.client();
    const status = async () =>
      (await client.request("resources/read", { uri: "iaip-gateway://status" })).contents[0].text;
    expect(await client.toolNames()).toEqual(["h_look", "h_put"]);
    expect(
      http.headers.some((one) => one.authorization === "Bearer right-token" && one["x-static"] === "static-secret"),
    ).toBe(true);
    await until(async () => JSON.parse(await status()).servers[1].error?.includes("401"));
    await until(async () => JSON.parse(await status()).servers[2].error?.includes("[secret]"));
    await client.ask("tools/call", { name: "m_echo" });
    const shown = [await status(), ...opened.logged, JSON.stringify(opened.audited)].join("\n");
    for (const hidden of ["right-token", "static-secret", "query-secret"]) expect(shown).not.toContain(hidden);
  });
});

describe("processes", () => {
  it(`${full ? 200 : 12} clients that connect, hang and vanish leave none behind, and no call to a healthy upstream fails`, async () => {
    const [log, goodLog] = [scratchFile("log"), scratchFile("log")];
    const opened = openGateway([
      stubServer("s", { STUB_LOG: log, STUB_GRANDCHILD: "1" }),
      stubServer("good", { STUB_LOG: goodLog }),
    ]);
    const steady = await opened.client();
    await steady.toolNames();
    let failed = 0;
    let done = false;
    const calling = (async () => {
      while (!done) {
        const text = await steady.text("good_echo", { text: "x" }).catch(() => "failed");
        if (text !== "x") failed++;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    for (let cycle = 0; cycle < (full ? 50 : 3); cycle++) {
      await Promise.all(
        Array.from({ length: 4 }, async (_, index) => {
          const client = await opened.client({ roots: {} });
          if (index % 2 === 0) await client.text("s_echo", { text: "x" });
          void client.ask("tools/call", { name: "s_hang" });
          await client.close();
        }),
      );
    }
    done = true;
    await calling;
    expect(failed).toBe(0);
    await opened.gateway.close();
    const pids = [...pidsIn(log, "start"), ...pidsIn(log, "grandchild"), ...pidsIn(goodLog, "start")];
    expect(pids.length).toBeGreaterThanOrEqual(full ? 200 : 12);
    expect(pids.filter(isAlive)).toEqual([]);
  }, 240_000);
});
