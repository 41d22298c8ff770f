import { isLoopback } from "./host-guard.ts";

export interface OriginRules {
  /** Origins that may read answers, as browsers send them: `https://notes.example`. They get CORS headers. */
  readonly allowed: readonly string[];
  /** Whether pages served from this machine may send requests too; they then get no CORS headers. */
  readonly loopback: boolean;
}

/** No Origin, no browser. `null` and whatever does not parse are refused. */
export function isAllowedOrigin(origin: string | undefined, { allowed, loopback }: OriginRules): boolean {
  if (origin === undefined) return true;
  if (allowed.includes(origin)) return true;
  if (!loopback || !URL.canParse(origin)) return false;
  const { hostname, protocol } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && isLoopback(hostname);
}

const requestHeaders = [
  "authorization",
  "content-type",
  "accept",
  "last-event-id",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
].join(", ");

/** CORS headers for an origin that was allowed by name; none for any other. */
export function corsHeaders(origin: string | undefined, { allowed }: OriginRules): Readonly<Record<string, string>> {
  if (origin === undefined || !allowed.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "mcp-session-id, www-authenticate",
    vary: "origin",
  };
}

export function preflightHeaders(origin: string | undefined, rules: OriginRules): Readonly<Record<string, string>> {
  const cors = corsHeaders(origin, rules);
  if (Object.keys(cors).length === 0) return {};
  return {
    ...cors,
    "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
    "access-control-allow-headers": requestHeaders,
    "access-control-max-age": "600",
  };
}
