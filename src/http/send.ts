import type { ServerResponse } from "node:http";
import type { Id } from "../base/json-rpc.ts";
import type { Exchange } from "./exchange.ts";

type Target = Pick<Exchange, "response" | "limits" | "wrote">;

/** Sends a whole body. One that is too large is replaced by an error for the request `id`; a peer that takes nothing is dropped. */
export function sendText(
  target: Target,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  id: Id | null = null,
): void {
  const { response, limits, wrote } = target;
  const body = Buffer.from(boundedText(text, limits.answerBytes, id));
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
  dropWhenStalled(response, limits.stalledMs);
  wrote();
}

/** The text, or an error for the request `id` in its place where it has too many bytes; a message without an id stays. */
export function boundedText(text: string, maxBytes: number, id: Id | null | undefined): string {
  // A UTF-16 unit is three bytes at most: only a text that could be too long is counted.
  if (id === undefined || text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  const message = `The answer has ${bytes} bytes; at most ${maxBytes} are sent. Ask for less at a time.`;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message } });
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

/** A peer that has not taken a finished answer by then never will. */
function dropWhenStalled(response: ServerResponse, stalledMs: number): void {
  if (response.writableFinished) return;
  const stalled = setTimeout(() => response.destroy(), stalledMs);
  response.once("close", () => clearTimeout(stalled));
}
