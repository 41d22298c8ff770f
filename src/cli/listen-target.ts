import { UsageError } from "./io.ts";

export type ListenTarget =
  | { readonly kind: "none" }
  | { readonly kind: "stdio" }
  | { readonly kind: "net"; readonly host: string; readonly port: number };

/** Reads `stdio`, `none` or `SCHEME:HOST:PORT`; a host is always named, so that nothing listens wider than was asked. */
export function parseListenTarget(flag: string, scheme: "http" | "tcp", text: string): ListenTarget {
  if (text === "none" || text === "stdio") return { kind: text };
  const match = new RegExp(`^${scheme}:(?://)?(\\[[0-9a-fA-F:.]+\\]|[^:/\\s]+):(\\d{1,5})$`).exec(text);
  const port = Number(match?.[2]);
  if (!match || 65_535 < port)
    throw new UsageError(
      `${flag} takes stdio, ${scheme}:HOST:PORT or none; \`${text}\` was given. For example ${flag} ${scheme}:127.0.0.1:${scheme === "http" ? 7331 : 7332}.`,
    );
  return { kind: "net", host: match[1]!.replace(/^\[|\]$/g, ""), port };
}

/** `HOST:PORT` as an address writes it. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
