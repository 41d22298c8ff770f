import { silentLog } from "../../src/base/log.ts";
import { openAccess } from "../../src/http/auth/open-access.ts";
import { type HttpServing, serveMcpHttp } from "../../src/mcp/http/serve.ts";
import type { Surface } from "../../src/mcp/surface.ts";
import { arrayLedger, handSource, smallSurface } from "./small-surface.ts";

export type Options = Partial<Omit<HttpServing, "surface" | "source" | "ledger">> & {
  readonly surface?: Surface;
  readonly loaded?: boolean;
};

/** The doors as they are, over the small surface, on a free port of this machine. */
export async function startHttp(options: Options = {}) {
  const { surface = smallSurface(), loaded = true, ...more } = options;
  const hand = handSource();
  if (loaded) hand.turn();
  const ledger = arrayLedger();
  const host = options.host ?? "127.0.0.1";
  const access = options.access ?? (await openAccess({ host, log: silentLog }));
  const server = await serveMcpHttp({
    log: silentLog,
    port: 0,
    drainMs: 1000,
    probeLedger: async () => {},
    ...more,
    host,
    access,
    surface: () => surface,
    source: hand.source,
    ledger,
  });
  return { ...server, hand, ledger, mcp: `${server.url}/mcp` };
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
  readonly json: any;
}

export const both = "application/json, text/event-stream";

/** One POST of a JSON-RPC message, with the headers that a 2025 client sends. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Told> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: both, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return told(answer);
}

export async function told(answer: Response): Promise<Told> {
  const text = await answer.text();
  const data = /^data: (.+)$/gm;
  const last = [...text.matchAll(data)].at(-1)?.[1];
  const source = answer.headers.get("content-type")?.includes("event-stream") ? last : text;
  let json: unknown;
  try {
    json = JSON.parse(source ?? "");
  } catch {
    json = undefined;
  }
  return { status: answer.status, headers: answer.headers, text, json };
}

export function request(method: string, params: object = {}, id: number | string = 1) {
  return { jsonrpc: "2.0", id, method, params };
}

export const hello = request("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
});

export function call(name: string, args: object = {}, id: number | string = 1) {
  return request("tools/call", { name, arguments: args }, id);
}

/** A 2026-07-28 request with its envelope, and the headers that must agree with it. */
export function modern(method: string, params: Record<string, unknown> = {}, meta: object = {}) {
  const name = params.name ?? params.uri;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta,
  };
  return {
    body: request(method, { ...params, _meta }),
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
  };
}
