import type { ServerResponse } from "node:http";
import type { JsonRpcMessage } from "../base/json-rpc.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Backend, Client } from "./client.ts";

/** What waits for a client that has no stream open; the oldest is dropped. */
const heldBack = 100;
const unreadLimit = 32 * 1024 * 1024;

/** A client that comes back: its id, its backend's side, and the stream on which it can be told things. */
export class HttpSession {
  readonly id: string;
  readonly who: string;
  readonly client: Client;
  #stream: ServerResponse | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #held: JsonRpcMessage[] = [];
  #hadStream = false;
  #running = 0;
  #lastUse: number;
  readonly #now: () => number;

  constructor(id: string, whose: Pick<Exchange, "client" | "caller">, backend: Backend, now: () => number) {
    this.id = id;
    this.who = whose.client;
    this.#now = now;
    this.#lastUse = now();
    this.client = backend.openClient({
      who: whose.client,
      caller: whose.caller,
      alone: false,
      push: (message) => this.#push(message),
    });
  }

  /** Milliseconds since anything happened; zero while a call runs or a stream is open. */
  get idle(): number {
    return this.#running > 0 || this.#stream !== undefined ? 0 : this.#now() - this.#lastUse;
  }

  /** Whether the client ever opened a stream. */
  get hadStream(): boolean {
    return this.#hadStream;
  }

  began(): void {
    this.#running++;
  }

  ended(): void {
    this.#running--;
    this.#lastUse = this.#now();
  }

  /** Takes over the client's stream; an older one, which may be half open, is ended. */
  openStream(response: ServerResponse, keepAliveMs: number): void {
    this.#stream?.end();
    clearInterval(this.#keepAlive);
    this.#stream = response;
    this.#hadStream = true;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "mcp-session-id": this.id,
    });
    response.flushHeaders();
    this.#keepAlive = setInterval(() => response.write(": keepalive\n\n"), keepAliveMs);
    response.once("close", () => {
      if (this.#stream !== response) return;
      this.#stream = undefined;
      clearInterval(this.#keepAlive);
      this.#lastUse = this.#now();
    });
    for (const message of this.#held.splice(0)) this.#push(message);
  }

  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#stream?.end();
    await this.client.close();
  }

  #push(message: JsonRpcMessage): boolean {
    if (this.#stream === undefined) {
      // A question cannot wait: whoever asked is told that nobody is there.
      if (message.id !== undefined) return false;
      this.#held.push(message);
      if (this.#held.length > heldBack) this.#held.shift();
      return true;
    }
    this.#stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (this.#stream.writableLength > unreadLimit) this.#stream.destroy();
    return true;
  }
}
