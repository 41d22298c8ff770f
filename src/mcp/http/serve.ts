import { type Access, anonymousCaller, metadataPath, protectedResourceMetadata } from "../../http/access.ts";
import type { Route } from "../../http/exchange.ts";
import { healthRoutes } from "../../http/health.ts";
import { isLoopback, loopbackNames } from "../../http/host-guard.ts";
import { defaultLimits, type Limits, localLimits } from "../../http/limits.ts";
import { listen } from "../../http/listener.ts";
import { makeMetrics } from "../../http/metrics.ts";
import { pageRoute } from "../../http/page-route.ts";
import type { Ledger } from "../../ledger/port.ts";
import { bindV2 } from "../bind-v2.ts";
import { type Changes, surfaceChanges } from "../changes.ts";
import { observedLedger } from "../observed-ledger.ts";
import type { Serving } from "../protocol/request.ts";
import type { MakeServer, SessionOptions } from "./endpoint.ts";
import { mcpEndpoint } from "./mcp-endpoint.ts";
import { readinessOf } from "./readiness.ts";
import { scopeOf } from "./scope-of.ts";
import { sseEndpoint } from "./sse-endpoint.ts";

/** What a ledger that keeps nothing says of its place. */
const noLedger = "no ledger";

export interface HttpServing extends Serving {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** From `openAccess`. */
  readonly access: Access;
  /** Further names this server answers to: `iaip.example`, `*.svc`. */
  readonly allowHosts?: readonly string[];
  /** Origins whose pages may read answers. */
  readonly allowOrigins?: readonly string[];
  /** From `ListenOptions`. */
  readonly trustedProxies?: readonly string[];
  readonly publicUrl?: string;
  readonly sessions?: SessionOptions;
  readonly maxSseSessions?: number;
  readonly limits?: Partial<Limits>;
  readonly keepAliveMs?: number;
  /** The HTML of a rule's page; `undefined` where there is no such rule. */
  readonly rulePage?: (id: string) => string | undefined;
  /** Rejects while the ledger cannot be written; an empty batch is tried when absent, where there is a ledger. */
  readonly probeLedger?: () => Promise<void>;
  /** What else is served here behind the same guards, in place of a route of ours at the same path. */
  readonly routes?: readonly Route[];
  /** Milliseconds that answers under way may take once `close` was called. */
  readonly drainMs?: number;
  /** Replaces how servers are made, for a test that adds to one. */
  readonly wrapServer?: (make: MakeServer, changes: Changes) => MakeServer;
}

/** Serves remote agents: Streamable HTTP on `/mcp` and `/`, HTTP+SSE on `/sse`, probes and metrics beside them. */
export async function serveMcpHttp(options: HttpServing): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { access, host, log, source, drainMs = 10_000 } = options;
  const limits = { ...defaultLimits, ...(isLocal(options) ? localLimits : {}), ...options.limits };
  const counts = { streamable: () => 0, sse: () => 0 };
  const metrics = makeMetrics({
    problems: () => source.snapshot.viewFor(anonymousCaller()).problems.length,
    onReload: (listener) => source.onDidChange(listener),
    sessions: () => ({ streamable: counts.streamable(), sse: counts.sse() }),
  });
  const ledger = observedLedger(options.ledger, (outcome, concept) => {
    metrics.ledgerWrote(outcome);
    if (outcome === "recorded") changes.recorded(concept);
  });
  const serving: Serving = { ...options, ledger, observe: metrics.observe };
  const changes = surfaceChanges(serving);
  const { mcp, sse } = openEndpoints(options, serving, changes, limits);
  counts.streamable = mcp.size;
  counts.sse = sse.size;
  const probeLedger = options.probeLedger ?? ledgerProbe(options.ledger);
  const listening = await listen({
    ...options,
    allowedHosts: [
      ...loopbackNames,
      ...(isWildcard(host) ? [] : [bracketed(host)]),
      ...(options.allowHosts ?? []),
      ...publicHost(options),
    ],
    origins: { allowed: options.allowOrigins ?? [], loopback: isLoopback(host) },
    limits,
    routes: [
      ...(options.routes ?? []),
      ...mcp.routes,
      ...sse.routes,
      ...healthRoutes(readinessOf({ source, probeLedger })),
      ...metadataRoutes(access),
      ...(options.rulePage === undefined ? [] : [pageRoute("/rules/", options.rulePage)]),
      metrics.route,
    ],
  });
  log("info", `MCP over HTTP is served at ${listening.url}/mcp`);
  return {
    url: listening.url,
    close: async () => {
      await listening.close(drainMs, async () => {
        await Promise.all([mcp.close(), sse.close()]);
      });
      changes.close();
      metrics.close();
      if (access.kind === "tokens") for (const check of access.checks) check.close();
    },
  };
}

function openEndpoints(options: HttpServing, serving: Serving, changes: Changes, limits: Limits) {
  const { log, sessions, keepAliveMs, maxSseSessions = 500, wrapServer = (make) => make } = options;
  const makeServer = wrapServer((binding) => bindV2({ serving, ...binding }), changes);
  const common = { changes, limits, log, ...(keepAliveMs === undefined ? {} : { keepAliveMs }) };
  const mcp = mcpEndpoint({
    ...common,
    makeServer,
    scopeOf: (message, caller) => scopeOf(serving.surface(), message, caller),
    ...(sessions === undefined ? {} : { sessions }),
  });
  const sse = sseEndpoint({
    ...common,
    maxSessions: maxSseSessions,
    makeServer: async (binding) => {
      const { bindV1 } = await import("../bind-v1.ts");
      return bindV1({ serving, ...binding });
    },
  });
  return { mcp, sse };
}

function metadataRoutes(access: Access): readonly Route[] {
  if (access.kind !== "tokens" || access.metadata === undefined) return [];
  const { metadata } = access;
  return [
    {
      paths: [metadataPath, `${metadataPath}/mcp`],
      methods: ["GET"],
      open: "always",
      handle: async ({ response, publicUrl }) => {
        response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
        response.end(JSON.stringify(protectedResourceMetadata(metadata, publicUrl)));
      },
    },
  ];
}

function isLocal({ access }: HttpServing): boolean {
  return access.kind === "everyone" && access.caller.kind === "local";
}

/** A server that was given a public address answers to its name. */
function publicHost({ publicUrl }: HttpServing): readonly string[] {
  return publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** A server that was started without a ledger lacks nothing. */
function ledgerProbe(ledger: Ledger): () => Promise<void> {
  if (ledger.where === noLedger) return async () => {};
  return async () => {
    await ledger.recordBatch([]);
  };
}
