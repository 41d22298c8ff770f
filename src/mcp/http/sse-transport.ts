import { randomUUID } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, JSONRPCNotification } from "@modelcontextprotocol/sdk/types.js";
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
  /** By an id of our own: clients that retry, or do not count, use one twice. */
  readonly #pending = new Map<Id, { readonly id: Id; readonly caller: Caller }>();
  #requests = 0;
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
    const pending = this.#pending.get(id);
    if (pending === undefined) throw new Error("a request reached a handler that nobody sent");
    return pending.caller;
  }

  deliver(message: JSONRPCMessage, caller: Caller): void {
    if (!("method" in message)) {
      this.onmessage?.(message);
      return;
    }
    if (message.method === "initialize") {
      const named = legacyRevisions.find((it) => it === message.params?.protocolVersion);
      this.#revision = named ?? latestLegacyRevision;
    }
    if ("id" in message) {
      const id = this.#requests++;
      this.#pending.set(id, { id: message.id, caller });
      this.onmessage?.({ ...message, id });
    } else this.onmessage?.(message.method === "notifications/cancelled" ? this.#cancelling(message) : message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const own = "method" in message ? undefined : message.id;
    const id = own === undefined ? undefined : this.#pending.get(own)?.id;
    const text = JSON.stringify(id === undefined ? message : { ...message, id });
    this.#stream?.send({ data: boundedText(text, this.#exchange.limits.answerBytes, id) });
    if (own !== undefined) this.#settle(own);
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

  /** The notification with the request's id as the server knows it. */
  #cancelling<M extends JSONRPCNotification>(message: M): M {
    const named = [...this.#pending].findLast(([, { id }]) => id === message.params?.requestId);
    if (named === undefined) return message;
    this.#settle(named[0]);
    return { ...message, params: { ...message.params, requestId: named[0] } };
  }

  #settle(id: Id): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#quiet?.();
  }
}
