import type { Log } from "../../base/log.ts";
import { localCaller } from "../../core/concept/caller.ts";
import { type Access, anonymousCaller, type ProtectedResource, type TokenCheck } from "../access.ts";
import { isLoopback } from "../host-guard.ts";
import type { OAuthOptions } from "./jwt-check.ts";
import { tokenFileCheck } from "./token-check.ts";

export interface AccessOptions {
  readonly host: string;
  readonly tokenFile?: string;
  readonly oauth?: OAuthOptions;
  readonly allowAnonymous?: boolean;
  /** Community protocols of the person at this machine. */
  readonly grant?: readonly string[];
  readonly log: Log;
}

/**
 * Who may come in. With tokens or OAuth everybody needs one, from this machine too. Without, only this machine's own
 * callers, unless anonymous ones are let in by name. Throws a sentence for whoever started the server.
 */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const { host, tokenFile, oauth, allowAnonymous = false, grant = [], log } = options;
  const checks: TokenCheck[] = [];
  if (tokenFile !== undefined) checks.push(tokenFileCheck(tokenFile, log));
  if (oauth !== undefined) checks.push((await import("./jwt-check.ts")).jwtCheck(oauth, log));
  if (checks.length > 0) {
    return { kind: "tokens", checks, ...(oauth === undefined ? {} : { metadata: metadataOf(oauth) }) };
  }
  if (isLoopback(host)) return { kind: "everyone", caller: localCaller(grant) };
  if (!allowAnonymous) {
    throw new Error(
      `${host} can be reached from other machines, and nothing says who may come in. Give --token-file FILE or --oauth-issuer URL, or --allow-anonymous on a network you trust.`,
    );
  }
  log("warn", `anyone who reaches ${host} may read what is open to all; nobody may log, and no protocol is granted`);
  return { kind: "everyone", caller: anonymousCaller() };
}

/** An audience that is an address is this server's own, as clients know it. */
function metadataOf({ issuer, audience }: OAuthOptions): ProtectedResource {
  return /^https?:\/\//.test(audience) && URL.canParse(audience) ? { issuer, resource: audience } : { issuer };
}
