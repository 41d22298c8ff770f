import { createHash, createHmac } from "node:crypto";
import type { Concept } from "../../core/concept/concept.ts";
import { disclose } from "../../core/concept/disclosure.ts";
import type { ConceptContent } from "../records.ts";

/** Fields of a guarded concept that every caller who may know of it is given. */
const openFields: ReadonlySet<string> = new Set([
  "id",
  "name",
  "category",
  "direction",
  "tier",
  "node_type",
  "withdrawn",
]);

/**
 * What the ledger keeps of a concept: its text when everyone is given it, and otherwise hashes under `key`, so that the
 * ledger neither becomes a second place to read it from nor confirms a guess. Without a key, only that there was a text.
 */
export function conceptContent(
  concept: Concept,
  { revision, key }: { readonly revision?: string; readonly key?: string | undefined } = {},
): ConceptContent {
  const isOpen = concept.existence === "public" && disclose(concept, { protocols: new Set() })?.disclosure === "full";
  const entries = Object.entries(concept).map(
    ([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const fields = entries.map(
    ([field, text]) => [field, isOpen || openFields.has(field) ? text : keyed(text, key)] as const,
  );
  const hashed = isOpen ? entries : fields;
  return {
    concept: concept.id,
    hash: sha256(JSON.stringify([...hashed].sort(([a], [b]) => (a < b ? -1 : 1)))),
    fields: Object.fromEntries(fields),
    isGuarded: !isOpen,
    withdrawn: concept.withdrawn !== null,
    ...(revision === undefined ? {} : { revision }),
  };
}

function keyed(text: string, key: string | undefined): string {
  return key === undefined ? "withheld" : `keyed:${createHmac("sha256", key).update(text).digest("hex")}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
