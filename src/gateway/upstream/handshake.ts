import type { JsonRpcMessage, MessageChannel } from "../../base/json-rpc.ts";
import { UpstreamFault } from "./fault.ts";
import { Link, type LinkEvents } from "./link.ts";
import type { Params } from "./meta.ts";

/** The revisions that the gateway speaks, newest first. */
export const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;

/** How the gateway presents a client to an upstream. */
export interface ClientFace {
  readonly protocolVersion: string;
  readonly capabilities: Params;
  readonly clientInfo: Params;
}

export interface Opened {
  readonly link: Link;
  /** The upstream's answer to `initialize`. */
  readonly server: Params;
}

/** Starts a channel and shakes hands. Throws `UpstreamFault` and leaves nothing open when that fails. */
export async function openLink(
  name: string,
  channel: MessageChannel,
  face: ClientFace,
  timeout: number,
  events: LinkEvents,
): Promise<Opened> {
  const link = new Link(name, channel, events);
  try {
    await link.start();
    const { answer } = link.request("initialize", { ...face }, { timeout, total: timeout });
    const { result, error } = await answer;
    if (result === undefined) {
      throw new UpstreamFault("unavailable", name, `upstream "${name}" refused the handshake: ${error?.message}`);
    }
    setVersion(channel, result);
    // A strict server answers nothing before it has this.
    await link.notify("notifications/initialized");
    return { link, server: result };
  } catch (error) {
    await link.close();
    if (error instanceof UpstreamFault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UpstreamFault("unavailable", name, `upstream "${name}" cannot be reached: ${reason}`);
  }
}

function setVersion(
  channel: MessageChannel & { setProtocolVersion?: (version: string) => void },
  result: JsonRpcMessage["result"],
) {
  const version = result?.protocolVersion;
  if (typeof version === "string") channel.setProtocolVersion?.(version);
}
