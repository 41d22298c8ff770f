import type { ServerResponse } from "node:http";
import type { Route } from "../http/exchange.ts";

export interface Probe {
  readonly good: boolean;
  readonly status: string;
}

/** `/healthz` and `/readyz`: 200 or 503, and one word. They are open, so they say nothing else. */
export function probeRoutes(healthy: () => Probe, ready: () => Probe): readonly Route[] {
  const route = (path: string, probe: () => Probe): Route => ({
    paths: [path],
    methods: ["GET", "HEAD"],
    open: "always",
    handle: async ({ response }) => send(response, probe()),
  });
  return [route("/healthz", healthy), route("/readyz", ready)];
}

function send(response: ServerResponse, { good, status }: Probe): void {
  response.writeHead(good ? 200 : 503, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify({ status }));
}
