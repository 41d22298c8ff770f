import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { scopes } from "../../core/concept/caller.ts";

const tokenSchema = z.strictObject({
  /** Short and public: what lists show and `revoke` takes. */
  id: z.string().min(1),
  /** Who it was made for; logs and the ledger may say it. */
  name: z.string().min(1),
  /** SHA-256 of the token, hex. The token has 256 random bits, so a slow hash would protect nothing more. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(scopes)).min(1),
  /** Community protocols that somebody who may grant them granted. */
  protocols: z.array(z.string().min(1)).default([]),
  /** ISO 8601, UTC. */
  created: z.iso.datetime(),
  expires: z.iso.datetime().optional(),
});

const fileSchema = z.strictObject({ version: z.literal(1), tokens: z.array(tokenSchema) });

export type StoredToken = Readonly<z.infer<typeof tokenSchema>>;

export type TokenFile =
  | { readonly kind: "read"; readonly tokens: readonly StoredToken[] }
  | { readonly kind: "broken"; readonly reason: string };

export function parseTokenFile(text: string): TokenFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "broken", reason: "it is not JSON" };
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return { kind: "read", tokens: parsed.data.tokens };
  const [issue] = parsed.error.issues;
  return { kind: "broken", reason: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it has another shape"}` };
}

export function printTokenFile(tokens: readonly StoredToken[]): string {
  return `${JSON.stringify({ version: 1, tokens }, undefined, 2)}\n`;
}

/** A fresh token and what the file keeps of it. The token itself is shown once and stored nowhere. */
export function makeToken(
  wanted: Pick<StoredToken, "name" | "scopes" | "protocols" | "expires">,
  now: Date,
): { readonly secret: string; readonly stored: StoredToken } {
  const secret = `iaip_${randomBytes(32).toString("base64url")}`;
  const id = randomBytes(4).toString("hex");
  const { expires, ...rest } = wanted;
  const stored = { id, ...rest, sha256: hashToken(secret).toString("hex"), created: now.toISOString() };
  return { secret, stored: expires === undefined ? stored : { ...stored, expires } };
}

export function hashToken(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
