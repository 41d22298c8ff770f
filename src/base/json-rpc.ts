/** A JSON-RPC id as requests carry it. */
export type Id = string | number;

/** A JSON-RPC 2.0 message as it came: only what routing needs is typed. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: Id | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: JsonRpcError;
}

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Two-way messages over something: the shape that MCP SDK transports have. Set the callbacks before `start`. */
export interface MessageChannel {
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  /** Something went wrong that does not end the channel. */
  onerror?: ((error: Error) => void) | undefined;
  /** Why it ended, once it has, where that is known. */
  readonly closeReason?: string | undefined;
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
