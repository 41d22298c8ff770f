import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/**
 * The key of the hashes that stand for guarded fields, 32 bytes in hex: a file beside a SQLite ledger, for its owner
 * alone, made on first use. `undefined` for other ledgers: what many machines share has no place apart from its hashes.
 */
export async function versionKey(where: string): Promise<string | undefined> {
  if (where === "no ledger" || /^postgres(?:ql)?:/.test(where)) return undefined;
  const file = `${where}.key`;
  await writeFile(file, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  const key = await readFile(file, "utf8");
  return key.length === 64 ? key : undefined;
}
