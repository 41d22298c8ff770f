/** A content block as MCP has it: `type` and whatever belongs to that type. */
export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

export interface McpTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
    | undefined;
}

export interface ToolPage {
  readonly tools: readonly McpTool[];
  readonly nextCursor?: string | undefined;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Anything with `listTools` and `callTool`. The official clients of both lines fit as they are; a session that sets
 * `takesOptions` is given a signal and a time limit as second argument, so that a call given up is cancelled.
 */
export interface McpSession {
  listTools(params?: { readonly cursor?: string }, options?: RequestOptions): Promise<ToolPage>;
  callTool(
    call: { readonly name: string; readonly arguments: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<unknown>;
  readonly takesOptions?: boolean;
  /** Called when the server says that its tools changed. Returns the way to stop listening. */
  onToolsChanged?(listener: () => void): () => void;
}

/** A session that somebody opened and has to close. */
export interface OpenSession extends McpSession, AsyncDisposable {
  /** Closes the connection; for a spawned server, ends its whole process group. Safe to call twice. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Milliseconds until the server must have answered the handshake; 30,000 by default. */
  readonly connectTimeout?: number;
  /** How the server sees the host. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
}
