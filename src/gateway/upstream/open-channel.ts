import type { JsonRpcMessage, MessageChannel } from "../../base/json-rpc.ts";
import type { Log } from "../../base/log.ts";
import { StdioChild } from "../../base/stdio-child.ts";
import type { ServerConfig } from "../config/config.ts";
import { childEnvironment, type Environment } from "../config/environment.ts";
import { type Redact, redactJson } from "../config/redact.ts";
import { serverSecrets } from "../config/secrets.ts";

export interface ChannelContext {
  readonly environment: Environment;
  readonly log: Log;
  /** Takes every configured value out of a text for logs and errors. */
  readonly redact: Redact;
  /** Takes the secrets out of what a server sends to its clients. */
  readonly redactContent: Redact;
  /** The server is given its caller's grants by flag. */
  readonly takesGrants: boolean;
}

/** Makes a fresh, not yet started channel to a server: a child process, or a connection to its address. */
export type ChannelOpener = (grants: readonly string[]) => Promise<MessageChannel>;

export function channelOpener(server: ServerConfig, context: ChannelContext): ChannelOpener {
  const { headers, env } = serverSecrets(server, context.environment);
  const { command, args = [] } = server;
  if (command === undefined) return async () => new RedactedChannel(await openHttp(server, headers), context);
  return async (grants) =>
    new RedactedChannel(
      new StdioChild({
        command,
        args: context.takesGrants ? [...args, `--grant=${grants.join(",")}`] : args,
        env: childEnvironment(context.environment, env),
        ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
        redact: context.redact,
        onStderr: (line) => context.log("debug", line.slice(0, 2_000), { upstream: server.name }),
      }),
      context,
    );
}

/** Reconnecting the stream of messages outside a request never stops by itself; the supervisor ends the channel. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

async function openHttp(server: ServerConfig, headers: Readonly<Record<string, string>>): Promise<SdkTransport> {
  const sdk = await import("@modelcontextprotocol/client");
  const url = new URL(server.url!);
  const requestInit = { headers: { ...headers } };
  if (server.transport === "sse") return new sdk.SSEClientTransport(url, { requestInit }) as unknown as SdkTransport;
  return new sdk.StreamableHTTPClientTransport(url, { requestInit, reconnectionOptions }) as unknown as SdkTransport;
}

/** A channel, with what the SDK's HTTP transports have beside. */
interface SdkTransport extends MessageChannel {
  terminateSession?(): Promise<void>;
  setProtocolVersion?(version: string): void;
  readonly hasPerRequestStream?: boolean;
  send(message: JsonRpcMessage, options?: object): Promise<void>;
}

/** A channel out of which no secret comes, in a message or in an error. Tells an HTTP server when its session is over. */
class RedactedChannel implements MessageChannel {
  onmessage: ((message: JsonRpcMessage) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly hasPerRequestStream: boolean;
  readonly #channel: SdkTransport;
  readonly #redact: Redact;
  readonly #redactContent: Redact;

  constructor(channel: SdkTransport, { redact, redactContent }: Pick<ChannelContext, "redact" | "redactContent">) {
    this.#channel = channel;
    this.#redact = redact;
    this.#redactContent = redactContent;
    this.hasPerRequestStream = channel.terminateSession !== undefined;
  }

  get closeReason(): string | undefined {
    const reason = this.#channel.closeReason;
    return reason === undefined ? undefined : this.#redact(reason);
  }

  async start(): Promise<void> {
    this.#channel.onmessage = (message) => this.#receive(message);
    this.#channel.onclose = () => this.onclose?.();
    this.#channel.onerror = (error) => this.onerror?.(this.#redacted(error) as Error);
    await this.#guarded(this.#channel.start());
  }

  send(message: JsonRpcMessage, options?: object): Promise<void> {
    return this.#guarded(this.#channel.send(message, options));
  }

  setProtocolVersion(version: string): void {
    this.#channel.setProtocolVersion?.(version);
  }

  async close(): Promise<void> {
    if (this.#channel.terminateSession !== undefined) {
      const limit = new Promise<void>((resolve) => setTimeout(resolve, 1_000).unref());
      await Promise.race([this.#channel.terminateSession().catch(() => {}), limit]);
    }
    await this.#channel.close();
  }

  #receive(message: JsonRpcMessage): void {
    let clean: JsonRpcMessage;
    try {
      clean = redactJson(message, this.#redactContent) as JsonRpcMessage;
      if (clean.error !== undefined) clean = { ...clean, error: redactJson(clean.error, this.#redact) as never };
    } catch (error) {
      const reason = `the message is refused: ${(error as Error).message}`;
      this.onerror?.(new Error(reason));
      if (message.method !== undefined || message.id === undefined) return;
      clean = { jsonrpc: "2.0", id: message.id, error: { code: -32603, message: reason } };
    }
    this.onmessage?.(clean);
  }

  async #guarded(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      throw this.#redacted(error);
    }
  }

  /** The same error, its status and name kept, with its message and its cause's redacted. */
  #redacted(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const message = this.#redact(error.message);
    const cause = error.cause instanceof Error ? new Error(this.#redact(error.cause.message)) : undefined;
    const clean = new Error(message, cause === undefined ? {} : { cause });
    clean.name = error.name;
    return Object.assign(clean, "status" in error ? { status: error.status } : {});
  }
}
