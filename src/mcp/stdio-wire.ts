import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { type Line, LineReader } from "../base/line-reader.ts";
import type { Log } from "../base/log.ts";
import { asMessage, errorMessage, type Id } from "./json-rpc.ts";
import { faultCodes } from "./protocol/fault.ts";

/** SDK peers drop a connection at 10 MiB a line; both directions stop well before. */
const lineLimit = 8 * 1024 * 1024;
/** A peer that leaves this much unread is gone. */
const unreadLimit = 64 * 1024 * 1024;
/** How long answers under way may still take when the client has closed its side. */
const drainMs = 600;

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * JSON-RPC lines over two streams. Survives garbage, a line that is too long (refused by id where it can be read), a
 * peer that stops reading and a peer that is gone; the end of `input` ends it once what was asked is answered.
 */
export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: Streams;
  readonly #log: Log;
  readonly #lines = new LineReader(lineLimit, (line) => this.#receive(line));
  readonly #unanswered = new Set<Id>();
  #ended = false;
  #closed = false;

  constructor(streams: Streams, log: Log) {
    this.#streams = streams;
    this.#log = log;
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams;
    input.on("data", (chunk: Buffer) => this.#lines.append(chunk));
    input.on("end", this.#end);
    input.on("close", this.#end);
    input.on("error", this.#end);
    output.on("error", this.#gone);
    output.on("close", this.#gone);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    this.#write(message);
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { input } = this.#streams;
    input.off("end", this.#end).off("close", this.#end).pause();
    this.onclose?.();
  }

  #receive(line: Line): void {
    if (this.#closed) return;
    if (line.kind === "too-long") this.#refuseLong(line);
    else if (line.text.trim() !== "") this.#deliver(asMessage(parsed(line.text)));
  }

  #deliver(message: JSONRPCMessage | undefined): void {
    if (message === undefined) {
      this.#log("warn", "a line from the client is no JSON-RPC message; it was skipped");
      return;
    }
    if ("method" in message) {
      if ("id" in message && message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
      if (message.method === "notifications/cancelled") this.#settle(message.params?.requestId as Id);
    }
    this.onmessage?.(message);
  }

  #refuseLong({ bytes, head, tail }: Extract<Line, { kind: "too-long" }>): void {
    this.#log("warn", "a line from the client was too long; it was refused", { bytes, limit: lineLimit });
    const text = `This request has ${bytes} bytes; a line may have ${lineLimit}. Send less at a time.`;
    this.#write(errorMessage(idOfLong(head, tail), faultCodes.invalidRequest, text));
  }

  #write(message: object): void {
    const { output } = this.#streams;
    const line = JSON.stringify(message);
    // A UTF-16 unit is three bytes at most: only a line that could be too long is counted.
    const bytes = line.length * 3 > lineLimit ? Buffer.byteLength(line) : 0;
    const tooLong = bytes > lineLimit && "id" in message;
    output.write(tooLong ? `${JSON.stringify(tooLongAnswer(message.id as Id, bytes))}\n` : `${line}\n`);
    if (output.writableLength <= unreadLimit) return;
    this.#log("error", "the client has stopped reading; the connection is closed", { unread: output.writableLength });
    this.#gone();
  }

  #settle(id: Id): void {
    this.#unanswered.delete(id);
    if (this.#ended && this.#unanswered.size === 0) void this.close();
  }

  readonly #end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#unanswered.size === 0) void this.close();
    else setTimeout(() => void this.close(), drainMs);
  };

  readonly #gone = (): void => void this.close();
}

function tooLongAnswer(id: Id, bytes: number) {
  const text = `The answer has ${bytes} bytes; a line may have ${lineLimit}. Ask for less at a time.`;
  return errorMessage(id, faultCodes.internal, text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The id of a message nobody parsed, where it stands at the very start or as the last top-level field. */
function idOfLong(head: string, tail: string): Id | null {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*,/.exec(head) ??
    /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/.exec(tail);
  if (found?.[1] === undefined) return null;
  const id = parsed(found[1]);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
