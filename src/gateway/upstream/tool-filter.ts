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

/** What model providers take for a tool name; one that is longer broke whole sessions elsewhere. */
const legal = /^[A-Za-z0-9_-]{1,64}$/;

export type FinalName =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "refused"; readonly reason: string };

/** `prefix_raw`; a server without prefix keeps its names, whatever they are. */
export function finalName(rawName: string, prefix: string | undefined, upstream: string): FinalName {
  if (prefix === undefined) return { kind: "named", name: rawName };
  const name = `${prefix}_${rawName}`;
  if (legal.test(name)) return { kind: "named", name };
  const why =
    name.length > 64 ? `is ${name.length} characters long, more than 64` : "holds other than letters, digits, _ and -";
  return {
    kind: "refused",
    reason: `the tool ${JSON.stringify(rawName)} of "${upstream}" is left out: ${JSON.stringify(name)} ${why}`,
  };
}
