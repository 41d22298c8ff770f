import { mkdtemp, rm } from "node:fs/promises";
import { type ClientRequest, createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { both, call, modern, post, request } from "./http-server.ts";
import { count } from "./long.ts";
import { type Served, serveHttp } from "./served.ts";

describe("Two servers behind a plain round-robin proxy, with one ledger", () => {
  let folder = "";
  let ledger = "";
  let servers: Served[] = [];
  let proxy: Server;
  let url = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "iaip-fleet-"));
    ledger = join(folder, "ledger.db");
    servers = await Promise.all([serveHttp(ledger), serveHttp(ledger)]);
    let turn = 0;
    proxy = createServer((asked, answer) => {
      const target = new URL(asked.url ?? "/", servers[turn++ % servers.length]?.url);
      const passed: ClientRequest = httpRequest(
        target,
        { method: asked.method, headers: { ...asked.headers, host: target.host } },
        (told) => {
          answer.writeHead(told.statusCode ?? 502, told.headers);
          told.pipe(answer);
        },
      );
      passed.on("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  }, 60_000);
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A client that sends a request again when no answer came, or a 502, 503 or 429. */
  async function steady(body: object, headers: Record<string, string> = {}) {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const answer = await post(url, body, { accept: both, ...headers }).catch(() => undefined);
      if (answer !== undefined && ![502, 503, 429].includes(answer.status)) return { answer, retries: attempt };
      await new Promise((resolve) => setTimeout(resolve, 20 * (attempt + 1)));
    }
    throw new Error("no answer after 50 attempts");
  }

  it("answer every call right while each is started anew, and lose no event they told of", async () => {
    const lookup = call("iaip_concept_lookup", { concept: "etuaptmumk" });
    const { body, headers } = modern("tools/call", {
      name: "iaip_concept_lookup",
      arguments: { concept: "etuaptmumk" },
    });
    const right = (await post(url, lookup)).json.result.content[0].text as string;
    const counted = { calls: 0, events: 0, retries: 0, wrong: 0 };
    let loaded = true;
    const worker = async (index: number): Promise<void> => {
      while (loaded) {
        const isEvent = counted.calls % 5 === 0;
        const event = { concept: "etuaptmumk", agent_id: "fleet", context: `call ${counted.calls} of ${index}` };
        counted.calls += 1;
        const { answer, retries } = isEvent
          ? await steady(call("iaip_wisdom_ledger_log", event))
          : index % 2 === 0
            ? await steady(lookup)
            : await steady(body, headers);
        counted.retries += retries;
        const { result } = answer.json;
        const isRight = isEvent ? result?.structuredContent?.recorded === true : result?.content[0].text === right;
        if (!isRight) counted.wrong += 1;
        else if (isEvent) counted.events += 1;
      }
    };
    const workers = Array.from({ length: 8 }, (_, index) => worker(index));
    for (let round = 0; round < count(5, 1); round += 1) {
      for (const [index, server] of servers.entries()) {
        const port = Number(new URL(server.url).port);
        expect(await server.stop()).toBe(0);
        servers[index] = await serveHttp(ledger, [], port);
      }
    }
    loaded = false;
    await Promise.all(workers);
    expect(counted.wrong).toBe(0);
    expect(counted.calls).toBeGreaterThan(50);
    const read = await post(url, request("resources/read", { uri: "iaip://wisdom/ledger" }));
    const { totals } = JSON.parse(read.json.result.contents[0].text) as { totals: { events: number } };
    // An event that was recorded while its answer was lost is recorded once more when it is sent again.
    expect(totals.events).toBeGreaterThanOrEqual(counted.events);
    console.log(
      `fleet: ${counted.calls} calls, ${counted.retries} sent again, ${counted.events} events told of, all right`,
    );
  }, 300_000);

  it("give the same pages of one list in turn", async () => {
    const uris = new Set<string>();
    let cursor: string | undefined;
    do {
      const { result } = (await post(url, request("resources/list", cursor === undefined ? {} : { cursor }))).json;
      for (const { uri } of result.resources) {
        expect(uris.has(uri)).toBe(false);
        uris.add(uri);
      }
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(uris.size).toBeGreaterThan(50);
  });
});
