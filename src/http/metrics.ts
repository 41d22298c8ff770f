import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Route } from "./exchange.ts";

export interface Metrics {
  /** One answered call; `tool` and `outcome` come from closed lists. */
  readonly observe: (call: { readonly tool: string; readonly outcome: string; readonly ms: number }) => void;
  readonly ledgerWrote: (outcome: "recorded" | "failed") => void;
  readonly route: Route;
  close(): void;
}

export interface Counted {
  /** Problems of the vocabulary that everybody may hear of. */
  readonly problems: () => number;
  /** Calls the listener after each reload. Returns the way to stop. */
  readonly onReload: (listener: () => void) => () => void;
  readonly sessions: () => Readonly<Record<"streamable" | "sse", number>>;
}

/** Counts of Node's own resources; a file watcher is one of them. */
const watchingMetrics = ["resources", "handles", "requests"].flatMap((kind) => [
  `iaip_nodejs_active_${kind}`,
  `iaip_nodejs_active_${kind}_total`,
]);

/** What Prometheus reads. Label values come from closed lists, never from a request. */
export function makeMetrics({ problems, onReload, sessions }: Counted): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "iaip_" });
  // How many files are watched, and so how many there are, is not for everyone.
  for (const name of watchingMetrics) registry.removeSingleMetric(name);
  const calls = new Counter({
    name: "iaip_tool_calls_total",
    help: "Tool calls by tool and by what came of them.",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const latency = new Histogram({
    name: "iaip_tool_call_seconds",
    help: "Time from a call's arrival to its answer.",
    labelNames: ["tool"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const reloads = new Counter({ name: "iaip_reloads_total", help: "Snapshots that replaced another.", registers });
  const writes = new Counter({
    name: "iaip_ledger_writes_total",
    help: "Ledger events that were asked for, by whether they became durable.",
    labelNames: ["outcome"],
    registers,
  });
  new Gauge({
    name: "iaip_sessions",
    help: "Open sessions by endpoint.",
    labelNames: ["door"],
    registers,
    collect() {
      for (const [endpoint, count] of Object.entries(sessions())) this.set({ door: endpoint }, count);
    },
  });
  new Gauge({
    name: "iaip_vocabulary_problems",
    help: "Problems in the vocabulary that is being served.",
    registers,
    collect() {
      this.set(problems());
    },
  });
  const stop = onReload(() => reloads.inc());
  return {
    observe: ({ tool, outcome, ms }) => {
      calls.inc({ tool, outcome });
      latency.observe({ tool }, ms / 1000);
    },
    ledgerWrote: (outcome) => writes.inc({ outcome }),
    route: metricsRoute(registry),
    close: () => {
      stop();
      registry.clear();
    },
  };
}

function metricsRoute(registry: Registry): Route {
  return {
    paths: ["/metrics"],
    methods: ["GET"],
    handle: async ({ response }) => {
      const text = await registry.metrics();
      response.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" }).end(text);
    },
  };
}
