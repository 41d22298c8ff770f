import type { Log } from "../../base/log.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { SnapshotSource } from "../../core/ports.ts";
import type { Ledger } from "../../ledger/port.ts";
import type { RequestContext } from "../request-context.ts";
import type { Surface } from "../surface.ts";
import type { Connection, MessageLevel } from "./connection.ts";

/** What the handlers of a server answer from, for as long as it runs. */
export interface Serving {
  /** The surface of the present snapshot; the same object while the revision stays. */
  readonly surface: () => Surface;
  readonly source: SnapshotSource;
  readonly ledger: Ledger;
  readonly log: Log;
  /** Called after each tool call, whatever came of it. */
  readonly observe?: Observe;
}

export type Outcome = "ok" | "verbatim" | "refused" | "failed" | "unknown";
export type Observe = (call: { readonly tool: string; readonly outcome: Outcome; readonly ms: number }) => void;

/** One request of the protocol, with nothing in it of the SDK or the transport that carried it. */
export interface ProtocolContext extends RequestContext {
  /** The surface of the view's revision. */
  readonly surface: Surface;
  readonly connection: Connection;
  /** The revisions that keep a connection open are `legacy`; `modern` requests stand alone. */
  readonly era: "legacy" | "modern";
  /** The protocol's revision that the client speaks: no field goes to one that does not have it. */
  readonly revision: string;
  /** A level that came with this request alone. */
  readonly level?: MessageLevel;
  /** A notification that belongs to this request. Settles even when the peer is gone. */
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly log: Log;
  readonly observe?: Observe | undefined;
}

/** What a binding knows of a request before its context is made. */
export interface Incoming
  extends Pick<
    ProtocolContext,
    "signal" | "connection" | "era" | "revision" | "level" | "sample" | "notify" | "clientName" | "idempotencyKey"
  > {
  readonly caller: Caller;
  readonly progressToken?: string | number | undefined;
}

/** Where in `_meta` a client puts the key of a call that it may have to send again. */
const idempotencyField = "iaip-dsl/idempotency-key";
const maxName = 100;

/** What any client says of itself and of a request, cleaned of what could harm a log. */
export function clientFacts(
  meta: Readonly<Record<string, unknown>> | undefined,
  client: { readonly name?: unknown } | undefined,
): Pick<Incoming, "clientName" | "idempotencyKey"> {
  const key = meta?.[idempotencyField];
  const name = typeof client?.name === "string" ? client.name.replace(/\p{C}/gu, "").trim().slice(0, maxName) : "";
  return {
    ...(name === "" ? {} : { clientName: name }),
    ...(typeof key === "string" && key !== "" && key.length <= 256 ? { idempotencyKey: key } : {}),
  };
}

export type Result = Record<string, unknown>;
export type Handler = (params: Readonly<Record<string, unknown>>, context: ProtocolContext) => Result | Promise<Result>;
/** By method name. A method that is not in it is not served. */
export type Handlers = ReadonlyMap<string, Handler>;

/** The context of one request, once there is a vocabulary to answer from. */
export async function protocolContext(serving: Serving, incoming: Incoming): Promise<ProtocolContext> {
  const { source, ledger, log, observe } = serving;
  await source.ready;
  const { progressToken, ...rest } = incoming;
  const { caller, signal, notify } = incoming;
  const context = { ...rest, view: source.snapshot.viewFor(caller), surface: serving.surface(), ledger, log, observe };
  if (progressToken === undefined) return context;
  return {
    ...context,
    progress: (done, total, message) => {
      // Nothing goes out for a request that was given up.
      if (signal.aborted) return;
      const progress = { progressToken, progress: done, total, ...(message === undefined ? {} : { message }) };
      void notify("notifications/progress", progress);
    },
  };
}
