import { randomUUID } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Id } from "../../base/json-rpc.ts";
import type { Caller } from "../../core/concept/caller.ts";
import { EventStream } from "../../http/event-stream.ts";
import type { Exchange } from "../../http/exchange.ts";
import { boundedText } from "../../http/send.ts";
import { latestLegacyRevision, legacyRevisions } from "../protocol/revision.ts";

export interface SseOptions {
  /** Where the client posts; the session's id is added to it. */
  readonly endpoint: string;
  readonly keepAliveMs: number;
}

/** How long answers under way may still take when the server ends, in milliseconds. */
const drainMs = 5000;

/** The server's half of the HTTP+SSE transport of 2024-11-05: an event stream that stays open for one session. */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly sessionId = randomUUID();
  readonly #exchange: Exchange;
  readonly #options: SseOptions;
  readonly #pending = new Map<Id, Caller>();
  #stream: EventStream | undefined;
  #quiet: (() => void) | undefined;
  #revision: string = latestLegacyRevision;

  constructor(exchange: Exchange, options: SseOptions) {
    this.#exchange = exchange;
    this.#options = options;
  }

  /** The revision that the client opened with; the SDK agrees on the latest where it does not know that one. */
  get revision(): string {
    return this.#revision;
  }

  async start(): Promise<void> {
    const { endpoint, keepAliveMs } = this.#options;
    this.#stream = new EventStream(this.#exchange, { keepAliveMs, onclose: () => this.onclose?.() });
    this.#stream.send({ event: "endpoint", data: `${endpoint}?sessionId=${this.sessionId}` });
  }

  /** Who sent the request with this id, which is being answered. */
  callerOf(id: Id): Caller {
    const caller = this.#pending.get(id);
    if (caller === undefined) throw new Error("a request reached a handler that nobody sent");
    return caller;
  }

  /** `false` for a request whose id another one has that is being answered. */
  deliver(message: JSONRPCMessage, caller: Caller): boolean {
    if ("method" in message && "id" in message) {
      if (this.#pending.has(message.id)) return false;
      this.#pending.set(message.id, caller);
    }
    if ("method" in message && message.method === "notifications/cancelled") this.#settle(message.params?.requestId);
    if ("method" in message && message.method === "initialize") {
      const named = legacyRevisions.find((it) => it === message.params?.protocolVersion);
      this.#revision = named ?? latestLegacyRevision;
    }
    this.onmessage?.(message);
    return true;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = "method" in message ? undefined : message.id;
    const { answerBytes } = this.#exchange.limits;
    this.#stream?.send({ data: boundedText(JSON.stringify(message), answerBytes, id) });
    if (id !== undefined) this.#settle(id);
  }

  /** Closes once what is being answered is, or after five seconds. */
  async drain(): Promise<void> {
    if (this.#pending.size > 0) {
      await new Promise<void>((resolve) => {
        this.#quiet = resolve;
        setTimeout(resolve, drainMs).unref();
      });
    }
    await this.close();
  }

  async close(): Promise<void> {
    this.#stream?.end();
  }

  #settle(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#pending.delete(id);
    if (this.#pending.size === 0) this.#quiet?.();
  }
}
