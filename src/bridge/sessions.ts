import type { Client, Transport } from "@modelcontextprotocol/client";
import { StdioChild } from "../base/stdio-child.ts";
import { connectSession, loadSdk } from "./sdk-session.ts";
import type { ConnectOptions, OpenSession } from "./session.ts";

export interface StdioSessionOptions extends ConnectOptions {
  readonly args?: readonly string[];
  /** The child's whole environment; by default what the SDK deems safe to hand on, with these added. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** One call per line that the server writes on stderr; dropped by default. */
  readonly onStderr?: (line: string) => void;
}

export interface HttpSessionOptions extends ConnectOptions {
  /** Sent with every request: authorization belongs here. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server and speaks to it over stdin and stdout. Closing ends everything the server started as well. */
export async function stdioSession(command: string, options: StdioSessionOptions = {}): Promise<OpenSession> {
  const sdk = await loadSdk();
  const { getDefaultEnvironment } = await import("@modelcontextprotocol/client/stdio");
  const child = new StdioChild({
    command,
    ...(options.args === undefined ? {} : { args: options.args }),
    env: { ...getDefaultEnvironment(), ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.onStderr === undefined ? {} : { onStderr: options.onStderr }),
  });
  return connectSession(sdk, child as unknown as Transport, options, async (client) => {
    await client.close();
    await child.close();
  });
}

/** Connects over Streamable HTTP. Closing ends the session on the server as well, where it has one. */
export async function httpSession(url: string | URL, options: HttpSessionOptions = {}): Promise<OpenSession> {
  const sdk = await loadSdk();
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...options.headers } },
  });
  return connectSession(sdk, transport, options, async (client) => {
    await Promise.race([transport.terminateSession().catch(() => {}), afterMs(1_000)]);
    await client.close();
  });
}

/** Connects over the older HTTP+SSE transport. */
export async function sseSession(url: string | URL, options: HttpSessionOptions = {}): Promise<OpenSession> {
  const sdk = await loadSdk();
  const transport = new sdk.SSEClientTransport(new URL(url), { requestInit: { headers: { ...options.headers } } });
  return connectSession(sdk, transport, options, (client: Client) => client.close());
}

/** Opens a session, uses it, and closes it however the use ends. */
export async function withSession<T>(
  opening: Promise<OpenSession>,
  use: (session: OpenSession) => Promise<T>,
): Promise<T> {
  const session = await opening;
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
