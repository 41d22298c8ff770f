import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import http from "node:http";

/** What Sympozium's bridge keeps of a call: types and texts, nothing else. */
export interface Kept {
  readonly isError: boolean;
  readonly texts: readonly string[];
}

const mostBytes = 1024 * 1024;
/** How much of a joined answer its agent runner shows a model. */
export const shownBytes = 8_000;

/**
 * Sympozium's bridge as an MCP client, with what it does and leaves out: revision 2024-11-05 and no version header, the
 * exact address, status 200 or failure, at most 1 MiB, the first `data: {` line taken for the answer, ids never
 * compared, no cursor followed, the session echoed and never ended. `host` is what it calls the server; `token` comes of
 * the reference's `authSecret`.
 */
export class BridgeClientPeer {
  readonly #url: URL;
  readonly #host: string | undefined;
  readonly #token: string | undefined;
  #session: string | undefined;
  #next = 1;

  constructor(url: string, host?: string, token?: string) {
    this.#url = new URL(url);
    this.#host = host;
    this.#token = token;
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "sympozium-mcp-bridge", version: "1.0.0" };
    await this.request("initialize", { protocolVersion: "2024-11-05", capabilities: {}, clientInfo });
    const { status } = await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" });
    if (status >= 300) throw new Error(`notification answered with ${status}`);
  }

  async tools(): Promise<readonly { readonly name: string; readonly inputSchema: unknown }[]> {
    return ((await this.request("tools/list")) as { tools: { name: string; inputSchema: unknown }[] }).tools;
  }

  async call(name: string, args: object, meta?: object): Promise<Kept> {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    const result = (await this.request("tools/call", params)) as {
      isError?: boolean;
      content?: { type: string; text?: string }[];
    };
    return { isError: result.isError === true, texts: (result.content ?? []).map((one) => one.text ?? "") };
  }

  async request(method: string, params?: object): Promise<unknown> {
    const { status, body } = await this.#post({
      jsonrpc: "2.0",
      id: this.#next++,
      method,
      ...(params === undefined ? {} : { params }),
    });
    if (status !== 200) throw new Error(`status ${status}: ${body}`);
    const line = body.startsWith("{")
      ? body
      : body
          .split("\n")
          .find((one) => one.startsWith("data: {"))
          ?.slice(6);
    if (line === undefined) throw new Error("no answer in the body");
    const answer = JSON.parse(line) as { result?: unknown; error?: { code: number; message: string } };
    if (answer.error !== undefined) throw new Error(`JSON-RPC error ${answer.error.code}: ${answer.error.message}`);
    if (answer.result === undefined) throw new Error(`taken for an answer: ${line}`);
    return answer.result;
  }

  #post(message: object): Promise<{ readonly status: number; readonly body: string }> {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    if (this.#session !== undefined) headers["mcp-session-id"] = this.#session;
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (this.#host !== undefined) headers.host = this.#host;
    return new Promise((resolve, reject) => {
      const request = http.request(this.#url, { method: "POST", headers, agent: false }, (response) => {
        const session = response.headers["mcp-session-id"];
        if (typeof session === "string") this.#session = session;
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on("data", (part: Buffer) => {
          bytes += part.length;
          if (bytes > mostBytes) response.destroy(new Error("the body is larger than 1 MiB"));
          else parts.push(part);
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
        response.on("error", reject);
      });
      request.on("error", reject).end(JSON.stringify(message));
    });
  }
}

/**
 * Sympozium's stdio adapter: one child for all agents, requests one at a time, and the next line on stdout taken for
 * the answer, whatever its id.
 */
export class StdioAdapterPeer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  #wake = () => {};
  #turn: Promise<unknown> = Promise.resolve();
  #rest = "";

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.#child = spawn(command, [...args], { env });
    this.#child.stderr.resume();
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      this.#lines.push(...lines);
      this.#wake();
    });
  }

  /** Lines that nobody asked for: each would have shifted every later answer by one. */
  get unasked(): readonly string[] {
    return this.#lines;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers without a schema
  send(message: object): Promise<any> {
    const turn = this.#turn.then(async () => {
      this.#child.stdin.write(`${JSON.stringify(message)}\n`);
      if (!("id" in message)) return undefined;
      while (this.#lines.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      return JSON.parse(this.#lines.shift()!) as unknown;
    });
    this.#turn = turn;
    return turn;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once("close", () => resolve());
      this.#child.stdin.end();
    });
  }
}

/** What the agent runner makes of a call for its model. */
export function shownToModel({ isError, texts }: Kept): string {
  if (isError) return `MCP Error: ${texts[0] ?? ""}`;
  const joined = Buffer.from(texts.join("\n")).subarray(0, shownBytes).toString();
  return joined === "" ? "(no output)" : joined;
}
