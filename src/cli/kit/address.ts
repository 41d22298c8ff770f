import { isLoopback } from "../../http/host-guard.ts";
import { UsageError } from "./io.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export type ListenTarget =
  | { readonly kind: "none" }
  | { readonly kind: "stdio" }
  | ({ readonly kind: "net" } & Address);

/** Reads `HOST:PORT`, an IPv6 host in brackets. Without a host it is this machine's own, never every interface. */
export function parseAddress(flag: string, text: string): Address {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/\s[\]]*):(\d{1,5})$/.exec(text);
  if (match === null) throw new UsageError(`${flag} takes HOST:PORT, such as 127.0.0.1:7331; \`${text}\` was given.`);
  return { host: match[1]!.replace(/^\[|\]$/g, "") || "127.0.0.1", port: parsePort(flag, match[2]!) };
}

export function parsePort(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`${flag} takes a port from 0 to 65535; \`${text}\` was given.`);
}

/** Where MCP is served: `stdio`, `none`, or an address after `http:` or `sse:`, which are one listener. */
export function parseMcpTarget(text: string): ListenTarget {
  return parseTarget("--mcp", text, { schemes: ["http", "sse"], port: 7331 });
}

/** Where LSP is served: `stdio`, `none` or an address after `tcp:`. */
export function parseLspTarget(text: string): ListenTarget {
  return parseTarget("--lsp", text, { schemes: ["tcp"], port: 7332 });
}

interface Schemes {
  readonly schemes: readonly string[];
  /** Where a scheme alone listens, on loopback. */
  readonly port: number;
}

function parseTarget(flag: string, text: string, { schemes, port }: Schemes): ListenTarget {
  if (text === "none" || text === "stdio") return { kind: text };
  if (schemes.includes(text)) return { kind: "net", host: "127.0.0.1", port };
  const [scheme, rest] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  if (!schemes.includes(scheme) || !rest.includes(":"))
    throw new UsageError(
      `${flag} takes stdio, ${schemes.map((it) => `${it}:HOST:PORT`).join(", ")} or none; \`${text}\` was given. For example ${flag} ${schemes[0]}:127.0.0.1:${port}.`,
    );
  return { kind: "net", ...parseAddress(flag, rest.replace(/^\/\//, "")) };
}

/**
 * Whoever reaches a language server reads as the person at this machine, files too, and there are no tokens to tell one
 * from another. So it listens on loopback, unless whoever starts it says otherwise by name.
 */
export function refuseRemoteEditors(flag: string, { host }: Address, isAllowed: boolean): void {
  if (isLoopback(host) || isAllowed) return;
  throw new UsageError(
    `${flag}: ${host} can be reached from other machines and is not loopback; whoever reaches a language server reads as you do. Give 127.0.0.1, or --allow-remote-editors on a network you trust.`,
  );
}

/** `HOST:PORT` as an address writes it. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
