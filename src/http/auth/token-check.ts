import { timingSafeEqual } from "node:crypto";
import { readFileSync, type Stats, statSync } from "node:fs";
import type { Log } from "../../base/log.ts";
import type { Caller } from "../../core/concept/caller.ts";
import type { TokenCheck } from "../access.ts";
import { hashToken, parseTokenFile, type StoredToken } from "./token-file.ts";

/** How long a change of the file may go unseen, in milliseconds. */
const freshMs = 200;

/**
 * Static tokens from a file, read again when it changed. A file that broke keeps the tokens it had, and says so; a file
 * that is gone lets nobody in. Throws when the file cannot be read at the start.
 */
export function tokenFileCheck(path: string, log: Log, now: () => number = Date.now): TokenCheck {
  let stamp = stampOf(statSync(path));
  let tokens = readTokens(path);
  let looked = now();

  const refresh = (): void => {
    if (Math.abs(now() - looked) < freshMs) return;
    looked = now();
    try {
      const next = stampOf(statSync(path));
      if (next === stamp) return;
      stamp = next;
      tokens = readTokens(path);
      log("info", "the token file was read again", { path, tokens: tokens.length });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        if (tokens.length > 0) log("error", "the token file is gone; no token is accepted", { path });
        tokens = [];
        stamp = "";
      } else log("error", "the token file cannot be read; the tokens it had stay", { path, reason: String(error) });
    }
  };

  return {
    check: async (secret) => {
      refresh();
      const found = matching(tokens, hashToken(secret));
      if (found === undefined) return undefined;
      if (isExpired(found, now())) return { kind: "refused", reason: "This token has expired." };
      const isCurrent = (): boolean => {
        refresh();
        return !isExpired(found, now()) && tokens.some((it) => isSame(it, found));
      };
      return { kind: "known", caller: callerOf(found), by: "token", client: `token ${found.id}`, isCurrent };
    },
    close: () => {},
  };
}

/** Looks at every token, whichever matches, so that time tells nothing. */
function matching(tokens: readonly StoredToken[], hash: Buffer): StoredToken | undefined {
  let found: StoredToken | undefined;
  for (const token of tokens) if (timingSafeEqual(hash, Buffer.from(token.sha256, "hex"))) found = token;
  return found;
}

function callerOf({ name, scopes, protocols }: StoredToken): Caller {
  return { kind: "token", name, scopes: new Set(scopes), protocols: new Set(protocols) };
}

function isExpired({ expires }: StoredToken, now: number): boolean {
  return expires !== undefined && Date.parse(expires) <= now;
}

/** A token whose scopes or protocols were changed is another one: what it opened was opened by other rights. */
function isSame(one: StoredToken, other: StoredToken): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function readTokens(path: string): readonly StoredToken[] {
  const file = parseTokenFile(readFileSync(path, "utf8"));
  if (file.kind === "read") return file.tokens;
  throw new Error(`The token file ${path} cannot be used: ${file.reason}. \`iaip-dsl token create\` writes one.`);
}

function stampOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
