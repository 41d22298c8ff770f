import type { JsonRpcError } from "../../base/json-rpc.ts";

export type FaultKind =
  /** Not running, not reachable or not authorized: nothing was run. */
  | "unavailable"
  /** The connection ended before the answer came: what was requested may have been done. */
  | "broken"
  /** No answer in time. */
  | "timeout"
  /** The server no longer knows the session: nothing was run. */
  | "session-lost"
  | "cancelled";

/** Why an upstream gave no answer. The message is a sentence that names the upstream and holds no secret. */
export class UpstreamFault extends Error {
  override readonly name = "UpstreamFault";
  readonly kind: FaultKind;
  readonly upstream: string;

  constructor(kind: FaultKind, upstream: string, message: string) {
    super(message);
    this.kind = kind;
    this.upstream = upstream;
  }
}

/** The JSON-RPC error for a client. -32001 is what both SDKs use for a request that timed out. */
export function faultError(fault: UpstreamFault): JsonRpcError {
  const code = fault.kind === "timeout" ? -32001 : -32000;
  return { code, message: fault.message, data: { kind: fault.kind, upstream: fault.upstream } };
}
