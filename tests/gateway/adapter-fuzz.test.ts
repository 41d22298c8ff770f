import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { serveAdapter } from "../../src/gateway/adapter.ts";

const chaos = fileURLToPath(new URL("fixtures/chaos.mjs", import.meta.url));
const full = process.env.IAIP_LONG === "1";
const [seeds, callers, calls] = full ? [5, 60, 60] : [2, 20, 15];

describe("the adapter around a server that says everything else wrongly", () => {
  it.each(Array.from({ length: seeds }, (_, index) => index + 1))(
    "gives every caller its own answers, seed %i",
    async (seed) => {
      const adapter = await serveAdapter({
        name: "chaos",
        command: process.execPath,
        args: [chaos],
        env: { STUB_SEED: String(seed) },
        environment: process.env,
        timeout: 20_000,
        host: "127.0.0.1",
        port: 0,
        access: { kind: "everyone", caller: localCaller() },
        version: "1",
        log: silentLog,
        now: Date.now,
      });
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const caller = async (name: number) => {
        for (let turn = 0; turn < calls; turn++) {
          // Every caller counts its own ids from one, as agents do.
          const params = { name: "say", arguments: { text: `${name}:${turn}` } };
          const body = JSON.stringify({ jsonrpc: "2.0", id: turn + 1, method: "tools/call", params });
          const response = await fetch(adapter.url, { method: "POST", headers, body });
          const content = [{ type: "text", text: `${name}:${turn}` }];
          expect([response.status, await response.json()]).toEqual([
            200,
            { jsonrpc: "2.0", id: turn + 1, result: { content } },
          ]);
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
      await adapter.close();
    },
    120_000,
  );
});
