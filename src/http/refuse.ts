import type { IncomingMessage, ServerResponse } from "node:http";

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
  const answer = (): void => {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const body = own === undefined ? errorBody(message, code) : JSON.stringify(own);
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
    response.end(body);
  };
  // A peer that is still sending when the connection closes may never read why.
  if (headers.connection === "close" && !response.req.complete) discard(response.req, answer);
  else answer();
}

/** Most that is read of a body nobody wants, so that its sender reads the answer. */
const discardedBytes = 64 * 1024 * 1024;

function discard(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const settle = (): void => {
    request.off("data", count).off("end", settle).off("close", settle).pause();
    done();
  };
  const count = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > discardedBytes) settle();
  };
  request.on("data", count).once("end", settle).once("close", settle).resume();
}

export function errorBody(message: string, code: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
}

/** For a request whose body was not read to its end: what follows on the connection is not a request. */
export const closing = { connection: "close" } as const;
