import type { ServerResponse } from "node:http";
import type { JsonRpcMessage } from "../base/json-rpc.ts";
import type { Reply } from "./client.ts";

export interface PostReplyOptions {
  /** How many answers the body asks for. */
  readonly expected: number;
  /** The body was an array: so is the answer. */
  readonly batch: boolean;
  /** The client takes a stream, so that more than the answer can come. */
  readonly streams: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly keepAliveMs: number;
  /** The status and body for one answer that is no plain success; by default every answer is a 200. */
  readonly statusOf?: (answer: JsonRpcMessage) => { readonly status: number; readonly body: unknown } | undefined;
  readonly onDone: () => void;
}

/** More unread bytes than this, and a client that does not read is let go. */
const unreadLimit = 32 * 1024 * 1024;

/** The answer to one POST: plain JSON, unless something has to be said before; then a stream of events. */
export class PostReply implements Reply {
  readonly #response: ServerResponse;
  readonly #options: PostReplyOptions;
  readonly #answers: JsonRpcMessage[] = [];
  #left: number;
  #streaming = false;
  #done = false;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, options: PostReplyOptions) {
    this.#response = response;
    this.#options = options;
    this.#left = options.expected;
    if (options.streams) this.#keepAlive = setTimeout(() => this.#stillThere(), options.keepAliveMs);
    response.once("close", () => this.#finish());
  }

  send(message: JsonRpcMessage): boolean {
    if (this.#done) return false;
    if (message.method !== undefined) {
      if (this.#options.streams) this.#event(message);
      return this.#options.streams;
    }
    this.#left--;
    if (this.#streaming) this.#event(message);
    else this.#answers.push(message);
    if (this.#left <= 0) this.#close();
    return true;
  }

  end(): void {
    this.#left--;
    if (this.#left <= 0 && !this.#done) this.#close();
  }

  #close(): void {
    const { headers, batch, statusOf } = this.#options;
    if (this.#streaming) this.#response.end();
    else if (this.#answers.length === 0) this.#response.writeHead(202, headers).end();
    else {
      const [first] = this.#answers;
      const special = batch ? undefined : statusOf?.(first!);
      const text = JSON.stringify(special === undefined ? (batch ? this.#answers : first) : special.body);
      const length = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      this.#response.writeHead(special?.status ?? 200, { ...headers, ...length }).end(text);
    }
    this.#finish();
  }

  #event(message: JsonRpcMessage): void {
    this.#open();
    this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (this.#response.writableLength > unreadLimit) this.#response.destroy();
  }

  #open(): void {
    if (this.#streaming) return;
    this.#streaming = true;
    this.#response.writeHead(200, {
      ...this.#options.headers,
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
    });
    for (const answer of this.#answers.splice(0)) this.#event(answer);
  }

  #stillThere(): void {
    this.#open();
    this.#response.write(": keepalive\n\n");
    this.#keepAlive = setTimeout(() => this.#stillThere(), this.#options.keepAliveMs);
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#keepAlive);
    this.#options.onDone();
  }
}
