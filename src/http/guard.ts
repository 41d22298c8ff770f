import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../core/concept/caller.ts";
import { type Access, authenticate, challenge } from "./access.ts";
import type { Exchange, Route } from "./exchange.ts";
import { isAllowedHost, isLoopback } from "./host-guard.ts";
import type { ClientLimits } from "./limits.ts";
import type { ListenOptions } from "./listen-options.ts";
import type { LiveCallers } from "./live-callers.ts";
import { corsHeaders, isAllowedOrigin, preflightHeaders } from "./origin-guard.ts";
import { requestSource } from "./proxies.ts";
import { readBody } from "./read-body.ts";
import { closing, type Refusal, refuse } from "./refuse.ts";
import type { UnreadBytes } from "./unread-bytes.ts";

type Guarded = Pick<
  ListenOptions,
  "access" | "allowedHosts" | "origins" | "limits" | "routes" | "tls" | "trustedProxies" | "publicUrl" | "log"
>;

interface Known {
  readonly caller: Caller;
  readonly client: string;
  readonly byOAuth: boolean;
  readonly isCurrent?: () => boolean;
}

/** What the guard counts and follows, for all requests of one listener. */
export interface GuardState {
  readonly shares: ClientLimits;
  readonly unread: UnreadBytes;
  readonly live: LiveCallers;
}

/** Every question that is put to a request before a route sees it, in the order in which they are put. */
export function guard(
  options: Guarded,
  state: GuardState,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { allowedHosts, origins, limits } = options;
  const scheme = options.tls === undefined ? "http" : "https";
  const sourceOf = requestSource(options.trustedProxies ?? []);
  const warnOnce = proxyWarning(options);
  return async (request, response) => {
    const url = urlOf(request, scheme);
    if (url === undefined) return refuse(response, { status: 400, message: "This address cannot be read." });
    const route = routeFor(options.routes, url.pathname);
    const { origin, authorization } = request.headers;
    const isOpen = route?.open === "always" || (route?.open === "without-token" && authorization === undefined);
    const isOurHost = isAllowedHost(request.headers.host, allowedHosts);
    const wrong =
      tooManyHeaders(request, limits.headerCount) ??
      (isOpen || isOurHost ? undefined : wrongHost(request)) ??
      (isAllowedOrigin(origin, origins) ? undefined : wrongOrigin(origin));
    if (wrong !== undefined) return refuse(response, wrong);
    for (const [name, value] of Object.entries(corsHeaders(origin, origins))) response.setHeader(name, value);
    if (request.method === "OPTIONS") {
      response.writeHead(204, preflightHeaders(origin, origins)).end();
      return;
    }
    if (route === undefined) return refuse(response, notFound(url.pathname, options.routes));
    if (!route.methods.includes(request.method ?? "")) return refuse(response, wrongMethod(route));
    const source = sourceOf(request);
    if (source.isForwardedUnasked) warnOnce();
    const publicUrl = options.publicUrl ?? `${url.origin}${source.prefix}`;
    const incoming = { request, response, url, publicUrl, address: source.address };
    const known = isOpen
      ? openCaller(incoming, options.access, route.open === "without-token" && isOurHost)
      : await callerOf(incoming, options.access, state.shares);
    if ("status" in known) return refuse(response, known);
    await admit({ ...incoming, route, known, state, options });
  };
}

/** A proxy that nobody declared makes everybody behind it the person at this machine, and that is worth a word. */
function proxyWarning({ access, log }: Guarded): () => void {
  let isSaid = access.kind !== "everyone" || access.caller.kind !== "local";
  return () => {
    if (!isSaid) {
      log(
        "warn",
        "a proxy forwards requests to this server, and whoever is behind it counts as the person at this machine: give --token-file, or name the proxy with --trusted-proxies",
      );
    }
    isSaid = true;
  };
}

interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly publicUrl: string;
  readonly address: string;
}

interface Admitted extends Incoming {
  readonly route: Route;
  readonly known: Known;
  readonly state: GuardState;
  readonly options: Guarded;
}

async function admit({ request, response, url, publicUrl, route, known, state, options }: Admitted): Promise<void> {
  const { caller, client, byOAuth, isCurrent } = known;
  const { shares, unread, live } = state;
  const { access, limits } = options;
  const wait = route.open === "always" ? 0 : shares.wait(client);
  if (wait > 0) return refuse(response, tooFast(wait));
  let leave = shares.enter(client, "calls");
  if (leave === undefined) return refuse(response, tooManyCalls(limits.concurrentCalls));
  const gone = new AbortController();
  response.once("close", () => {
    leave?.();
    if (!response.writableFinished) gone.abort();
  });
  unread.follow(client, response);
  if (isCurrent !== undefined) live.follow(response, isCurrent);
  const exchange: Exchange = {
    request,
    response,
    url,
    publicUrl,
    caller,
    client,
    limits,
    wrote: () => unread.wrote(response),
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
      ? { challenge: (scope: string) => challenge(access, publicUrl, { error: "insufficient_scope", scope }) }
      : {}),
  };
  await route.handle(exchange);
}

async function callerOf(
  { request, address, publicUrl }: Incoming,
  access: Access,
  shares: ClientLimits,
): Promise<Known | Refusal> {
  if (access.kind === "everyone") {
    if (access.caller.kind === "local" && !isLoopback(address)) return fromElsewhere;
    return { caller: access.caller, client: address, byOAuth: false };
  }
  const checked = await authenticate(access, request.headers.authorization);
  if (checked.kind === "known") {
    const { caller, client, by, isCurrent } = checked;
    return { caller, client, byOAuth: by === "oauth", isCurrent };
  }
  // Guessing is slowed down by address: a wrong token costs as much as a call.
  const wait = shares.wait(`stranger ${address}`);
  if (wait > 0) return tooFast(wait);
  if (checked.kind === "unavailable") {
    return { status: 503, message: checked.reason, headers: { "retry-after": String(checked.retrySeconds) } };
  }
  const fault = checked.kind === "missing" ? {} : { error: "invalid_token" as const, reason: checked.reason };
  const message = fault.reason ?? "This server wants a bearer token in the Authorization header.";
  const { unauthorized } = access;
  const headers = { "www-authenticate": challenge(access, publicUrl, fault) };
  return { status: 401, message, headers, ...(unauthorized === undefined ? {} : { body: unauthorized }) };
}

/** Nobody, with no right at all; where everyone is served, and by a name of this server, the one who always is. */
function openCaller({ address }: Incoming, access: Access, mayBeKnown: boolean): Known {
  const nobody: Caller = { kind: "anonymous", name: "anonymous", scopes: new Set(), protocols: new Set() };
  const isHere = access.kind === "everyone" && (access.caller.kind !== "local" || isLoopback(address));
  return { caller: mayBeKnown && isHere ? access.caller : nobody, client: address, byOAuth: false };
}

const fromElsewhere: Refusal = {
  status: 403,
  message: "This server serves callers of its own machine only. Whoever runs it can give tokens with --token-file.",
};

function urlOf(request: IncomingMessage, scheme: string): URL | undefined {
  const base = `${scheme}://${request.headers.host ?? "localhost"}`;
  const path = request.url ?? "/";
  return path.startsWith("/") && URL.canParse(path.replace(/^\/+/, "/"), base)
    ? new URL(path.replace(/^\/+/, "/"), base)
    : undefined;
}

function routeFor(routes: readonly Route[], path: string): Route | undefined {
  const exact = (name: string) => routes.find(({ paths }) => paths.includes(name));
  return (
    exact(path) ??
    routes.find(({ paths }) => paths.some((it) => it.length > 1 && it.endsWith("/") && path.startsWith(it))) ??
    (path.endsWith("/") ? exact(path.slice(0, -1)) : undefined)
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

function notFound(path: string, routes: readonly Route[]): Refusal {
  const served = routes.filter(({ open }) => open === undefined).flatMap(({ paths }) => paths);
  return { status: 404, message: `There is nothing at ${path}. This server answers at ${served.join(", ")}.` };
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
