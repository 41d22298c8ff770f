import type { Vocabulary } from "../core/concept/vocabulary.ts";

/** Tells an agent when to use which tool; sent with the handshake, so it depends on no concept. */
export const instructions = [
  "This server holds a shared vocabulary: concepts with their holders, sources, limits and relations.",
  "At the start of a task call iaip_concept_suggest with the task in plain words; nothing fitting is a fine answer.",
  "Before you explain or rely on a concept call iaip_concept_lookup, by any name, and keep to its words, its attribution and what an agent may not do.",
  "Use iaip_concept_search when you do not know a name, iaip_concept_relationship before you connect two concepts, iaip_concept_context for consequences, iaip_direction_concepts to plan a phase of work.",
  "Check what you wrote with iaip_validate_terminology: it advises on wording and never rates people or their knowledge.",
  "After a concept shaped your work record it with iaip_wisdom_ledger_log.",
  "You are software: never speak as an Elder or for a Nation, never extend or invent a teaching. A pointer or a notice names whom to ask: say so and stop there.",
].join("\n");

/** The title clients show. */
export function surfaceTitle(vocabulary: Vocabulary): string {
  return vocabulary.title === "No vocabulary" ? "IAIP vocabulary" : vocabulary.title;
}
