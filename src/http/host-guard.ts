export const loopbackNames = ["localhost", "127.0.0.1", "[::1]"] as const;

/**
 * Whether a Host header names this server, whatever its port. `allowed` holds names, IPv6 in brackets, and patterns
 * with one leading star: `*.svc` stands for every name that ends in `.svc`, and never for `svc` itself.
 */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  const name = header === undefined ? undefined : hostName(header);
  return name !== undefined && allowed.some((pattern) => matches(name, pattern.toLowerCase()));
}

/** The name in `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`, in lower case; `undefined` for anything else. */
export function hostName(header: string): string | undefined {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/i.exec(header.trim());
  return found?.[1]?.toLowerCase().replace(/\.$/, "");
}

export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

function matches(name: string, pattern: string): boolean {
  if (pattern.startsWith("*.")) return name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1;
  return name === pattern;
}
