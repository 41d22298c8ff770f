import type { Caller } from "../core/concept/caller.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import type { Ledger } from "../ledger/port.ts";

/** What one request is answered from. A binding makes one for each request, and everything is answered from it alone. */
export interface RequestContext {
  readonly caller: Caller;
  /** The vocabulary at one revision, as this caller may see it. */
  readonly view: CallerView;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  /** The program that asks, as it named itself in its handshake. A claim, good for a log and for no right. */
  readonly clientName?: string | undefined;
  /** Given by a client that may have to ask again: the same key with the same arguments is one act. */
  readonly idempotencyKey?: string | undefined;
  /** Present only when the client sent a progress token. `done` of `total` steps. */
  readonly progress?: (done: number, total: number, message?: string) => void;
  /** Present only when the client declared `sampling`: the text its model writes. Rejects when the person or client declines. */
  readonly sample?: (request: SampleRequest) => Promise<string>;
}

export interface SampleRequest {
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
}
