import type { ServerConfig } from "../config/config.ts";
import { type Redact, shownUrl } from "../config/redact.ts";
import type { Catalog } from "./catalog.ts";
import type { UpstreamHealth } from "./upstream.ts";

export interface Condition {
  readonly type: "Deployed" | "Ready" | "ToolsDiscovered" | "Suspended";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  /** ISO 8601, UTC: since when the upstream is in its present phase. */
  readonly lastTransitionTime: string;
}

/** What Sympozium's document promises in the status of an MCPServer, and when it was last true. */
export interface UpstreamStatus {
  readonly name: string;
  readonly ready: boolean;
  /** Address without user, password and query; for a managed server `stdio:COMMAND`. */
  readonly url: string;
  readonly toolCount: number;
  /** Final names, after prefix and filter, as clients see them. */
  readonly tools: readonly string[];
  readonly conditions: readonly Condition[];
  /** ISO 8601, UTC, of the last list that succeeded. Health is this, never an empty list. */
  readonly lastListed: string | null;
  /** Seconds since then. */
  readonly age: number | null;
  readonly error: string | null;
}

export function upstreamStatus(
  config: ServerConfig,
  health: UpstreamHealth | undefined,
  catalog: Catalog,
  context: { readonly now: number; readonly redact: Redact },
): UpstreamStatus {
  const tools = catalog.toolsOf.get(config.name) ?? [];
  const listed = health?.lastListed;
  const ready = health?.phase === "ready";
  const error = health?.error === undefined ? null : context.redact(health.error);
  return {
    name: config.name,
    ready,
    url: config.url === undefined ? `stdio:${config.command}` : shownUrl(config.url),
    toolCount: tools.length,
    tools,
    conditions: conditions(config, health, {
      ready,
      error,
      tools,
      leftOut: catalog.leftOut.get(config.name) ?? [],
      mended: catalog.mended.get(config.name) ?? [],
    }),
    lastListed: listed === undefined ? null : new Date(listed).toISOString(),
    age: listed === undefined ? null : Math.round((context.now - listed) / 100) / 10,
    error,
  };
}

interface Facts {
  readonly ready: boolean;
  readonly error: string | null;
  readonly tools: readonly string[];
  readonly leftOut: readonly string[];
  readonly mended: readonly string[];
}

function conditions(config: ServerConfig, health: UpstreamHealth | undefined, facts: Facts): readonly Condition[] {
  const lastTransitionTime = new Date(health?.since ?? 0).toISOString();
  const say = (type: Condition["type"], holds: boolean, reason: string, message: string): Condition => {
    return { type, status: holds ? "True" : "False", reason, message, lastTransitionTime };
  };
  if (config.suspended === true || health === undefined) {
    const message = "the file suspends this server; nothing is started or requested";
    return [say("Suspended", true, "Suspended", message), say("Ready", false, "Suspended", message)];
  }
  const why = facts.error ?? "it has not answered yet";
  const deployed =
    config.command === undefined
      ? say("Deployed", true, "External", "the server is run elsewhere")
      : say(
          "Deployed",
          facts.ready,
          facts.ready ? "ProcessRunning" : "NotRunning",
          facts.ready ? "the process runs" : why,
        );
  const found = `${facts.tools.length} tools`;
  const left = [
    ...(facts.leftOut.length > 0 ? [`; left out: ${facts.leftOut.join("; ")}`] : []),
    ...(facts.mended.length > 0 ? [`; mended: ${facts.mended.join("; ")}`] : []),
  ].join("");
  return [
    deployed,
    say("Ready", facts.ready, facts.ready ? "Ready" : "NotReady", facts.ready ? "it answers" : why),
    health.lastListed === undefined
      ? say("ToolsDiscovered", false, "NotListed", why)
      : say(
          "ToolsDiscovered",
          facts.ready,
          facts.ready ? "Listed" : "LastKnown",
          `${found}${left}${facts.ready ? "" : `; last known: ${why}`}`,
        ),
  ];
}
