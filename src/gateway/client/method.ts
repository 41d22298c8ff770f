import type { Log } from "../../base/log.ts";
import type { Caller, Scope } from "../../core/concept/caller.ts";
import type { ClientFace } from "../upstream/handshake.ts";
import type { Answer, PendingRequest } from "../upstream/link.ts";
import type { ListKind } from "../upstream/lists.ts";
import type { Params } from "../upstream/meta.ts";
import type { SharedUpstreams, Subscriber } from "../upstream/shared-upstreams.ts";
import type { UpstreamStatus } from "../upstream/status.ts";
import type { Timeouts } from "../upstream/timing.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Prepared, SetEvents, UpstreamSet } from "../upstream/upstream-set.ts";
import type { Audit } from "./audit.ts";
import type { Reply } from "./client.ts";

/** A request of a client that has no answer yet. */
export interface Running {
  readonly method: string;
  readonly reply: Reply;
  upstream?: string;
  pending?: PendingRequest;
  cancelled: boolean;
}

/** How one kind of request is answered. May throw `UpstreamFault`. */
export type Method = (client: MethodClient, params: Params, running: Running) => Answer | Promise<Answer>;

export interface GatewayContext {
  readonly prepared: Prepared;
  /** What is answered: `gateway-methods.ts` for many upstreams, `adapter-methods.ts` for one as it is. */
  readonly methods: Readonly<Record<string, Method>>;
  /** For every other request; where it is there, other notifications go on as well. */
  readonly otherwise?: Method;
  readonly version: string;
  readonly timeouts: Timeouts;
  readonly log: Log;
  readonly audit: Audit;
  readonly auditArguments: boolean;
  readonly now: () => number;
}

/** What clients of one gateway have in common. */
export interface GatewayHome {
  readonly context: GatewayContext;
  /** The connections that clients with these grants share. Throws `UpstreamFault` when there are too many sets. */
  sharedFor(protocols: Iterable<string>): SharedUpstreams;
  /** Connections for one client alone, with its own grants. */
  makeSet(face: ClientFace, caller: Caller, events: SetEvents): UpstreamSet;
  /** Every configured server, suspended ones too, in the order of the file. */
  status(set?: UpstreamSet): readonly UpstreamStatus[];
}

/** A client, as the methods see it. */
export interface MethodClient extends Subscriber {
  readonly home: GatewayHome;
  /** The upstreams it uses: its own, or those that are shared. */
  readonly set: UpstreamSet;
  /** The connections it shares with others; `undefined` when it has its own. */
  readonly shared: SharedUpstreams | undefined;
  readonly who: string;
  /** The name the client gave itself. */
  readonly clientName: string;
  /** The first of these scopes that the caller lacks. */
  lacks(scopes: readonly Scope[]): Scope | undefined;
  /** Learns who the client is, and decides whose connections it uses. Gives the revision to speak. */
  introduced(params: Params): string;
  /** Sends a request on. Progress goes back with the client's own token. */
  forward(running: Running, upstream: Upstream, method: string, params: Params, repeatable: boolean): Promise<Answer>;
  /** Notes that the client knows a list: from now on it is notified when that list changes. */
  knows(kind: ListKind): void;
  /** Gives the client its own connections, which log at its level. */
  setLevel(level: unknown): Promise<Answer>;
  taskStarted(taskId: string, upstream: string): void;
  taskOwner(taskId: unknown): Upstream | undefined;
  subscribed(uri: string, subscribed: boolean): void;
}
