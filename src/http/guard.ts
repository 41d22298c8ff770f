import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../core/concept/caller.ts";
import { type Access, authenticate, challenge } from "./access.ts";
import type { Exchange, Route } from "./exchange.ts";
import { isAllowedHost } from "./host-guard.ts";
import type { ClientLimits } from "./limits.ts";
import type { ListenOptions } from "./listen-options.ts";
import { corsHeaders, isAllowedOrigin, preflightHeaders } from "./origin-guard.ts";
import { readBody } from "./read-body.ts";
import { closing, type Refusal, refuse } from "./refuse.ts";

type Gated = Pick<ListenOptions, "access" | "allowedHosts" | "origins" | "limits" | "routes" | "tls">;
type Known = { readonly caller: Caller; readonly client: string; readonly byOAuth: boolean };

/** Every question that is asked of a request before a route sees it, in the order in which they are asked. */
export function guard(
  options: Gated,
  shares: ClientLimits,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { access, allowedHosts, origins, limits } = options;
  const scheme = options.tls === undefined ? "http" : "https";
  return async (request, response) => {
    const url = urlOf(request, scheme);
    if (url === undefined) return refuse(response, { status: 400, message: "This address cannot be read." });
    const route = routeFor(options.routes, url.pathname);
    const { origin } = request.headers;
    const wrong =
      tooManyHeaders(request, limits.headerCount) ??
      (route?.open === true || isAllowedHost(request.headers.host, allowedHosts) ? undefined : wrongHost(request)) ??
      (isAllowedOrigin(origin, origins) ? undefined : wrongOrigin(origin));
    if (wrong !== undefined) return refuse(response, wrong);
    for (const [name, value] of Object.entries(corsHeaders(origin, origins))) response.setHeader(name, value);
    if (request.method === "OPTIONS") {
      response.writeHead(204, preflightHeaders(origin, origins)).end();
      return;
    }
    if (route === undefined) return refuse(response, notFound(url.pathname));
    if (!route.methods.includes(request.method ?? "")) return refuse(response, wrongMethod(route));
    const known = route.open === true ? unknownCaller(request) : await whoIs(request, access, url.origin, shares);
    if ("status" in known) return refuse(response, known);
    await admit({ request, response, url, route, known, shares, options });
  };
}

interface Admitted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly route: Route;
  readonly known: Known;
  readonly shares: ClientLimits;
  readonly options: Gated;
}

async function admit({ request, response, url, route, known, shares, options }: Admitted): Promise<void> {
  const { caller, client, byOAuth } = known;
  const { access, limits } = options;
  const wait = route.open === true ? 0 : shares.wait(client);
  if (wait > 0) return refuse(response, tooFast(wait));
  let leave = shares.enter(client, "calls");
  if (leave === undefined) return refuse(response, tooManyCalls(limits.concurrentCalls));
  const gone = new AbortController();
  response.once("close", () => {
    leave?.();
    if (!response.writableFinished) gone.abort();
  });
  const exchange: Exchange = {
    request,
    response,
    url,
    caller,
    client,
    signal: gone.signal,
    body: () => readBody(request, limits.bodyBytes),
    becomeStream: () => {
      const stream = shares.enter(client, "streams");
      if (stream === undefined) return false;
      leave?.();
      leave = stream;
      return true;
    },
    ...(byOAuth && access.kind === "tokens"
      ? { challenge: (scope: string) => challenge(access, url.origin, { error: "insufficient_scope", scope }) }
      : {}),
  };
  await route.handle(exchange);
}

async function whoIs(
  request: IncomingMessage,
  access: Access,
  origin: string,
  shares: ClientLimits,
): Promise<Known | Refusal> {
  const address = addressOf(request);
  const checked = await authenticate(access, request.headers.authorization);
  if (checked !== "missing" && checked.kind === "known") {
    const { caller, by } = checked;
    return { caller, client: caller.kind === "token" ? `token ${caller.name}` : address, byOAuth: by === "oauth" };
  }
  // Guessing is slowed down by address: a wrong token costs as much as a call.
  const wait = shares.wait(`stranger ${address}`);
  if (wait > 0) return tooFast(wait);
  if (access.kind !== "tokens") return { status: 401, message: "Nobody is known here." };
  const told = checked === "missing" ? {} : { error: "invalid_token" as const, reason: checked.reason };
  const message =
    checked === "missing" ? "This server wants a bearer token in the Authorization header." : checked.reason;
  const { unauthorized } = access;
  const headers = { "www-authenticate": challenge(access, origin, told) };
  return { status: 401, message, headers, ...(unauthorized === undefined ? {} : { body: unauthorized }) };
}

function unknownCaller(request: IncomingMessage): Known {
  const caller: Caller = { kind: "anonymous", name: "anonymous", scopes: new Set(), protocols: new Set() };
  return { caller, client: addressOf(request), byOAuth: false };
}

/** The peer's own address. What `X-Forwarded-For` claims is the client's word, and is not read. */
function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? "gone";
}

function urlOf(request: IncomingMessage, scheme: string): URL | undefined {
  const base = `${scheme}://${request.headers.host ?? "localhost"}`;
  const path = request.url ?? "/";
  return path.startsWith("/") && URL.canParse(path.replace(/^\/+/, "/"), base)
    ? new URL(path.replace(/^\/+/, "/"), base)
    : undefined;
}

function routeFor(routes: readonly Route[], path: string): Route | undefined {
  const exact = routes.find(({ paths }) => paths.includes(path));
  return (
    exact ?? routes.find(({ paths }) => paths.some((it) => it.length > 1 && it.endsWith("/") && path.startsWith(it)))
  );
}

function tooManyHeaders(request: IncomingMessage, most: number): Refusal | undefined {
  if (request.rawHeaders.length / 2 <= most) return undefined;
  return { status: 431, message: `A request may have ${most} headers.`, headers: closing };
}

function wrongHost(request: IncomingMessage): Refusal {
  const given = JSON.stringify(request.headers.host ?? "");
  return {
    status: 403,
    message: `Invalid Host: this server does not answer to ${given}. Allow it with --allowed-hosts NAME.`,
    headers: closing,
  };
}

function wrongOrigin(origin: string | undefined): Refusal {
  return {
    status: 403,
    message: `Invalid Origin: pages of ${JSON.stringify(origin)} may not ask here. Allow it with --allowed-origins ORIGIN.`,
    headers: closing,
  };
}

function notFound(path: string): Refusal {
  return { status: 404, message: `There is nothing at ${path}. MCP is at /mcp, and at /sse for older clients.` };
}

function wrongMethod({ methods }: Route): Refusal {
  return {
    status: 405,
    message: `Method not allowed: this address takes ${methods.join(", ")}.`,
    headers: { allow: methods.join(", ") },
  };
}

function tooFast(wait: number): Refusal {
  const headers = { "retry-after": String(Math.ceil(wait / 1000)), ...closing };
  return { status: 429, message: `Too many requests. The next one is welcome in ${wait} ms.`, headers };
}

function tooManyCalls(most: number): Refusal {
  const headers = { "retry-after": "1", ...closing };
  return { status: 429, message: `This client already has ${most} calls under way. Wait for one to end.`, headers };
}
