import { isRecord, type JsonRpcMessage } from "../base/json-rpc.ts";
import type { Client, ClientOpening, Reply } from "./client.ts";
import { ClientQuestions } from "./client-questions.ts";
import { faultError, UpstreamFault } from "./fault.ts";
import { revisions } from "./handshake.ts";
import type { Answer } from "./link.ts";
import type { ListKind } from "./lists.ts";
import type { Params } from "./meta.ts";
import type { GatewayHome, MethodClient, Running } from "./method.ts";
import { type Wait, wait } from "./timing.ts";
import type { Upstream } from "./upstream.ts";
import type { SetEvents, UpstreamSet } from "./upstream-set.ts";

const noticeOf: Readonly<Record<ListKind, string>> = {
  tools: "notifications/tools/list_changed",
  resources: "notifications/resources/list_changed",
  templates: "notifications/resources/list_changed",
  prompts: "notifications/prompts/list_changed",
};

/** One client of the gateway: what it runs, what it was told, what it is asked. */
export class GatewayClient implements Client, MethodClient {
  readonly home: GatewayHome;
  readonly #opening: ClientOpening;
  readonly #forget: () => void;
  readonly #questions = new ClientQuestions();
  readonly #running = new Map<unknown, Running>();
  readonly #listed = new Set<string>();
  readonly #due = new Set<string>();
  readonly #taskOwners = new Map<string, string>();
  readonly #subscribed = new Set<string>();
  #own: UpstreamSet | undefined;
  #params: Params = {};
  #level: unknown;
  #notices: Wait | undefined;
  #closed = false;
  #quiet: (() => void) | undefined;

  constructor(home: GatewayHome, opening: ClientOpening, forget: () => void) {
    this.home = home;
    this.#opening = opening;
    this.#forget = forget;
  }

  get set(): UpstreamSet {
    return this.#own ?? this.home.shared;
  }

  get shares(): boolean {
    return this.#own === undefined;
  }

  get who(): string {
    return this.#opening.who;
  }

  get mayChange(): boolean {
    return this.#opening.caller.scopes.has("log");
  }

  get clientName(): string {
    const info = this.#params.clientInfo;
    return isRecord(info) && typeof info.name === "string" ? info.name : "unnamed";
  }

  receive(message: JsonRpcMessage, reply: Reply): void {
    if (message.method === undefined) this.#questions.answered(message);
    else if (message.id === undefined || message.id === null) this.#notified(message.method, message.params ?? {});
    else void this.#answer(message.id, message.method, message.params, reply);
  }

  introduced(params: Params): string {
    this.#params = params;
    const asked = params.protocolVersion;
    const version = revisions.find((one) => one === asked) ?? revisions[0];
    const capabilities = isRecord(params.capabilities) ? params.capabilities : {};
    const askable = ["sampling", "elicitation", "roots"].some((one) => capabilities[one] !== undefined);
    if (this.#opening.alone || askable) this.ownConnections(version);
    else void this.home.shared;
    return version;
  }

  /** From here on nothing is shared with other clients. */
  ownConnections(version: string = revisions[0]): UpstreamSet {
    if (this.#own !== undefined) return this.#own;
    const { capabilities, clientInfo } = this.#params;
    const info = isRecord(clientInfo) ? clientInfo : { name: "iaip-dsl-gateway", version: this.home.context.version };
    const face = {
      protocolVersion: version,
      capabilities: isRecord(capabilities) ? capabilities : {},
      clientInfo: info,
    };
    this.#own = this.home.makeSet(face, this.#ownEvents());
    this.#own.start();
    return this.#own;
  }

  forward(running: Running, upstream: Upstream, method: string, params: Params, repeatable: boolean): Promise<Answer> {
    const meta = isRecord(params._meta) ? params._meta : {};
    const progressToken = meta.progressToken;
    const progress = (told: Params) => {
      const back = { ...told, progressToken };
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
    await Promise.all(set.upstreams.map((upstream) => this.#tellLevel(upstream)));
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

  sharedChanged(kind: ListKind): void {
    if (this.shares) this.#changed(kind);
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
    this.#questions.close();
    this.#forget();
    await this.#own?.close();
  }

  async #answer(id: string | number, method: string, params: Params | undefined, reply: Reply): Promise<void> {
    const running: Running = { method, reply, cancelled: false };
    this.#running.set(id, running);
    const answer = await this.#run(method, params ?? {}, running);
    if (this.#running.get(id) === running) this.#running.delete(id);
    if (running.cancelled || this.#closed) reply.end();
    else reply.send({ jsonrpc: "2.0", id, ...answer });
    if (this.#running.size === 0) this.#quiet?.();
  }

  async #run(method: string, params: Params, running: Running): Promise<Answer> {
    const { methods, otherwise } = this.home.context;
    const handler = methods[method] ?? otherwise;
    if (handler === undefined) return { error: { code: -32601, message: `Method not found: ${method}` } };
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
      this.#questions.progressed(params);
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
        if (this.#level !== undefined) void this.#tellLevel(upstream);
        for (const uri of this.#subscribed) {
          if (this.set.routes.find(uri, this.set.catalog) !== upstream.name) continue;
          upstream.request("resources/subscribe", { uri }, true).answer.catch(() => {});
        }
      },
      asked: (upstream, method, params) => {
        const back = (told: Params) => this.set.get(upstream)?.notify("notifications/progress", told);
        return this.#questions.ask(method, params, (message) => this.#reach(upstream, message), back);
      },
      notified: (upstream, method, params) => {
        this.#reach(upstream, { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
      },
    };
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
    const notices = wait(this.home.context.patience.coalesce);
    this.#notices = notices;
    void notices.done.then(() => {
      this.#notices = undefined;
      const due = [...this.#due];
      this.#due.clear();
      if (!this.#closed) for (const method of due) this.push(method, undefined);
    });
  }

  async #tellLevel(upstream: Upstream): Promise<void> {
    const capabilities = upstream.server?.capabilities;
    if (!isRecord(capabilities) || capabilities.logging === undefined) return;
    const { answer } = upstream.request("logging/setLevel", { level: this.#level }, true);
    await answer.catch(() => {});
  }
}
