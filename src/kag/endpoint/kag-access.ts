import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller, Scope } from "../../core/concept/caller.ts";
import type { Access, TokenCheck } from "../../http/access.ts";
import { readToken } from "./session-token.ts";

export const unauthorized = { error: "unauthorized", hint: "Authorization: Bearer <KAG_BRIDGE_API_KEY>" } as const;

/** Who may call over HTTP: the holder of the host's key, and sessions that the key was exchanged for. */
export interface KagAccess {
  readonly access: Access;
  /** Only the key's holder may open sessions. */
  holdsKey(caller: Caller): boolean;
}

/** `now` in seconds since 1970. */
export function kagAccess(key: string, now: () => number): KagAccess {
  const scopes: ReadonlySet<Scope> = new Set(["read"]);
  const holder: Caller = { kind: "token", name: "key", scopes, protocols: new Set() };
  const check: TokenCheck = {
    async check(token) {
      if (isSame(token, key)) {
        return { kind: "known", caller: holder, by: "token", client: "token key", isCurrent: () => true };
      }
      const session = readToken(key, token, now());
      if (!session) return { kind: "refused", reason: "This token is not known here, or its time is up." };
      const name = `session ${session.sessionId.replaceAll(/\p{C}/gu, "?").slice(0, 100)}`;
      const caller: Caller = { kind: "token", name, scopes, protocols: new Set() };
      const isCurrent = (): boolean => now() < session.expiresAt;
      return { kind: "known", caller, by: "token", client: `token ${name}`, isCurrent };
    },
    close: () => {},
  };
  return { access: { kind: "tokens", checks: [check], unauthorized }, holdsKey: (caller) => caller === holder };
}

/** Takes the same time wherever the two differ. */
function isSame(given: string, key: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}
