import type { UpstreamFault } from "../upstream/fault.ts";

export type Outcome = "ok" | "tool-error" | "error" | "refused" | UpstreamFault["kind"];

/** One line of the audit log. Arguments are there only when the person running the gateway wants them. */
export interface AuditEvent {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly who: string;
  /** The name the client gave itself. */
  readonly client: string;
  readonly tool: string;
  readonly upstream: string;
  readonly ms: number;
  readonly outcome: Outcome;
  readonly arguments?: unknown;
}

export type Audit = (event: AuditEvent) => void;
