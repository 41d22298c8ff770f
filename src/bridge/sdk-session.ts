import type { Client, Transport } from "@modelcontextprotocol/client";
import { McpDispatchError, McpUnavailableError } from "./errors.ts";
import type { ConnectOptions, OpenSession, RequestOptions, ToolPage } from "./session.ts";

const sdkPackage = "@modelcontextprotocol/client";

export type Sdk = typeof import("@modelcontextprotocol/client");

/** The official client package, loaded on first use. Throws `McpUnavailableError` where it is not installed. */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (error) {
    throw new McpUnavailableError(
      `connecting to an MCP server needs the official SDK, which is not installed; run: npm install ${sdkPackage}`,
      { cause: error },
    );
  }
}

/** Connects and shakes hands. Throws `McpDispatchError` (tool `initialize`) and leaves nothing open when that fails. */
export async function connectSession(
  sdk: Sdk,
  transport: Transport,
  options: ConnectOptions,
  end: (client: Client) => Promise<void>,
): Promise<OpenSession> {
  const client = new sdk.Client(options.clientInfo ?? { name: "iaip-dsl-bridge", version: "1" });
  try {
    await client.connect(transport, { timeout: options.connectTimeout ?? 30_000 });
  } catch (error) {
    await end(client);
    throw new McpDispatchError("initialize", {}, error);
  }
  return new SdkSession(client, end);
}

class SdkSession implements OpenSession {
  readonly takesOptions = true;
  readonly #client: Client;
  readonly #end: (client: Client) => Promise<void>;
  readonly #listeners = new Set<() => void>();
  #closing: Promise<void> | undefined;

  constructor(client: Client, end: (client: Client) => Promise<void>) {
    this.#client = client;
    this.#end = end;
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      for (const listener of this.#listeners) listener();
    });
  }

  listTools(params: { readonly cursor?: string } = {}, options?: RequestOptions): Promise<ToolPage> {
    return this.#client.request({ method: "tools/list", params }, options);
  }

  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }, options?: RequestOptions) {
    return this.#client.request({ method: "tools/call", params: call }, options);
  }

  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end(this.#client);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
