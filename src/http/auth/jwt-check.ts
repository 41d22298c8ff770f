import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import type { Log } from "../../base/log.ts";
import { type Caller, type Scope, scopes } from "../../core/concept/caller.ts";
import type { TokenCheck } from "../access.ts";

export interface OAuthOptions {
  /** The authorization server, as tokens name it in `iss`. */
  readonly issuer: string;
  /** This server, as tokens name it in `aud`. */
  readonly audience: string;
  /** Where its keys are; found through the issuer's metadata when absent. */
  readonly jwksUri?: string;
}

/** Signatures that a key set can check. `none` and shared secrets are never among them. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Access tokens as JWTs: signature, issuer, audience, expiry. The scopes are the caller's, and nothing else is. */
export function jwtCheck(options: OAuthOptions, log: Log): TokenCheck {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;
  const keySet = (): NonNullable<typeof keys> => {
    keys ??= jwksUriOf(options).then((uri) => createRemoteJWKSet(new URL(uri), { timeoutDuration: 5000 }));
    keys.catch(() => (keys = undefined));
    return keys;
  };

  return {
    check: async (token) => {
      if (!isJwt(token)) return undefined;
      try {
        const { issuer, audience } = options;
        const checks = { issuer, audience, algorithms, requiredClaims: ["exp"], clockTolerance: 5 };
        const { payload } = await jwtVerify(token, await keySet(), checks);
        return { kind: "known", caller: callerOf(payload), by: "oauth" };
      } catch (error) {
        log("debug", "a token was refused", { reason: error instanceof Error ? error.message : String(error) });
        return { kind: "refused", reason: reasonFor(error) };
      }
    },
    close: () => {},
  };
}

function isJwt(token: string): boolean {
  try {
    return token.split(".").length === 3 && decodeProtectedHeader(token).alg !== undefined;
  } catch {
    return false;
  }
}

async function jwksUriOf({ issuer, jwksUri }: OAuthOptions): Promise<string> {
  if (jwksUri !== undefined) return jwksUri;
  const base = issuer.replace(/\/$/, "");
  for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]) {
    const answer = await fetch(`${base}${path}`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    const metadata: unknown = answer?.ok === true ? await answer.json() : undefined;
    const found = metadataUri(metadata);
    if (found !== undefined) return found;
  }
  throw new Error(`The authorization server ${issuer} does not say where its keys are.`);
}

function metadataUri(metadata: unknown): string | undefined {
  if (typeof metadata !== "object" || metadata === null || !("jwks_uri" in metadata)) return undefined;
  return typeof metadata.jwks_uri === "string" ? metadata.jwks_uri : undefined;
}

/** `protocol:NAME` among the scopes grants a community protocol; scopes that mean nothing here grant nothing. */
function callerOf(payload: JWTPayload): Caller {
  const given = scopesIn(payload);
  const protocols = given.flatMap((scope) => (scope.startsWith("protocol:") ? [scope.slice("protocol:".length)] : []));
  const name = typeof payload.client_id === "string" ? payload.client_id : (payload.sub ?? "unnamed");
  return {
    kind: "token",
    name,
    scopes: new Set<Scope>(scopes.filter((scope) => given.includes(scope))),
    protocols: new Set(protocols),
  };
}

function scopesIn({ scope, scp }: JWTPayload): readonly string[] {
  if (typeof scope === "string") return scope.split(" ");
  if (typeof scp === "string") return scp.split(" ");
  return Array.isArray(scp) ? scp.filter((it): it is string => typeof it === "string") : [];
}

function reasonFor(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "This token has expired.";
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === "aud"
      ? "This token was made for another server."
      : `This token's ${error.claim} is not accepted here.`;
  }
  if (error instanceof errors.JOSEError) return "This token's signature cannot be confirmed.";
  return "This token cannot be checked at the moment.";
}
