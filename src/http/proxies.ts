import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Where a request comes from, as far as that can be believed. */
export interface RequestSource {
  /** The peer's own address, or the one that a trusted proxy names. */
  readonly address: string;
  /** Whether a proxy that nobody declared trusted says that it forwards for somebody. */
  readonly isForwardedUnasked: boolean;
  /** The path below which clients know this server: `/iaip`, or nothing. */
  readonly prefix: string;
}

/** What is wrong with a list of proxies, as a sentence. */
export function proxiesFault(proxies: readonly string[]): string | undefined {
  const wrong = proxies.find((it) => !isProxy(it));
  return wrong === undefined
    ? undefined
    : `--trusted-proxies takes addresses and networks such as 10.0.0.7 or 10.0.0.0/8; \`${wrong}\` is neither.`;
}

/**
 * Reads `X-Forwarded-For` and `X-Forwarded-Prefix` where the peer is one of these proxies; from any other peer they are
 * the client's own claim, and only its connection counts.
 */
export function requestSource(proxies: readonly string[]): (request: IncomingMessage) => RequestSource {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return (request) => {
    const peer = plain(request.socket.remoteAddress ?? "gone");
    const forwarded = header(request, "x-forwarded-for");
    if (!isTrusted(peer)) {
      const isForwardedUnasked = forwarded !== undefined || request.headers.forwarded !== undefined;
      return { address: peer, isForwardedUnasked, prefix: "" };
    }
    // Each proxy adds the peer that it saw at the end: the last one that is no proxy of ours is the client.
    const hops = (forwarded ?? "").split(",").map((it) => plain(it.trim()));
    const client = hops.reverse().find((it) => isIP(it) !== 0 && !isTrusted(it));
    return { address: client ?? peer, isForwardedUnasked: false, prefix: prefixOf(request) };
  };
}

function prefixOf(request: IncomingMessage): string {
  const given = header(request, "x-forwarded-prefix")?.replace(/\/+$/, "") ?? "";
  return /^(?:\/[\w.~-]{1,100}){1,10}$/.test(given) ? given : "";
}

function header({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}

/** An IPv4 address that arrived on an IPv6 socket as itself. */
function plain(address: string): string {
  return /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address;
}

function isProxy(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}
