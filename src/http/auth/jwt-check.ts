import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
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

/** How long somebody whose token could not be checked is asked to wait, in seconds. */
const retrySeconds = 5;
const tolerance = 5;

/** Thrown where the issuer's keys cannot be had: the token may be good, and nobody can say. */
class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** Access tokens as JWTs (RFC 9068): type, signature, issuer, audience, expiry. The scopes are the caller's, and nothing else is. */
export function jwtCheck(options: OAuthOptions, log: Log, now: () => number = Date.now): TokenCheck {
  const getKey = keyGetter(options);
  const { issuer, audience } = options;
  const checks = { issuer, audience, algorithms, typ: "at+jwt", requiredClaims: ["exp"], clockTolerance: tolerance };

  return {
    check: async (token) => {
      if (!isJwt(token)) return undefined;
      try {
        const { payload } = await jwtVerify(token, getKey, checks);
        const client = clientOf(payload);
        if (client === undefined) return { kind: "refused", reason: "This token names nobody: it has no sub." };
        const isCurrent = (): boolean => now() < ((payload.exp ?? 0) + tolerance) * 1000;
        return { kind: "known", caller: callerOf(payload), by: "oauth", client, isCurrent };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (error instanceof KeysUnavailable) {
          log("warn", "the authorization server's keys cannot be had; tokens cannot be checked", { reason });
          const sentence = "The authorization server's keys cannot be fetched, so this token cannot be checked now.";
          return { kind: "unavailable", reason: sentence, retrySeconds };
        }
        log("debug", "a token was refused", { reason });
        return { kind: "refused", reason: reasonFor(error) };
      }
    },
    close: () => {},
  };
}

/** One person or service of one issuer, whichever of its clients asks; a token without `sub` stands for its client. */
function clientOf({ iss, sub, client_id: clientId }: JWTPayload): string | undefined {
  if (sub !== undefined && sub !== "") return `oauth ${iss} subject ${sub}`;
  return typeof clientId === "string" && clientId !== "" ? `oauth ${iss} client ${clientId}` : undefined;
}

function keyGetter(options: OAuthOptions): JWTVerifyGetKey {
  let found: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    try {
      found ??= jwksUriOf(options).then((uri) => createRemoteJWKSet(new URL(uri), { timeoutDuration: 5000 }));
      return await (await found)(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      if (error instanceof errors.JOSENotSupported) throw error;
      throw new KeysUnavailable(error instanceof Error ? error.message : String(error));
    } finally {
      found?.catch(() => (found = undefined));
    }
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
  const name = typeof payload.client_id === "string" ? payload.client_id : (payload.sub ?? "");
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
    if (error.claim === "aud") return "This token was made for another server.";
    if (error.claim === "typ") return "This is not an access token: its typ is not at+jwt (RFC 9068).";
    return `This token's ${error.claim} is not accepted here.`;
  }
  if (error instanceof errors.JOSEError) return "This token's signature cannot be confirmed.";
  return "This token cannot be checked now.";
}
