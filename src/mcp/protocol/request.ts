import type { Log } from "../../base/log.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { SnapshotSource } from "../../core/ports.ts";
import type { Ledger } from "../../ledger/port.ts";
import type { SampleRequest, Surface } from "../surface.ts";
import type { Connection, MessageLevel } from "./connection.ts";

/** What the handlers of a server answer from, for as long as it runs. */
export interface Serving {
  /** The surface of the present snapshot; the same object while the revision stays. */
  readonly surface: () => Surface;
  readonly source: SnapshotSource;
  readonly ledger: Ledger;
  readonly log: Log;
  /** Told after each tool call, whatever came of it. */
  readonly observe?: Observe;
}

export type Outcome = "ok" | "verbatim" | "refused" | "failed" | "unknown";
export type Observe = (call: { readonly tool: string; readonly outcome: Outcome; readonly ms: number }) => void;

/** One request, with nothing in it of the SDK or the transport that carried it. */
export interface ProtocolRequest {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly connection: Connection;
  /** The revisions that keep a connection open are `legacy`; `modern` requests stand alone. */
  readonly era: "legacy" | "modern";
  readonly progressToken?: string | number;
  /** A level that came with this request alone. */
  readonly level?: MessageLevel;
  /** Present where the client declared `sampling`. May end the handler by throwing what the binding expects back. */
  readonly sample?: (request: SampleRequest) => Promise<string>;
  /** A notification that belongs to this request. Settles even when the peer is gone. */
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => Promise<void>;
}

export type Result = Record<string, unknown>;
export type Handler = (params: Readonly<Record<string, unknown>>, asked: ProtocolRequest) => Promise<Result>;
/** By method name. A method that is not in it is not served. */
export type Handlers = ReadonlyMap<string, Handler>;
