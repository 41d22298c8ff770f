import type { JsonRpcMessage } from "../base/json-rpc.ts";
import { EventStream, type ServerEvent, type StreamTarget } from "./event-stream.ts";
import { boundedText, sendText } from "./send.ts";

export interface ReplyOptions {
  /** How many answers the body asks for. */
  readonly expected: number;
  /** The body was an array: so is the answer. */
  readonly batch: boolean;
  /** What the client can read; with `either` a stream is opened when more than the answer comes, or it takes long. */
  readonly takes: "json" | "stream" | "either";
  readonly headers: Readonly<Record<string, string>>;
  readonly keepAliveMs: number;
  /** Milliseconds without an answer after which the stream is opened; `keepAliveMs` when absent. */
  readonly openAfterMs?: number;
  /** The first event of a stream, before any message. */
  readonly priming?: () => { readonly id: string; readonly retry: number };
  /** Keeps a message for a client that resumes the stream, and gives its event id; called though the client is gone. */
  readonly keep?: (message: JsonRpcMessage) => string;
  /** The status and body for one answer that is no plain success; by default every answer is a 200. */
  readonly statusOf?: (answer: JsonRpcMessage) => { readonly status: number; readonly body: unknown } | undefined;
  /** Called once: the answer is out, or the client is gone. */
  readonly onDone: () => void;
}

/** The answer to one POST: plain JSON, unless something has to be said before; then a stream of events. */
export class Reply {
  readonly #target: StreamTarget;
  readonly #options: ReplyOptions;
  readonly #answers: JsonRpcMessage[] = [];
  readonly #timer: NodeJS.Timeout | undefined;
  #stream: EventStream | undefined;
  #left: number;
  #isDone = false;

  constructor(target: StreamTarget, options: ReplyOptions) {
    this.#target = target;
    this.#options = options;
    this.#left = options.expected;
    target.response.once("close", () => this.#finish());
    if (options.takes === "json") return;
    this.#timer = setTimeout(() => this.#open(), options.openAfterMs ?? options.keepAliveMs);
    if (options.takes === "stream") this.#open();
  }

  /** `false` when it cannot reach the client any more, or not in a form that the client takes. */
  send(message: JsonRpcMessage): boolean {
    if (this.#isDone) {
      if (this.#stream !== undefined) this.#options.keep?.(message);
      return false;
    }
    if (message.method !== undefined) return this.#options.takes !== "json" && this.#event(message);
    if (this.#stream === undefined) this.#answers.push(message);
    else this.#event(message);
    this.end();
    return true;
  }

  /** An event as it is, for a client that resumes; it goes nowhere unless the client takes a stream. */
  sendEvent(event: ServerEvent): void {
    if (!this.#isDone && this.#options.takes !== "json") this.#open().send(event);
  }

  /** One of the expected answers has come, or will never come. */
  end(): void {
    this.#left -= 1;
    if (this.#left <= 0 && !this.#isDone) this.#close();
  }

  /** Ends the stream though answers are due: a client that resumes finds them. Without a stream nothing happens. */
  endStream(): void {
    this.#stream?.end();
  }

  #close(): void {
    const { headers, batch, statusOf } = this.#options;
    if (this.#stream !== undefined) this.#stream.end();
    else if (this.#answers.length === 0) this.#target.response.writeHead(202, headers).end();
    else {
      const [first] = this.#answers;
      const special = batch ? undefined : statusOf?.(first!);
      const text = JSON.stringify(special === undefined ? (batch ? this.#answers : first) : special.body);
      const id = batch ? null : (first!.id ?? null);
      sendText(this.#target, special?.status ?? 200, { ...headers, "content-type": "application/json" }, text, id);
    }
    this.#finish();
  }

  #event(message: JsonRpcMessage): boolean {
    const id = this.#options.keep?.(message);
    const { answerBytes } = this.#target.limits;
    const data = boundedText(
      JSON.stringify(message),
      answerBytes,
      message.method === undefined ? message.id : undefined,
    );
    return this.#open().send({ data, ...(id === undefined ? {} : { id }) });
  }

  #open(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const { headers, keepAliveMs, priming } = this.#options;
    const stream = new EventStream(this.#target, { headers, keepAliveMs });
    this.#stream = stream;
    if (priming !== undefined) stream.send({ ...priming(), event: "", data: "" });
    for (const answer of this.#answers.splice(0)) this.#event(answer);
    return stream;
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#options.onDone();
  }
}
