import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface Stored {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const mostEvents = 256;
const mostCharacters = 1024 * 1024;

/**
 * What one session's streams sent lately, for a client that lost the connection. It belongs to that session alone, so
 * another session's event id finds nothing, and it forgets the oldest when it is full.
 */
export class SessionEvents implements EventStore {
  #events: Stored[] = [];
  #characters = 0;
  #next = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `${stream}/${this.#next++}`;
    const size = JSON.stringify(message).length;
    this.#events.push({ id, stream, message, size });
    this.#characters += size;
    while (this.#events.length > mostEvents || this.#characters > mostCharacters) {
      this.#characters -= this.#events.shift()?.size ?? 0;
    }
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find((event) => event.id === id)?.stream;
  }

  async replayEventsAfter(
    id: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const index = this.#events.findIndex((event) => event.id === id);
    const stream = this.#events[index]?.stream ?? "";
    for (const event of this.#events.slice(index + 1)) {
      const isPriming = Object.keys(event.message).length === 0;
      if (event.stream === stream && !isPriming) await send(event.id, event.message);
    }
    return stream;
  }
}
