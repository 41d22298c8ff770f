/** Base of the bridge's errors. */
export class McpError extends Error {
  override readonly name: string = "McpError";
}

/** An optional SDK is not installed. The message carries the line that installs it. */
export class McpUnavailableError extends McpError {
  override readonly name = "McpUnavailableError";
}

/**
 * A call that failed for a reason a model cannot mend: connection, authorization, timeout, protocol.
 * Listing tools fails with `tool` "list_tools" and no arguments.
 */
export class McpDispatchError extends McpError {
  override readonly name = "McpDispatchError";
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;

  constructor(tool: string, args: Readonly<Record<string, unknown>>, cause: unknown) {
    super(`tool '${tool}' failed: ${messageOf(cause)}`, { cause });
    this.tool = tool;
    this.arguments = args;
  }
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
