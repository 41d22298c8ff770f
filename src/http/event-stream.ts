import type { Exchange } from "./exchange.ts";

/** What a stream is written to; its client's unread bytes are bounded by the listener. */
export type StreamTarget = Pick<Exchange, "response" | "limits" | "wrote">;

export interface EventStreamOptions {
  /** Milliseconds between comments that keep the connection alive. */
  readonly keepAliveMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, when the stream has ended, whoever ended it. */
  readonly onclose?: () => void;
}

export interface ServerEvent {
  /** One line: JSON holds no line breaks. */
  readonly data: string;
  /** `message` when absent; no event type at all when empty. */
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds after which a client that lost the connection comes back. */
  readonly retry?: number;
}

/**
 * Server-sent events on one response, begun at once. A reader that takes nothing for `limits.stalledMs`, or leaves more
 * than its client may, loses the connection.
 */
export class EventStream {
  readonly #target: StreamTarget;
  readonly #onclose: (() => void) | undefined;
  readonly #timer: NodeJS.Timeout;
  #fullSince: number | undefined;
  #isOpen = true;

  constructor(target: StreamTarget, { keepAliveMs, headers = {}, onclose }: EventStreamOptions) {
    const { response } = target;
    this.#target = target;
    this.#onclose = onclose;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...headers,
    });
    response.flushHeaders();
    response.on("drain", () => (this.#fullSince = undefined));
    response.once("close", () => this.#close());
    this.#timer = setInterval(() => this.#keepAlive(), keepAliveMs);
    this.#timer.unref();
    if (response.destroyed) this.#close();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** `false` when nobody is there to take it. */
  send({ data, event = "message", id, retry }: ServerEvent): boolean {
    const lines = [
      ...(event === "" ? [] : [`event: ${event}`]),
      ...(id === undefined ? [] : [`id: ${id}`]),
      ...(retry === undefined ? [] : [`retry: ${retry}`]),
      `data: ${data}`,
    ];
    return this.#write(`${lines.join("\n")}\n\n`);
  }

  /** Ends it in order: what was sent still arrives. */
  end(): void {
    this.#target.response.end();
    this.#close();
  }

  #keepAlive(): void {
    const { response, limits } = this.#target;
    const isStalled = this.#fullSince !== undefined && performance.now() - this.#fullSince > limits.stalledMs;
    if (isStalled) response.destroy();
    else this.#write(": keepalive\n\n");
  }

  #write(text: string): boolean {
    if (!this.#isOpen) return false;
    const { response, wrote } = this.#target;
    if (!response.write(text)) this.#fullSince ??= performance.now();
    wrote();
    return !response.destroyed;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#timer);
    this.#onclose?.();
  }
}
