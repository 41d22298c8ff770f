import type { ServerResponse } from "node:http";
import type { Exchange } from "./exchange.ts";

/** The request as the web's own object, without its body: whoever needs it has read that already. */
export function webRequest({ request, url, signal }: Exchange): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(index, index + 2);
    if (!name.startsWith(":")) headers.append(name, value);
  }
  return new Request(url, { method: request.method ?? "GET", headers, signal });
}

/** How much is sent, and how long a reader may take. */
export interface Sending {
  readonly answerBytes: number;
  readonly stalledMs: number;
}

/** Which request a body answers, and which status goes with what it says. */
export interface Answering {
  readonly id?: string | number | null;
  readonly status?: (status: number, body: Buffer) => number;
}

/**
 * Sends a web response. A body that is no stream and has too many bytes is replaced by an error that names the request;
 * a stream whose reader takes nothing for `stalledMs` is cut.
 */
export async function sendWeb(
  response: ServerResponse,
  web: Response,
  { answerBytes, stalledMs }: Sending,
  { id = null, status = (it) => it }: Answering = {},
): Promise<void> {
  const headers = Object.fromEntries(web.headers);
  if (web.body === null) {
    response.writeHead(web.status, headers).end();
    return;
  }
  if (isStream(web)) {
    response.writeHead(web.status, headers);
    response.flushHeaders();
    await pump(response, web.body, stalledMs);
    return;
  }
  const bytes = Buffer.from(await web.arrayBuffer());
  const body = bytes.length > answerBytes ? tooLarge(bytes.length, answerBytes, id) : bytes;
  response.writeHead(status(web.status, bytes), { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  dropWhenStalled(response, stalledMs);
}

/** A peer that has not taken a finished answer by then never will. */
function dropWhenStalled(response: ServerResponse, stalledMs: number): void {
  if (response.writableFinished) return;
  const stalled = setTimeout(() => response.destroy(), stalledMs);
  response.once("close", () => clearTimeout(stalled));
}

export function isStream(web: Response): boolean {
  return web.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Settles when the peer took enough to be written to again, or is gone; a peer that takes nothing is dropped. */
export function drained(response: ServerResponse, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(stalled);
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    const stalled = setTimeout(() => response.destroy(), stalledMs);
    response.on("drain", settle).on("close", settle);
  });
}

async function pump(response: ServerResponse, body: ReadableStream<Uint8Array>, stalledMs: number): Promise<void> {
  const reader = body.getReader();
  response.once("close", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || response.destroyed) break;
    if (!response.write(value)) await drained(response, stalledMs);
  }
  response.end();
}

function tooLarge(bytes: number, most: number, id: string | number | null): string {
  const message = `The answer has ${bytes} bytes; at most ${most} are sent. Ask for less at a time.`;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message } });
}
