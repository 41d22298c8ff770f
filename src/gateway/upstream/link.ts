import { isRecord, type JsonRpcMessage, type MessageChannel } from "../../base/json-rpc.ts";
import { UpstreamFault } from "./fault.ts";
import { type Params, reasonOf, traceHeaders, withMeta } from "./meta.ts";

/** `result` or `error`, as the other side sent it. */
export type Answer = Pick<JsonRpcMessage, "result" | "error">;

export interface LinkEvents {
  /** The upstream requests something of its client. `cancel` is called when the upstream takes the request back. */
  requested(
    method: string,
    params: Params | undefined,
  ): { readonly answer: Promise<Answer>; cancel(reason: unknown): void };
  notified(method: string, params: Params | undefined): void;
  /** Once, whatever ended it. */
  closed(reason: string): void;
  trouble(reason: string): void;
}

export interface Timing {
  /** Milliseconds without an answer or progress. */
  readonly timeout: number;
  /** Milliseconds however much progress comes. */
  readonly total: number;
}

export interface PendingRequest {
  readonly answer: Promise<Answer>;
  /** Tells the upstream and settles `answer` with a `cancelled` fault. */
  cancel(reason?: unknown): void;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: UpstreamFault) => void;
  readonly progress: ((params: Params) => void) | undefined;
  readonly giveUp: AbortController | undefined;
  readonly timing: Timing;
  readonly started: number;
  timer: NodeJS.Timeout;
}

/** What a channel over HTTP can do for one request beyond sending it. */
interface RequestChannel extends MessageChannel {
  readonly hasPerRequestStream?: boolean;
  send(
    message: JsonRpcMessage,
    options?: {
      readonly requestSignal: AbortSignal;
      readonly headers: Readonly<Record<string, string>>;
      readonly onRequestStreamEnd: () => void;
    },
  ): Promise<void>;
}

/** One conversation with one upstream: ids, progress, time limits and cancellation are its own. */
export class Link {
  readonly #name: string;
  readonly #channel: RequestChannel;
  readonly #events: LinkEvents;
  readonly #waiting = new Map<number, Waiting>();
  readonly #requested = new Map<unknown, { cancel(reason: unknown): void }>();
  #nextId = 1;
  #ended: string | undefined;
  #retired = false;

  constructor(name: string, channel: MessageChannel, events: LinkEvents) {
    this.#name = name;
    this.#channel = channel;
    this.#events = events;
    channel.onmessage = (message) => this.#receive(message);
    channel.onclose = () => this.#end(channel.closeReason ?? "the connection was closed");
    channel.onerror = (error) => {
      if (this.#ended === undefined) events.trouble(reasonOf(error));
    };
  }

  get open(): boolean {
    return this.#ended === undefined;
  }

  start(): Promise<void> {
    return this.#channel.start();
  }

  request(method: string, params: Params, timing: Timing, progress?: (params: Params) => void): PendingRequest {
    const id = this.#nextId++;
    if (this.#ended !== undefined) {
      const fault = new UpstreamFault("unavailable", this.#name, `upstream "${this.#name}" is gone: ${this.#ended}`);
      return { answer: Promise.reject(fault), cancel: () => {} };
    }
    const perRequest = this.#channel.hasPerRequestStream === true;
    const giveUp = perRequest ? new AbortController() : undefined;
    const answer = new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => this.#timedOut(id), timing.timeout);
      this.#waiting.set(id, { resolve, reject, progress, giveUp, timing, started: performance.now(), timer });
    });
    const message: JsonRpcMessage = {
      jsonrpc: "2.0",
      id,
      method,
      params: progress === undefined ? params : withMeta(params, { progressToken: id }),
    };
    const sending =
      giveUp === undefined
        ? this.#channel.send(message)
        : this.#channel.send(message, {
            requestSignal: giveUp.signal,
            headers: traceHeaders(params),
            onRequestStreamEnd: () => this.#fail(id, "broken", "the answer's stream ended without an answer"),
          });
    sending.catch((error: unknown) => this.#sendFailed(id, error));
    return { answer, cancel: (reason) => this.#cancel(id, reason) };
  }

  /** Settles when the message is on its way. Never rejects: a notification that is lost is only said. */
  async notify(method: string, params?: Params): Promise<void> {
    if (this.#ended !== undefined) return;
    try {
      await this.#channel.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
    } catch (error) {
      this.#events.trouble(reasonOf(error));
    }
  }

  /** Closes as soon as nothing waits for an answer any more: each request under way learns its own fate. */
  async retire(): Promise<void> {
    this.#retired = true;
    if (this.#waiting.size === 0) await this.close("it was replaced");
  }

  async close(reason = "it was closed by the gateway"): Promise<void> {
    this.#end(reason);
    await this.#channel.close();
  }

  #receive(message: JsonRpcMessage): void {
    if (message.method === undefined) this.#answered(message);
    else if (message.id === undefined || message.id === null) this.#notified(message.method, message.params);
    else void this.#answer(message.id, message.method, message.params);
  }

  #answered(message: JsonRpcMessage): void {
    // Some servers turn a numeric id into a string, or leave it out. A late answer finds nothing and is dropped.
    const given = message.id ?? undefined;
    const id = given === undefined && this.#waiting.size === 1 ? [...this.#waiting.keys()][0]! : Number(given);
    const waiting = this.#take(id);
    if (waiting === undefined) return;
    if (message.error !== undefined) waiting.resolve({ error: message.error });
    else waiting.resolve({ result: isRecord(message.result) ? message.result : {} });
  }

  #notified(method: string, params: Params | undefined): void {
    if (method === "notifications/progress") {
      const waiting = this.#waiting.get(Number(params?.progressToken));
      if (waiting === undefined || params === undefined) return;
      this.#extend(Number(params.progressToken), waiting);
      waiting.progress?.(params);
    } else if (method === "notifications/cancelled") {
      const requested = this.#requested.get(params?.requestId);
      // A request that was taken back gets no answer.
      this.#requested.delete(params?.requestId);
      requested?.cancel(params?.reason);
    } else {
      this.#events.notified(method, params);
    }
  }

  async #answer(id: string | number, method: string, params: Params | undefined): Promise<void> {
    if (method === "ping") {
      await this.#reply(id, { result: {} });
      return;
    }
    const requested = this.#events.requested(method, params);
    this.#requested.set(id, requested);
    const answer = await requested.answer;
    if (!this.#requested.delete(id)) return;
    await this.#reply(id, answer);
  }

  async #reply(id: string | number, answer: Answer): Promise<void> {
    if (this.#ended !== undefined) return;
    try {
      await this.#channel.send({ jsonrpc: "2.0", id, ...answer });
    } catch (error) {
      this.#events.trouble(reasonOf(error));
    }
  }

  #extend(id: number, waiting: Waiting): void {
    const left = waiting.timing.total - (performance.now() - waiting.started);
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(() => this.#timedOut(id), Math.max(0, Math.min(waiting.timing.timeout, left)));
  }

  #timedOut(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    const seconds = Math.round((performance.now() - waiting.started) / 100) / 10;
    this.#sendCancelled(id, "the request timed out");
    this.#fail(id, "timeout", `no answer within ${seconds} s`);
  }

  #cancel(id: number, reason: unknown): void {
    if (!this.#waiting.has(id)) return;
    this.#sendCancelled(id, reason);
    this.#fail(id, "cancelled", "the request was cancelled");
  }

  #sendCancelled(id: number, reason: unknown): void {
    void this.notify("notifications/cancelled", { requestId: id, ...(typeof reason === "string" ? { reason } : {}) });
  }

  #sendFailed(id: number, error: unknown): void {
    const status = isRecord(error) ? error.status : undefined;
    if (status === 404) this.#fail(id, "session-lost", "it no longer knows the session");
    else if (error instanceof Error && error.name === "UnauthorizedError") {
      this.#fail(id, "unavailable", "it wants authorization (401)");
    } else if (status === 401 || status === 403)
      this.#fail(id, "unavailable", `it refuses the authorization (${status})`);
    else this.#fail(id, "unavailable", reasonOf(error));
  }

  #fail(id: number, kind: UpstreamFault["kind"], reason: string): void {
    const waiting = this.#take(id);
    if (waiting === undefined) return;
    waiting.reject(new UpstreamFault(kind, this.#name, `upstream "${this.#name}" gave no answer: ${reason}`));
    waiting.giveUp?.abort();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (this.#retired && this.#waiting.size === 0) void this.close("it was replaced");
    return waiting;
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    for (const id of [...this.#waiting.keys()]) this.#fail(id, "broken", reason);
    for (const requested of this.#requested.values()) requested.cancel(reason);
    this.#requested.clear();
    this.#events.closed(reason);
  }
}
