import type { JsonRpcMessage } from "../../base/json-rpc.ts";

interface Stored {
  readonly stream: string;
  readonly sequence: number;
  readonly data: string;
}

const maxEvents = 256;

/**
 * What one session's streams sent lately, for a client that lost the connection. It belongs to that session alone, so
 * another session's event id finds nothing, and it forgets the oldest when it is full.
 */
export class SessionEvents {
  readonly #maxCharacters: () => number;
  #events: Stored[] = [];
  #characters = 0;
  #next = 0;

  constructor(maxCharacters: () => number) {
    this.#maxCharacters = maxCharacters;
  }

  /** The id of an event that holds no message: what a client resumes from that has read nothing else yet. */
  mark(stream: string): string {
    return `${stream}/${this.#next++}`;
  }

  keep(stream: string, message: JsonRpcMessage): string {
    const sequence = this.#next++;
    const data = JSON.stringify(message);
    this.#events.push({ stream, sequence, data });
    this.#characters += data.length;
    while (this.#events.length > maxEvents || this.#characters > this.#maxCharacters()) {
      this.#characters -= this.#events.shift()?.data.length ?? 0;
      if (this.#events.length === 0) break;
    }
    return `${stream}/${sequence}`;
  }

  /** The stream of an event id, and what came on it after; `undefined` for an id that was never given. */
  after(id: string): { readonly stream: string; readonly events: readonly { id: string; data: string }[] } | undefined {
    const [, stream, number] = /^([a-z0-9]+)\/(\d{1,15})$/.exec(id) ?? [];
    if (stream === undefined || number === undefined || Number(number) >= this.#next) return undefined;
    const later = this.#events.filter((it) => it.stream === stream && it.sequence > Number(number));
    return { stream, events: later.map(({ sequence, data }) => ({ id: `${stream}/${sequence}`, data })) };
  }
}
