import { createHmac, timingSafeEqual } from "node:crypto";

export interface Session {
  readonly sessionId: string;
  readonly projectId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A short-lived token that carries its own session and is signed with a key derived from the host's: it needs no
 * memory here, reveals nothing of the host's key, and ends when either its time or that key does.
 */
export function issueToken(key: string, { sessionId, projectId, expiresAt }: Session): string {
  const payload = Buffer.from(JSON.stringify({ sid: sessionId, pid: projectId, exp: expiresAt })).toString("base64url");
  return `${prefix}${payload}.${sign(key, payload).toString("hex")}`;
}

/** The session of a token that this key signed and whose time is not up. `now` in seconds. */
export function readToken(key: string, token: string, now: number): Session | undefined {
  const [payload, signature, ...rest] = token.startsWith(prefix) ? token.slice(prefix.length).split(".") : [];
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined;
  const given = /^[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature, "hex") : undefined;
  if (!given || !timingSafeEqual(given, sign(key, payload))) return undefined;
  const { sid, pid, exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  if (typeof sid !== "string" || typeof pid !== "string" || typeof exp !== "number" || exp <= now) return undefined;
  return { sessionId: sid, projectId: pid, expiresAt: exp };
}

const prefix = "kagt.";

function sign(key: string, payload: string): Buffer {
  const derived = createHmac("sha256", key).update("iaip-dsl kag session token, version 1").digest();
  return createHmac("sha256", derived).update(payload).digest();
}
