import type { JsonRpcMessage, MessageChannel } from "../base/json-rpc.ts";
import type { Log } from "../base/log.ts";
import { StdioChild } from "../base/stdio-child.ts";
import type { ServerConfig } from "./config.ts";
import { childEnvironment, type Environment } from "./environment.ts";
import type { Redact } from "./redact.ts";
import { serverSecrets } from "./secrets.ts";

export interface ChannelContext {
  readonly environment: Environment;
  readonly log: Log;
  readonly redact: Redact;
}

/** Makes a fresh, not yet started channel to a server: a child process, or a connection to its address. */
export type ChannelOpener = () => Promise<MessageChannel>;

export function channelOpener(server: ServerConfig, context: ChannelContext): ChannelOpener {
  const { headers, env } = serverSecrets(server, context.environment);
  const command = server.command;
  if (command === undefined) return () => openHttp(server, headers);
  return async () =>
    new StdioChild({
      command,
      args: server.args ?? [],
      env: childEnvironment(context.environment, env),
      ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
      onStderr: (line) => context.log("debug", context.redact(line.slice(0, 2_000)), { upstream: server.name }),
    });
}

/** Reconnecting the stream of unasked messages never stops by itself; the supervisor ends the channel. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

async function openHttp(server: ServerConfig, headers: Readonly<Record<string, string>>): Promise<MessageChannel> {
  const sdk = await import("@modelcontextprotocol/client");
  const url = new URL(server.url!);
  const requestInit = { headers: { ...headers } };
  if (server.transport === "sse") return new sdk.SSEClientTransport(url, { requestInit }) as unknown as MessageChannel;
  const transport = new sdk.StreamableHTTPClientTransport(url, { requestInit, reconnectionOptions });
  return new EndedOnClose(transport as unknown as SessionTransport);
}

interface SessionTransport extends MessageChannel {
  terminateSession(): Promise<void>;
  setProtocolVersion(version: string): void;
  send(message: JsonRpcMessage, options?: object): Promise<void>;
}

/** Streamable HTTP that tells the server when a session is over. */
class EndedOnClose implements MessageChannel {
  readonly hasPerRequestStream = true;
  onmessage: ((message: JsonRpcMessage) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly #transport: SessionTransport;

  constructor(transport: SessionTransport) {
    this.#transport = transport;
  }

  start(): Promise<void> {
    this.#transport.onmessage = (message) => this.onmessage?.(message);
    this.#transport.onclose = () => this.onclose?.();
    this.#transport.onerror = (error) => this.onerror?.(error);
    return this.#transport.start();
  }

  send(message: JsonRpcMessage, options?: object): Promise<void> {
    return this.#transport.send(message, options);
  }

  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion(version);
  }

  async close(): Promise<void> {
    const patience = new Promise<void>((resolve) => setTimeout(resolve, 1_000).unref());
    await Promise.race([this.#transport.terminateSession().catch(() => {}), patience]);
    await this.#transport.close();
  }
}
