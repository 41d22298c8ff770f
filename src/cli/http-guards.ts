import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Log } from "../base/log.ts";
import type { Access } from "../http/access.ts";
import { openAccess } from "../http/auth/open-access.ts";
import type { Settings } from "../settings/schema.ts";
import { UsageError } from "./io.ts";

export interface HttpGuards {
  readonly access: Access;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
}

/** Who may come in at a host, and by which names, as the settings say. Throws `UsageError` in one line. */
export async function httpGuards(settings: Settings, host: string, log: Log): Promise<HttpGuards> {
  const tls = tlsOf(settings);
  const { "token-file": tokenFile, "oauth-issuer": issuer } = settings;
  const audience = settings["oauth-audience"];
  if (issuer !== undefined && audience === undefined) {
    throw new UsageError("--oauth-issuer needs --oauth-audience: the address that tokens for this server name.");
  }
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
    return { access, ...tls, allowHosts: settings["allowed-hosts"], allowOrigins: settings["allowed-origins"] };
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
