import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js";

export interface SseOptions {
  /** Where the client posts; the session's id is added to it. */
  readonly endpoint: string;
  readonly keepAliveMs: number;
  /** Bytes of one message. */
  readonly answerBytes: number;
  /** A reader that leaves more than this is dropped; so is one that takes nothing for `stalledMs`. */
  readonly unreadBytes: number;
  readonly stalledMs: number;
}

/** The server's half of the HTTP+SSE transport of 2024-11-05: an event stream that stays open for one session. */
export class SseStream implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly sessionId = randomUUID();
  readonly #response: ServerResponse;
  readonly #options: SseOptions;
  #timer: NodeJS.Timeout | undefined;
  #fullSince: number | undefined;
  #closed = false;
  readonly #unanswered = new Set<string | number>();
  #quiet: (() => void) | undefined;

  constructor(response: ServerResponse, options: SseOptions) {
    this.#response = response;
    this.#options = options;
  }

  async start(): Promise<void> {
    const response = this.#response;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    response.on("drain", () => (this.#fullSince = undefined));
    response.once("close", () => void this.close());
    this.#write(`event: endpoint\ndata: ${this.#options.endpoint}?sessionId=${this.sessionId}\n\n`);
    this.#timer = setInterval(() => this.#beat(), this.#options.keepAliveMs);
    this.#timer.unref();
  }

  deliver(message: JSONRPCMessage, extra: MessageExtraInfo): void {
    if ("method" in message && "id" in message) this.#unanswered.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled") this.#settle(message.params?.requestId);
    this.onmessage?.(message, extra);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    const text = JSON.stringify(message);
    const tooLarge = text.length > this.#options.answerBytes && "id" in message;
    this.#write(
      `event: message\ndata: ${tooLarge ? shorter(message.id, text.length, this.#options.answerBytes) : text}\n\n`,
    );
    if (!("method" in message)) this.#settle(message.id);
  }

  /** Closes once what was asked is answered, or after five seconds. */
  async drain(): Promise<void> {
    if (this.#unanswered.size > 0) {
      await new Promise<void>((resolve) => {
        this.#quiet = resolve;
        setTimeout(resolve, 5000).unref();
      });
    }
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    this.#response.end();
    this.onclose?.();
  }

  #settle(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#quiet?.();
  }

  #beat(): void {
    const stalled = this.#fullSince !== undefined && performance.now() - this.#fullSince > this.#options.stalledMs;
    if (stalled) this.#response.destroy();
    else this.#write(": keepalive\n\n");
  }

  #write(text: string): void {
    if (this.#closed) return;
    if (!this.#response.write(text)) this.#fullSince ??= performance.now();
    if (this.#response.writableLength > this.#options.unreadBytes) this.#response.destroy();
  }
}

function shorter(id: unknown, length: number, most: number): string {
  const message = `The answer has ${length} characters; at most ${most} are sent. Ask for less at a time.`;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message } });
}
