import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../core/concept/caller.ts";
import type { Limits } from "./limits.ts";
import type { Body } from "./read-body.ts";

/** One request that passed the guards, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** Where clients know this server: origin and path prefix, without a slash at the end. */
  readonly publicUrl: string;
  readonly caller: Caller;
  /** Whom limits and sessions hold it to: the token's holder or the peer's address. */
  readonly client: string;
  readonly limits: Limits;
  /** To be called after each write to the response: what its client leaves unread is bounded. */
  wrote(): void;
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
  /**
   * Served under any Host and to callers without a token: `always` for probes and metadata that reveal nothing;
   * `without-token` for what says more to callers who are known, whose token is then checked as everywhere else.
   */
  readonly open?: "always" | "without-token";
  handle(exchange: Exchange): Promise<void>;
}
