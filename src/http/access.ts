import type { Caller, Scope } from "../core/concept/caller.ts";

export type Checked =
  | {
      readonly kind: "known";
      readonly caller: Caller;
      readonly by: "token" | "oauth";
      /** Whom sessions and limits hold it to, the same for each token of one person or agent and for nobody else. */
      readonly client: string;
      /** Whether the token still stands for this caller: not expired, not revoked, its grants unchanged. */
      readonly isCurrent: () => boolean;
    }
  | { readonly kind: "refused"; readonly reason: string }
  /** Nobody can say at the moment whether the token is good. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly retrySeconds: number };

/** One way to know a caller by a bearer token; `undefined` when the token is not of its kind. */
export interface TokenCheck {
  check(token: string): Promise<Checked | undefined>;
  close(): void;
}

/** Who a request comes from, decided once when the server starts. */
export type Access =
  | { readonly kind: "everyone"; readonly caller: Caller }
  | {
      readonly kind: "tokens";
      readonly checks: readonly TokenCheck[];
      /** Where OAuth clients find out how to get a token, given the address they know this server by. */
      readonly metadata?: ProtectedResource;
      /** What a 401 says, for a host whose clients expect its own words; a JSON-RPC error when absent. */
      readonly unauthorized?: Readonly<Record<string, unknown>>;
    };

export interface ProtectedResource {
  readonly issuer: string;
  /** The address clients know this server by, when it is not the one they reach. */
  readonly resource?: string;
}

export const metadataPath = "/.well-known/oauth-protected-resource";

export function anonymousCaller(): Caller {
  return { kind: "anonymous", name: "anonymous", scopes: new Set<Scope>(["read"]), protocols: new Set() };
}

/** The caller that the Authorization header stands for; `missing` where there is none. */
export async function authenticate(
  access: Extract<Access, { kind: "tokens" }>,
  header: string | undefined,
): Promise<Checked | { readonly kind: "missing" }> {
  const token = header === undefined ? undefined : /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(header.trim())?.[1];
  if (header === undefined) return { kind: "missing" };
  if (token === undefined) return { kind: "refused", reason: "The Authorization header holds no bearer token." };
  for (const check of access.checks) {
    const checked = await check.check(token);
    if (checked !== undefined) return checked;
  }
  return { kind: "refused", reason: "This token is not known here." };
}

/** The `WWW-Authenticate` value for a 401 or, with a scope, a 403. Quotes cannot be broken out of. */
export function challenge(
  access: Extract<Access, { kind: "tokens" }>,
  publicUrl: string,
  fault: { readonly error?: "invalid_token" | "insufficient_scope"; readonly reason?: string; readonly scope?: string },
): string {
  const parts = ['Bearer realm="iaip-dsl"'];
  if (fault.error !== undefined) parts.push(`error="${fault.error}"`);
  if (fault.reason !== undefined)
    parts.push(`error_description="${fault.reason.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")}"`);
  if (fault.scope !== undefined) parts.push(`scope="${fault.scope}"`);
  if (access.metadata !== undefined)
    parts.push(`resource_metadata="${publicOrigin(access.metadata, publicUrl)}${metadataPath}"`);
  return parts.join(", ");
}

/** Behind a proxy that ends TLS the client's address is not the one this server is reached by; the resource's is. */
function publicOrigin({ resource }: ProtectedResource, publicUrl: string): string {
  return resource === undefined ? publicUrl : new URL(resource).origin;
}

/** RFC 9728. */
export function protectedResourceMetadata({ issuer, resource }: ProtectedResource, publicUrl: string) {
  return {
    resource: resource ?? `${publicUrl}/mcp`,
    authorization_servers: [issuer],
    scopes_supported: ["read", "log", "steward"],
    bearer_methods_supported: ["header"],
    resource_name: "iaip-dsl",
  };
}
