import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonRpcMessage } from "../../src/base/json-rpc.ts";
import { silentLog } from "../../src/base/log.ts";
import { type Caller, localCaller } from "../../src/core/concept/caller.ts";
import type { AuditEvent } from "../../src/gateway/client/audit.ts";
import type { Backend } from "../../src/gateway/client/client.ts";
import { gatewayMethods } from "../../src/gateway/client/gateway-methods.ts";
import { parseConfig } from "../../src/gateway/config/config.ts";
import { Gateway } from "../../src/gateway/gateway.ts";
import { defaultTimeouts, type Timeouts } from "../../src/gateway/upstream/timing.ts";
import { prepareServers } from "../../src/gateway/upstream/upstream-set.ts";
import { stubPath } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "gateway-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;
export const scratchFile = (name = "file") => join(folder, `${name}-${files++}`);

export const quick: Timeouts = {
  ...defaultTimeouts,
  firstRetry: 50,
  lastRetry: 400,
  settled: 5_000,
  grace: 600,
  listWait: 3_000,
  refreshWait: 3_000,
  listAge: 50,
  lookEvery: 60_000,
};

/** A managed stub in the shape of the configuration file. */
export function stubServer(name: string, env: Readonly<Record<string, string>> = {}, more: object = {}): object {
  return { name, toolsPrefix: name, command: process.execPath, args: [stubPath], env, ...more };
}

export interface Opened {
  readonly gateway: Gateway;
  readonly audited: AuditEvent[];
  readonly logged: string[];
  client(capabilities?: object, alone?: boolean): Promise<TestClient>;
}

const open: Gateway[] = [];
export async function closeGateways(): Promise<void> {
  await Promise.all(open.splice(0).map((one) => one.close()));
}

export function openGateway(
  servers: readonly object[],
  options: {
    readonly timeouts?: Partial<Timeouts>;
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly auditArguments?: boolean;
    readonly top?: object;
  } = {},
): Opened {
  const config = parseConfig(JSON.stringify({ servers, ...options.top }), "mcp-servers.yaml");
  const logged: string[] = [];
  const audited: AuditEvent[] = [];
  const log = (level: string, message: string, data?: object) =>
    void logged.push(JSON.stringify({ level, message, ...data }));
  const gateway = new Gateway({
    prepared: prepareServers(config.servers, { environment: { ...process.env, ...options.environment }, log }),
    methods: gatewayMethods,
    version: "1",
    timeouts: { ...quick, ...options.timeouts },
    log,
    audit: (event) => audited.push(event),
    auditArguments: options.auditArguments === true,
    now: Date.now,
  });
  open.push(gateway);
  return {
    gateway,
    audited,
    logged,
    client: async (capabilities = {}, alone = false) => {
      const client = new TestClient(gateway, alone);
      await client.request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities,
        clientInfo: { name: "test", version: "1" },
      });
      return client;
    },
  };
}

/** A client in the same process, message for message. */
export class TestClient {
  readonly told: JsonRpcMessage[] = [];
  readonly answers = new Map<string, (params: unknown) => unknown>();
  readonly #client: ReturnType<Backend["openClient"]>;
  readonly #waiting = new Map<unknown, (message: JsonRpcMessage | undefined) => void>();
  #next = 1;

  constructor(backend: Backend, alone: boolean, caller: Caller = localCaller()) {
    const push = (message: JsonRpcMessage) => {
      this.#take(message);
      return true;
    };
    this.#client = backend.openClient({ push, who: "tester", caller, alone });
  }

  /** The whole answer; `undefined` when the request was cancelled. */
  ask(method: string, params: object = {}, id: string | number = this.#next++): Promise<JsonRpcMessage | undefined> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      const reply = {
        send: (message: JsonRpcMessage) => {
          this.#take(message);
          return true;
        },
        end: () => this.#settle(id, undefined),
      };
      this.#client.receive({ jsonrpc: "2.0", id, method, params: params as never }, reply);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads results without a schema
  async request(method: string, params: object = {}): Promise<any> {
    const answer = await this.ask(method, params);
    if (answer?.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer?.result;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads results without a schema
  call(name: string, args: object = {}, more: object = {}): Promise<any> {
    return this.request("tools/call", { name, arguments: args, ...more });
  }

  async text(name: string, args: object = {}): Promise<string> {
    return (await this.call(name, args)).content[0].text;
  }

  async toolNames(): Promise<string[]> {
    return (await this.request("tools/list")).tools.map((tool: { name: string }) => tool.name);
  }

  notify(method: string, params: object = {}): void {
    this.#client.receive({ jsonrpc: "2.0", method, params: params as never }, { send: () => false, end: () => {} });
  }

  toldOf(method: string): JsonRpcMessage[] {
    return this.told.filter((message) => message.method === method);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #take(message: JsonRpcMessage): void {
    if (message.method === undefined) this.#settle(message.id, message);
    else if (message.id === undefined) this.told.push(message);
    else {
      const answer = this.answers.get(message.method);
      const result = answer?.(message.params);
      const body =
        answer === undefined ? { error: { code: -32601, message: "not offered" } } : { result: result as never };
      this.#client.receive({ jsonrpc: "2.0", id: message.id, ...body }, { send: () => false, end: () => {} });
    }
  }

  #settle(id: unknown, message: JsonRpcMessage | undefined): void {
    this.#waiting.get(id)?.(message);
    this.#waiting.delete(id);
  }
}

export { silentLog };
