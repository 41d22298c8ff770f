/** The protocol's revisions that keep a connection open, newest first. */
export const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;
export const latestLegacyRevision = legacyRevisions[0];
export const modernRevision = "2026-07-28";
/**
 * What is spoken with a client whose request stands alone and names no revision. It may be an older one, which ignores
 * what it does not know, or a script; icons, which some older clients refuse to read, are not sent to it.
 */
export const unnamedRevision = "2025-06-18";

/** The fields, for a revision that has them; nothing for an older one. Revisions are dates, so they compare as text. */
export function since<T extends object>(revision: string, first: string, fields: T): T | Record<string, never> {
  return first <= revision ? fields : {};
}

/** When the protocol gained what not every client knows. */
export const firstRevision = {
  annotations: "2025-03-26",
  titles: "2025-06-18",
  output: "2025-06-18",
  icons: "2025-11-25",
  resumable: "2025-11-25",
} as const;
