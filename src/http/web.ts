import type { Id } from "../base/json-rpc.ts";
import type { Exchange } from "./exchange.ts";
import { drained, sendText } from "./send.ts";

/** The request as the web's own object, without its body: whoever needs it has read that already. */
export function webRequest({ request, url, signal }: Exchange): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(index, index + 2);
    if (!name.startsWith(":")) headers.append(name, value);
  }
  return new Request(url, { method: request.method ?? "GET", headers, signal });
}

/** Which request a body answers, and which status goes with what it says. */
export interface Answering {
  readonly id?: Id | null;
  readonly status?: (status: number, body: string) => number;
}

/** Sends a web response: a body at once, a stream as it comes. */
export async function sendWeb(
  exchange: Exchange,
  web: Response,
  { id = null, status = (it) => it }: Answering = {},
): Promise<void> {
  const { response } = exchange;
  const headers = Object.fromEntries(web.headers);
  if (web.body === null) {
    response.writeHead(web.status, headers).end();
    return;
  }
  if (web.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    response.writeHead(web.status, headers);
    response.flushHeaders();
    return pump(exchange, web.body);
  }
  const text = await web.text();
  sendText(exchange, status(web.status, text), headers, text, id);
}

async function pump(exchange: Exchange, body: ReadableStream<Uint8Array>): Promise<void> {
  const { response, limits, wrote } = exchange;
  const reader = body.getReader();
  response.once("close", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || response.destroyed) break;
    const isTaken = response.write(value);
    wrote();
    if (!isTaken) await drained(response, limits.stalledMs);
  }
  response.end();
}
