import type { JsonRpcMessage } from "../../base/json-rpc.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { Deliver } from "./client-requests.ts";

/** The way back of one message from a client: on stdio the stream, over HTTP the answer of that very request. */
export interface Reply {
  /** False when it cannot be said here: the client takes one answer and no stream, or has it already. */
  send(message: JsonRpcMessage): boolean;
  /** Nothing more comes: the request was cancelled. */
  end(): void;
}

export interface ClientOpening {
  /** Reaches the client outside of any request. */
  readonly push: Deliver;
  /** How logs name who is asking; never a secret. */
  readonly who: string;
  /** What the client may do, and whose grants its requests carry to the concept server. */
  readonly caller: Caller;
  /** The only client there is: nothing of it is shared, and whatever an upstream says reaches it. */
  readonly alone: boolean;
}

/** One client, whatever it came by. */
export interface Client {
  receive(message: JsonRpcMessage, reply: Reply): void;
  /** Settles when no request waits for its answer. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** What answers clients. */
export interface Backend {
  openClient(opening: ClientOpening): Client;
  close(): Promise<void>;
}
