import type { ServerResponse } from "node:http";

export interface Refusal {
  readonly status: number;
  /** A sentence for whoever reads the client's log. */
  readonly message: string;
  /** JSON-RPC's own code where it has one. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Said instead of the JSON-RPC error. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A plain JSON-RPC error without an id, on a connection that stays open unless `headers` say otherwise. */
export function refuse(
  response: ServerResponse,
  { status, message, code = -32000, headers = {}, body: own }: Refusal,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = own === undefined ? errorBody(message, code) : JSON.stringify(own);
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(body);
}

export function errorBody(message: string, code: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
}

/** For a request whose body was not read to its end: what follows on the connection is not a request. */
export const closing = { connection: "close" } as const;
