import { createHash } from "node:crypto";
import type { Concept } from "../core/concept/concept.ts";
import type { ConceptWords } from "./records.ts";

/** Fields that even a restricted concept tells everyone. */
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
 * What the ledger keeps of a concept: its words when they are open to all, and otherwise, or once it is withdrawn, only
 * hashes of them, so that the ledger never becomes a second place from which they could be told.
 */
export function conceptWords(concept: Concept, revision?: string): ConceptWords {
  const open = concept.ocap.access === "open" && concept.withdrawn === null;
  const entries = Object.entries(concept).map(
    ([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const fields = entries.map(
    ([field, words]) => [field, open || openFields.has(field) ? words : `sha256:${sha256(words)}`] as const,
  );
  return {
    concept: concept.id,
    hash: sha256(JSON.stringify([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))),
    fields: Object.fromEntries(fields),
    withdrawn: concept.withdrawn !== null,
    ...(revision === undefined ? {} : { revision }),
  };
}

function sha256(words: string): string {
  return createHash("sha256").update(words).digest("hex");
}
