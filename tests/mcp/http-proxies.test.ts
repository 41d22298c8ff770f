import { afterEach, describe, expect, it } from "vitest";
import type { Log } from "../../src/base/log.ts";
import { call, hello, type Options, post, startHttp } from "./http-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(options: Options = {}) {
  const server = await startHttp(options);
  closers.push(server.close);
  return server;
}

async function announcedBy(url: string, headers: Record<string, string> = {}): Promise<string> {
  const abort = new AbortController();
  const answer = await fetch(`${url}/sse`, { headers, signal: abort.signal });
  const { value } = await answer.body!.getReader().read();
  abort.abort();
  return /^data: ([^?\s]+)/m.exec(new TextDecoder().decode(value))?.[1] ?? "";
}

describe("Behind a proxy", () => {
  const trusted = { trustedProxies: ["127.0.0.0/8"] };

  it("announces /messages below the prefix that a trusted proxy names, and below no other", async () => {
    const [{ url }, plain] = [await open(trusted), await open()];
    const prefix = { "x-forwarded-prefix": "/tools/iaip/" };
    expect(await announcedBy(url, prefix)).toBe("/tools/iaip/messages");
    expect(await announcedBy(url, { "x-forwarded-prefix": "//evil.example" })).toBe("/messages");
    expect(await announcedBy(plain.url, prefix)).toBe("/messages");
  });

  it("announces /messages below the address that it was told clients know, and answers to its name", async () => {
    const { url } = await open({ publicUrl: "https://iaip.example/tools" });
    expect(await announcedBy(url)).toBe("/tools/messages");
  });

  it("takes a caller that a trusted proxy names for somebody from elsewhere, and this machine's own for its own", async () => {
    const { mcp, url } = await open(trusted);
    const status = async (forwarded: string) => (await post(mcp, hello, { "x-forwarded-for": forwarded })).status;
    expect(await status("203.0.113.9")).toBe(403);
    expect(await status("127.0.0.1, 203.0.113.9")).toBe(403);
    expect(await status("127.0.0.1")).toBe(200);
    const ready = await fetch(`${url}/readyz`, { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(await ready.json()).toEqual({ status: "ready" });
  });

  it("warns once of a proxy that nobody named, and does not believe it", async () => {
    const warnings: string[] = [];
    const log: Log = (level, message) => level === "warn" && warnings.push(message);
    const { mcp } = await open({ log });
    for (let round = 0; round < 3; round += 1) {
      expect((await post(mcp, hello, { "x-forwarded-for": "203.0.113.9" })).status).toBe(200);
    }
    expect(warnings).toEqual([expect.stringContaining("--trusted-proxies")]);
  });

  it("throttles each client that a trusted proxy names by itself", async () => {
    const access = {
      kind: "everyone",
      caller: {
        kind: "anonymous",
        name: "anonymous",
        scopes: new Set(["read"] as const),
        protocols: new Set<string>(),
      },
    } as const;
    const { mcp } = await open({ ...trusted, access, limits: { requestsPerSecond: 1 } });
    const status = async (address: string) =>
      (await post(mcp, call("echo", { text: "x" }), { "x-forwarded-for": address })).status;
    const many = await Promise.all(Array.from({ length: 6 }, () => status("203.0.113.9")));
    expect(many).toContain(429);
    expect(await status("203.0.113.10")).toBe(200);
  });
});
