import type { ServerResponse } from "node:http";
import type { Exchange, Route } from "../../http/exchange.ts";
import { type KagAccess, unauthorized } from "./kag-access.ts";
import { issueToken } from "./session-token.ts";

export interface RouteOptions {
  readonly key: string;
  readonly holdsKey: KagAccess["holdsKey"];
  /** `undefined` while no vocabulary is loaded. */
  readonly projectId: () => string | undefined;
  /** Seconds since 1970. */
  readonly now: () => number;
}

const defaultTtl = 900;
const minTtl = 60;
const maxTtl = 3_600;

/** What stands beside `/mcp`: the exchange of the host's key for a session's token, and the probe. */
export function kagRoutes(options: RouteOptions): readonly Route[] {
  return [
    { paths: ["/tokens"], methods: ["POST"], handle: (exchange) => openSession(exchange, options) },
    {
      paths: ["/healthz", "/healthz/"],
      methods: ["GET", "HEAD"],
      open: "always",
      // A path that ends in a slash stands for all below it; only the two themselves are the probe.
      handle: async ({ response, url }) =>
        /^\/healthz\/?$/.test(url.pathname)
          ? send(response, 200, { status: "ok", transport: "streamable-http" })
          : send(response, 404, { error: "not found" }),
    },
  ];
}

async function openSession(exchange: Exchange, { key, holdsKey, projectId, now }: RouteOptions): Promise<void> {
  const { response, caller } = exchange;
  if (!holdsKey(caller)) {
    response.setHeader("www-authenticate", "Bearer");
    return send(response, 401, unauthorized);
  }
  const given = await jsonBody(exchange);
  const sessionId = plainText(given.session_id).trim();
  if (sessionId === "") return send(response, 400, { error: "session_id required" });
  const ttl =
    given.ttl_seconds === undefined || given.ttl_seconds === null ? defaultTtl : wholeNumber(given.ttl_seconds);
  if (ttl === undefined) return send(response, 400, { error: "ttl_seconds must be an int" });
  const project = projectId();
  if (project === undefined) return send(response, 503, { error: "project not ready: no vocabulary is loaded yet" });
  const expiresAt = Math.floor(now()) + Math.min(Math.max(ttl, minTtl), maxTtl);
  const token = issueToken(key, { sessionId, projectId: project, expiresAt });
  send(response, 200, { token, expires_at: expiresAt, session_id: sessionId, project_id: project });
}

/** Whatever is no JSON object counts as an empty one. */
async function jsonBody({ body }: Exchange): Promise<Readonly<Record<string, unknown>>> {
  const read = await body();
  if (read.kind !== "read") return {};
  try {
    const parsed: unknown = JSON.parse(read.bytes.toString("utf8"));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function plainText(given: unknown): string {
  return typeof given === "string" || typeof given === "number" ? String(given).slice(0, 1_000) : "";
}

function wholeNumber(given: unknown): number | undefined {
  if (typeof given === "number") return Number.isFinite(given) ? Math.trunc(given) : undefined;
  return typeof given === "string" && /^\s*[+-]?\d{1,15}\s*$/.test(given) ? Number(given) : undefined;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
