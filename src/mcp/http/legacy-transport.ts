import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/server";
import type { Id, JsonRpcMessage } from "../../base/json-rpc.ts";
import type { Caller } from "../../core/concept/caller.ts";
import { EventStream } from "../../http/event-stream.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Refusal, refuse } from "../../http/refuse.ts";
import { Reply } from "../../http/reply.ts";
import { firstRevision } from "../protocol/revision.ts";
import { formFor, sessionNotFound } from "./endpoint.ts";
import type { SessionEvents } from "./session-events.ts";

export interface LegacyTransportOptions {
  readonly keepAliveMs: number;
  /** Of a session; a transport without one serves a single request. */
  readonly session?: { readonly id: string; readonly events: SessionEvents };
}

interface Pending {
  /** As the client wrote it. Clients that retry, or do not count, use one twice; the server sees an id of our own. */
  readonly id: Id;
  readonly reply: Reply;
  readonly stream: string;
  readonly caller: Caller;
}

/** How long an answer may take before its stream is opened, so that a client can follow and resume it, in milliseconds. */
const openAfterMs = 250;
/** When a client that lost a stream is asked to come back, in milliseconds. */
const retryMs = 500;
const getStream = "get";

/**
 * A server's side of Streamable HTTP in the 2025 revisions: each POST gets its answers as JSON or as events, and a
 * session also has one stream for what belongs to no request, and a memory of events for clients that resume.
 */
export class LegacyTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly sessionId?: string;
  readonly #options: LegacyTransportOptions;
  readonly #pending = new Map<Id, Pending>();
  #requests = 0;
  #stream: EventStream | undefined;
  #listener: Caller | undefined;
  #posts = 0;
  #revision = "";
  #isClosed = false;

  constructor(options: LegacyTransportOptions) {
    this.#options = options;
    if (options.session !== undefined) this.sessionId = options.session.id;
  }

  async start(): Promise<void> {}

  /** The SDK says here what the handshake has agreed on. */
  setProtocolVersion(version: string): void {
    this.#revision = version;
  }

  /** Who sent the request with this id, which is being answered. */
  callerOf(id: Id): Caller {
    const pending = this.#pending.get(id);
    if (pending === undefined) throw new Error("a request reached a handler that nobody sent");
    return pending.caller;
  }

  /** Whose view counts for what is sent without having been asked for: whoever opened the stream. */
  get listener(): Caller | undefined {
    return this.#listener;
  }

  /** Delivers what was posted and answers the exchange. `onDone` is called once it is answered or the client is gone. */
  post(exchange: Exchange, messages: readonly JSONRPCMessage[], isBatch: boolean, onDone: () => void): void {
    const { response, caller } = exchange;
    const expected = messages.filter((it) => "method" in it && "id" in it).length;
    if (expected === 0) {
      for (const message of messages)
        this.onmessage?.(this.#cancelling(message), { classification: { era: "legacy" } });
      response.writeHead(202, this.#headers()).end();
      onDone();
      return;
    }
    const stream = `p${this.#posts++}`;
    const reply = this.#reply(exchange, stream, { expected, isBatch, onDone });
    const canResume = this.#options.session !== undefined && this.#canResume();
    const extra = {
      classification: { era: "legacy" as const },
      ...(canResume ? { closeSSEStream: () => reply.endStream() } : {}),
    };
    for (const message of messages) {
      if (!("method" in message && "id" in message)) this.onmessage?.(this.#cancelling(message), extra);
      else {
        const id = this.#requests++;
        this.#pending.set(id, { id: message.id, reply, stream, caller });
        this.onmessage?.({ ...message, id }, extra);
      }
    }
  }

  /** Opens the stream for what belongs to no request; an older one, which may be half open, is ended. */
  listen(exchange: Exchange): void {
    this.#stream?.end();
    this.#listener = exchange.caller;
    const stream = new EventStream(exchange, { headers: this.#headers(), keepAliveMs: this.#options.keepAliveMs });
    this.#stream = stream;
  }

  /** Sends what came after the event that a client read last, and goes on with that stream. */
  resume(exchange: Exchange, lastEventId: string): void {
    const found = this.#options.session?.events.after(lastEventId);
    if (found === undefined) {
      refuse(exchange.response, unknownEvent);
      return;
    }
    if (found.stream === getStream) {
      this.listen(exchange);
      for (const event of found.events) this.#stream?.send(event);
      return;
    }
    const pending = [...this.#pending].filter(([, { stream }]) => stream === found.stream);
    const options = { expected: Math.max(1, pending.length), isBatch: false, onDone: () => {} };
    const reply = this.#reply(exchange, found.stream, options, "stream");
    for (const [key, it] of pending) this.#pending.set(key, { ...it, reply });
    for (const event of found.events) reply.sendEvent(event);
    if (pending.length === 0) reply.end();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const sent = message as unknown as JsonRpcMessage;
    if (sent.method === undefined) {
      const pending = this.#pending.get(sent.id as Id);
      this.#pending.delete(sent.id as Id);
      pending?.reply.send({ ...sent, id: pending.id });
      return;
    }
    const related = options?.relatedRequestId;
    const reaches = related === undefined ? this.#push(sent) : (this.#pending.get(related)?.reply.send(sent) ?? false);
    if (!reaches && sent.id !== undefined) throw new Error("The client cannot be asked: it has no stream open.");
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream?.end();
    for (const { reply } of this.#pending.values()) reply.end();
    this.#pending.clear();
    this.onclose?.();
  }

  #reply(
    exchange: Exchange,
    stream: string,
    given: { readonly expected: number; readonly isBatch: boolean; readonly onDone: () => void },
    takes = formFor(exchange),
  ): Reply {
    const { session, keepAliveMs } = this.#options;
    const { expected, isBatch, onDone } = given;
    const common = { expected, batch: isBatch, takes, keepAliveMs, headers: this.#headers(), onDone };
    if (session === undefined) return new Reply(exchange, common);
    const { events } = session;
    const priming = () => ({ id: events.mark(stream), retry: retryMs });
    return new Reply(exchange, {
      ...common,
      openAfterMs,
      keep: (message) => events.keep(stream, message),
      ...(this.#canResume() ? { priming } : {}),
    });
  }

  /** Older clients take the event that opens a resumable stream for a broken message. */
  #canResume(): boolean {
    return this.#revision >= firstRevision.resumable;
  }

  #push(message: JsonRpcMessage): boolean {
    const id = this.#options.session?.events.keep(getStream, message);
    return id !== undefined && this.#stream?.send({ id, data: JSON.stringify(message) }) === true;
  }

  /** A request that the client gave up is answered by nobody, and is named to the server as the server knows it. */
  #cancelling(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message) || message.method !== "notifications/cancelled") return message;
    const named = [...this.#pending].findLast(([, { id }]) => id === message.params?.requestId);
    if (named === undefined) return message;
    const [requestId, { reply }] = named;
    this.#pending.delete(requestId);
    reply.end();
    return { ...message, params: { ...message.params, requestId } };
  }

  #headers(): Readonly<Record<string, string>> {
    return this.sessionId === undefined ? {} : { "mcp-session-id": this.sessionId };
  }
}

const unknownEvent: Refusal = { ...sessionNotFound, status: 400, message: "This session never sent such an event." };
