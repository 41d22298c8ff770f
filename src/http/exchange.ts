import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../core/concept/caller.ts";
import type { Body } from "./read-body.ts";

/** One request that passed the guards, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly caller: Caller;
  /** Whom limits and sessions hold it to: a token's name or the peer's address. */
  readonly client: string;
  /** Aborted when the peer is gone before the response was finished. */
  readonly signal: AbortSignal;
  body(): Promise<Body>;
  /** From now on counted as an open stream instead of a call; `false` when the client has too many. */
  becomeStream(): boolean;
  /** What a 403 for a missing scope carries, where the caller can ask an authorization server for more. */
  readonly challenge?: (scope: string) => string;
}

export interface Route {
  /** Exact paths, or one ending in `/` for everything below it. */
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  /** Served without a token and under any Host: probes and metadata that say nothing. */
  readonly open?: boolean;
  handle(exchange: Exchange): Promise<void>;
}
