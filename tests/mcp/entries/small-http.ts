/** The HTTP doors over the small surface in a process of their own, with a route that tells how much memory is held. */
import { stderrLog } from "../../../src/base/log.ts";
import { openAccess } from "../../../src/http/auth/open-access.ts";
import type { Route } from "../../../src/http/exchange.ts";
import { serveMcpHttp } from "../../../src/mcp/http/serve.ts";
import { endWhenDone } from "../end-when-done.ts";
import { arrayLedger, handSource, smallSurface } from "../small-surface.ts";

const log = stderrLog("error");
const rejections: string[] = [];
process.on("unhandledRejection", (reason) => rejections.push(String(reason)));
process.on("uncaughtException", (error) => rejections.push(String(error)));

const memory: Route = {
  paths: ["/memory"],
  methods: ["GET"],
  handle: async ({ response }) => {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { heapUsed, external } = process.memoryUsage();
    response.end(JSON.stringify({ held: heapUsed + external, rejections }));
  },
};
const reload: Route = {
  paths: ["/reload"],
  methods: ["POST"],
  handle: async ({ response }) => {
    turn();
    response.end("{}");
  },
};

const surface = smallSurface();
const { source, turn } = handSource();
turn();
const more = JSON.parse(process.env.OPTIONS ?? "{}") as object;
const server = await serveMcpHttp({
  surface: () => surface,
  source,
  ledger: arrayLedger(),
  log,
  host: "127.0.0.1",
  port: 0,
  access: await openAccess({ host: "127.0.0.1", log }),
  probeLedger: async () => {},
  routes: [memory, reload],
  ...more,
});
process.send?.(server.url);
endWhenDone({ close: server.close, graceMs: 11_000, log });
