import type { Change } from "./changes.ts";
import { type Connection, isLoud } from "./protocol/connection.ts";

/** Sends what a change means to one lasting connection: only what it may know of and asked for. */
export function announce(
  change: Change,
  connection: Connection,
  era: "legacy" | "modern",
  send: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<void>,
): void {
  const tell = (method: string, params?: Readonly<Record<string, unknown>>): void => {
    void send(method, params).catch(() => {});
  };
  if (change.tools) tell("notifications/tools/list_changed");
  if (change.prompts) tell("notifications/prompts/list_changed");
  if (change.resources) tell("notifications/resources/list_changed");
  for (const uri of change.updated) {
    // A modern connection's subscriptions are kept by the SDK's listen router, which drops what nobody asked for.
    if (era === "modern" || connection.subscriptions.has(uri)) tell("notifications/resources/updated", { uri });
  }
  if (change.message !== undefined && isLoud("info", connection.level)) {
    tell("notifications/message", { level: "info", logger: "vocabulary", data: change.message });
  }
}
