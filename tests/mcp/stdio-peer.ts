import type { Readable, Writable } from "node:stream";

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export function modernMeta(more: object = {}) {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "peer", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...more,
  };
}

/** A client of lines, with no SDK between a test and the wire. */
export class StdioPeer {
  readonly received: Message[] = [];
  readonly output: Readable;
  readonly #input: Writable;
  readonly #waiting = new Map<string | number | null, (message: Message) => void>();
  #next = 0;
  #rest = "";

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    this.output = output;
    output.setEncoding("utf8");
    output.on("data", (chunk: string) => this.#take(chunk));
    output.on("error", () => {});
    input.on("error", () => {});
  }

  initialize(protocolVersion = "2025-11-25"): Promise<Message> {
    const answer = this.ask("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "peer", version: "1" },
    });
    return answer.then((hello) => {
      this.tell("notifications/initialized");
      return hello;
    });
  }

  ask(method: string, params: object = {}): Promise<Message> & { readonly id: number } {
    const id = this.#next++;
    const answer = this.answerTo(id);
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return Object.assign(answer, { id });
  }

  call(name: string, args: object = {}): Promise<Message> {
    return this.ask("tools/call", { name, arguments: args });
  }

  tell(method: string, params: object = {}): void {
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  answerTo(id: string | number): Promise<Message> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  notifications(method: string): readonly Message[] {
    return this.received.filter((message) => message.method === method);
  }

  raw(data: string | Uint8Array): void {
    this.#input.write(data);
  }

  end(): void {
    this.#input.end();
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      this.received.push(message);
      if (message.method === undefined) this.#waiting.get(message.id ?? null)?.(message);
    }
  }
}
