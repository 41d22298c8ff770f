import { isRecord, type JsonRpcMessage } from "../../base/json-rpc.ts";
import type { Scope } from "../../core/concept/caller.ts";
import { faultError, UpstreamFault } from "../upstream/fault.ts";
import { revisions } from "../upstream/handshake.ts";
import type { Answer } from "../upstream/link.ts";
import type { ListKind } from "../upstream/lists.ts";
import type { Params } from "../upstream/meta.ts";
import type { SharedUpstreams } from "../upstream/shared-upstreams.ts";
import { type Wait, wait } from "../upstream/timing.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { SetEvents, UpstreamSet } from "../upstream/upstream-set.ts";
import type { Client, ClientOpening, Reply } from "./client.ts";
import { ClientRequests } from "./client-requests.ts";
import type { GatewayHome, MethodClient, Running } from "./method.ts";

const noticeOf: Readonly<Record<ListKind, string>> = {
  tools: "notifications/tools/list_changed",
  resources: "notifications/resources/list_changed",
  templates: "notifications/resources/list_changed",
  prompts: "notifications/prompts/list_changed",
};

/** Requests that need no right: they say nothing of what upstreams hold. `tools/call` looks at the tool. */
const unguarded: ReadonlySet<string> = new Set(["initialize", "ping", "tools/list", "tools/call"]);

/** One client of the gateway: its requests, its lists, and what upstreams request of it. */
export class GatewayClient implements Client, MethodClient {
  readonly home: GatewayHome;
  readonly #opening: ClientOpening;
  readonly #forget: () => void;
  readonly #requests = new ClientRequests();
  readonly #running = new Map<unknown, Running>();
  readonly #listed = new Set<string>();
  readonly #due = new Set<string>();
  readonly #taskOwners = new Map<string, string>();
  readonly #subscribed = new Set<string>();
  #own: UpstreamSet | undefined;
  #shared: SharedUpstreams | undefined;
  #params: Params = {};
  #level: unknown;
  #notices: Wait | undefined;
  /** While the handshake is being answered: settles once it is. */
  #introducing: Promise<void> | undefined;
  #closed = false;
  #quiet: (() => void) | undefined;

  constructor(home: GatewayHome, opening: ClientOpening, forget: () => void) {
    this.home = home;
    this.#opening = opening;
    this.#forget = forget;
  }

  get set(): UpstreamSet {
    return this.#own ?? this.#join().set;
  }

  get shared(): SharedUpstreams | undefined {
    return this.#own === undefined ? this.#join() : undefined;
  }

  get who(): string {
    return this.#opening.who;
  }

  lacks(scopes: readonly Scope[]): Scope | undefined {
    return scopes.find((it) => !this.#opening.caller.scopes.has(it));
  }

  get clientName(): string {
    const info = this.#params.clientInfo;
    return isRecord(info) && typeof info.name === "string" ? info.name : "unnamed";
  }

  receive(message: JsonRpcMessage, reply: Reply): void {
    if (message.method === undefined) this.#requests.answered(message);
    else if (message.id === undefined || message.id === null) this.#notified(message.method, message.params ?? {});
    else void this.#answer(message.id, message.method, message.params, reply);
  }

  introduced(params: Params): string {
    this.#params = params;
    const version = revisions.find((one) => one === params.protocolVersion) ?? revisions[0];
    const capabilities = isRecord(params.capabilities) ? params.capabilities : {};
    const takesRequests = ["sampling", "elicitation", "roots"].some((one) => capabilities[one] !== undefined);
    if (this.#opening.alone || takesRequests) this.ownConnections(version);
    else this.#join();
    return version;
  }

  /** From here on nothing is shared with other clients. */
  ownConnections(version: string = revisions[0]): UpstreamSet {
    if (this.#own !== undefined) return this.#own;
    const { capabilities, clientInfo } = this.#params;
    const given = isRecord(clientInfo) ? clientInfo : {};
    // Strict servers refuse a client without a name or a version.
    const info = { ...given, name: textOr(given.name, "iaip-dsl-gateway"), version: textOr(given.version, "unknown") };
    const face = {
      protocolVersion: version,
      capabilities: isRecord(capabilities) ? capabilities : {},
      clientInfo: info,
    };
    this.#own = this.home.makeSet(face, this.#opening.caller, this.#ownEvents());
    this.#shared?.leave(this);
    this.#own.start();
    return this.#own;
  }

  forward(running: Running, upstream: Upstream, method: string, params: Params, repeatable: boolean): Promise<Answer> {
    const meta = isRecord(params._meta) ? params._meta : {};
    const progressToken = meta.progressToken;
    const progress = (reported: Params) => {
      const back = { ...reported, progressToken };
      running.reply.send({ jsonrpc: "2.0", method: "notifications/progress", params: back });
    };
    const pending = upstream.request(method, params, repeatable, progressToken === undefined ? undefined : progress);
    running.upstream = upstream.name;
    running.pending = pending;
    if (running.cancelled) pending.cancel();
    return pending.answer;
  }

  knows(kind: ListKind): void {
    this.#listed.add(noticeOf[kind]);
  }

  async setLevel(level: unknown): Promise<Answer> {
    this.#level = level;
    const set = this.ownConnections();
    await Promise.all(set.upstreams.map((upstream) => this.#sendLevel(upstream)));
    return { result: {} };
  }

  taskStarted(taskId: string, upstream: string): void {
    this.#taskOwners.set(taskId, upstream);
  }

  taskOwner(taskId: unknown): Upstream | undefined {
    const owner = typeof taskId === "string" ? this.#taskOwners.get(taskId) : undefined;
    return owner === undefined ? undefined : this.set.get(owner);
  }

  subscribed(uri: string, subscribed: boolean): void {
    if (subscribed) this.#subscribed.add(uri);
    else this.#subscribed.delete(uri);
  }

  sharedChanged(where: SharedUpstreams, kind: ListKind): void {
    if (this.#own === undefined && this.#shared === where) this.#changed(kind);
  }

  push(method: string, params: Params | undefined): boolean {
    return this.#opening.push({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  quiet(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#quiet = resolve;
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#notices?.end();
    for (const running of this.#running.values()) running.pending?.cancel("the client is gone");
    this.#requests.close();
    this.#forget();
    this.#shared?.leave(this);
    await this.#own?.close();
  }

  async #answer(id: string | number, method: string, params: Params | undefined, reply: Reply): Promise<void> {
    const running: Running = { method, reply, cancelled: false };
    this.#running.set(id, running);
    // Whoever does not wait for the handshake's answer still gets it first.
    let introduced = () => {};
    if (method === "initialize") {
      this.#introducing = new Promise((resolve) => {
        introduced = resolve;
      });
    } else await this.#introducing;
    const answer = await this.#run(method, params ?? {}, running);
    if (this.#running.get(id) === running) this.#running.delete(id);
    if (running.cancelled || this.#closed) reply.end();
    else reply.send({ jsonrpc: "2.0", id, ...answer });
    introduced();
    if (this.#running.size === 0) this.#quiet?.();
  }

  async #run(method: string, params: Params, running: Running): Promise<Answer> {
    const { methods, otherwise } = this.home.context;
    const handler = methods[method] ?? otherwise;
    if (handler === undefined) return { error: { code: -32601, message: `Method not found: ${method}` } };
    if (!unguarded.has(method) && this.lacks(["read"]) !== undefined) {
      return { error: { code: -32602, message: `${method} needs the scope "read", which this caller was not given.` } };
    }
    try {
      return await handler(this, params, running);
    } catch (error) {
      if (error instanceof UpstreamFault) return { error: faultError(error) };
      this.home.context.log("error", "a request failed inside the gateway", {
        method,
        stack: String((error as Error).stack),
      });
      return { error: { code: -32603, message: "the gateway failed on this request; its log says why" } };
    }
  }

  #notified(method: string, params: Params): void {
    if (method === "notifications/cancelled") {
      const running = this.#running.get(params.requestId);
      if (running === undefined) return;
      running.cancelled = true;
      running.pending?.cancel(params.reason);
    } else if (method === "notifications/progress") {
      this.#requests.progressed(params);
    } else if (method === "notifications/roots/list_changed") {
      for (const upstream of this.#own?.upstreams ?? []) upstream.notify(method, params);
    } else if (method !== "notifications/initialized" && this.home.context.otherwise !== undefined) {
      for (const upstream of this.set.upstreams) upstream.notify(method, params);
    }
  }

  #ownEvents(): SetEvents {
    return {
      changed: (kind) => this.#changed(kind),
      connected: (upstream) => {
        if (this.#level !== undefined) void this.#sendLevel(upstream);
        for (const uri of this.#subscribed) {
          if (this.set.routes.find(uri, this.set.catalog) !== upstream.name) continue;
          upstream.request("resources/subscribe", { uri }, true).answer.catch(() => {});
        }
      },
      requested: (upstream, method, params) => {
        const back = (reported: Params) => this.set.get(upstream)?.notify("notifications/progress", reported);
        return this.#requests.send(method, params, (message) => this.#reach(upstream, message), back);
      },
      notified: (upstream, method, params) => {
        this.#reach(upstream, { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
      },
    };
  }

  /** The shared connections for the client's grants, which stay open while it is here. */
  #join(): SharedUpstreams {
    if (this.#shared === undefined) {
      this.#shared = this.home.sharedFor(this.#opening.caller.protocols);
      this.#shared.join(this);
    }
    return this.#shared;
  }

  /** What an upstream says in the course of a request goes where that request is answered. */
  #reach(upstream: string, message: JsonRpcMessage): boolean {
    const about = [...this.#running.values()].findLast((one) => one.upstream === upstream);
    return about?.reply.send(message) === true || this.#opening.push(message);
  }

  #changed(kind: ListKind): void {
    const notice = noticeOf[kind];
    if (!this.#listed.has(notice)) return;
    this.#due.add(notice);
    if (this.#notices !== undefined) return;
    const notices = wait(this.home.context.timeouts.coalesce);
    this.#notices = notices;
    void notices.done.then(() => {
      this.#notices = undefined;
      const due = [...this.#due];
      this.#due.clear();
      if (!this.#closed) for (const method of due) this.push(method, undefined);
    });
  }

  async #sendLevel(upstream: Upstream): Promise<void> {
    const capabilities = upstream.server?.capabilities;
    if (!isRecord(capabilities) || capabilities.logging === undefined) return;
    const { answer } = upstream.request("logging/setLevel", { level: this.#level }, true);
    await answer.catch(() => {});
  }
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
