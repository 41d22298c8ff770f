import { createHash } from "node:crypto";

/** Which raw names of an upstream are shown. Exact names only. */
export interface ToolFilter {
  readonly toolsAllow?: readonly string[] | undefined;
  readonly toolsDeny?: readonly string[] | undefined;
}

/** Allow first (an empty list allows all), then deny, which wins. Both lists hold raw names, without prefix. */
export function isShown(rawName: string, filter: ToolFilter): boolean {
  const allow = filter.toolsAllow ?? [];
  if (allow.length > 0 && !allow.includes(rawName)) return false;
  return !(filter.toolsDeny ?? []).includes(rawName);
}

/** What hosts and model providers take for a tool name; one that is longer broke whole sessions elsewhere. */
const legal = /^[A-Za-z0-9_-]{1,64}$/;
const maxLength = 64;

/**
 * `prefix_raw`; a server without prefix keeps its names, whatever they are. A name that is too long, or has other
 * characters than hosts take, is shortened and gets a suffix that depends on the raw name alone, so that it stays.
 */
export function finalName(rawName: string, prefix: string | undefined): string {
  if (prefix === undefined) return rawName;
  const name = `${prefix}_${rawName}`;
  if (legal.test(name)) return name;
  const suffix = `_${createHash("sha256").update(rawName).digest("hex").slice(0, 8)}`;
  return `${name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, maxLength - suffix.length)}${suffix}`;
}
