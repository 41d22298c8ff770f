import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Log } from "../../base/log.ts";
import type { Access } from "../../http/access.ts";
import { openAccess } from "../../http/auth/open-access.ts";
import { proxiesFault } from "../../http/proxies.ts";
import type { Settings } from "../../settings/schema.ts";
import { UsageError } from "./io.ts";

export interface HttpGuards {
  readonly access: Access;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly publicUrl?: string;
}

/** Who may come in at a host, and by which names, as the settings say. Throws `UsageError` in one line. */
export async function httpGuards(settings: Settings, host: string, log: Log): Promise<HttpGuards> {
  const tls = tlsOf(settings);
  const { "token-file": tokenFile, "oauth-issuer": issuer } = settings;
  const audience = settings["oauth-audience"];
  if (issuer !== undefined && audience === undefined) {
    throw new UsageError("--oauth-issuer needs --oauth-audience: the address that tokens for this server name.");
  }
  const trustedProxies = settings["trusted-proxies"];
  const fault = proxiesFault(trustedProxies);
  if (fault !== undefined) throw new UsageError(fault);
  const jwks = settings["oauth-jwks"];
  const oauth =
    issuer === undefined || audience === undefined
      ? {}
      : { oauth: { issuer, audience, ...(jwks === undefined ? {} : { jwksUri: jwks }) } };
  try {
    const access = await openAccess({
      host,
      log,
      grant: settings.grant,
      allowAnonymous: settings["allow-anonymous"],
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...oauth,
    });
    warnOfProxy(settings, access, log);
    const publicUrl = settings["public-url"]?.replace(/\/+$/, "");
    return {
      access,
      ...tls,
      allowHosts: settings["allowed-hosts"],
      allowOrigins: settings["allowed-origins"],
      trustedProxies,
      ...(publicUrl === undefined ? {} : { publicUrl }),
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The same callers, to whom no community protocol opens anything: a project's own vocabulary guards nothing for its users. */
export function withoutProtocols(access: Access): Access {
  if (access.kind === "everyone") return { kind: "everyone", caller: { ...access.caller, protocols: new Set() } };
  const checks = access.checks.map(({ check, close }) => ({
    close,
    check: async (token: string) => {
      const checked = await check(token);
      return checked?.kind === "known"
        ? { ...checked, caller: { ...checked.caller, protocols: new Set<string>() } }
        : checked;
    },
  }));
  return { ...access, checks };
}

/** Behind a proxy everybody comes from this machine, and without tokens counts as the person who sits at it. */
function warnOfProxy(settings: Settings, access: Access, log: Log): void {
  const isBehindProxy = settings["allowed-hosts"].length > 0 || settings["public-url"] !== undefined;
  const isEverybodyLocal = access.kind === "everyone" && access.caller.kind === "local";
  if (!isBehindProxy || !isEverybodyLocal || settings["trusted-proxies"].length > 0) return;
  log(
    "warn",
    "other names than this machine's are answered and no token is asked for: whoever comes through a proxy counts as the person at this machine. Give --token-file, or name the proxy with --trusted-proxies",
  );
}

function tlsOf(settings: Settings): Pick<HttpGuards, "tls"> {
  const { "tls-cert": cert, "tls-key": key } = settings;
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) throw new UsageError("TLS needs both --tls-cert and --tls-key.");
  const tls = { cert: read(cert), key: read(key) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new UsageError(
      `${cert} and ${key} are no certificate and key that belong together: ${(error as Error).message}. Give both as PEM.`,
    );
  }
  return { tls };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
