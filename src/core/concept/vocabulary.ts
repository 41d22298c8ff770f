import { z } from "zod";

const line = z.string().min(1);

/** `vocabulary.yaml`: what a community decides about the shape of its own vocabulary. */
export const vocabularySchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  title: line,
  version: line,
  description: line,
  /** BCP 47 tag of the language that definitions are written in. */
  language: line.default("en"),
  categories: z.array(z.strictObject({ id: line, folder: line, description: line.optional() })).min(1),
  directions: z.strictObject({
    scheme: line,
    disclaimer: line,
    /** One of them may be the center: it applies to all the others and is no value of the direction tool. */
    values: z.array(z.strictObject({ id: line, name: line, meaning: line, center: z.boolean().default(false) })).min(1),
  }),
  /** Lines of thought. `lineage` groups families for relation rules. */
  families: z.array(z.strictObject({ id: line, name: line, lineage: line, note: line.optional() })).default([]),
  relation_types: z
    .array(
      z.strictObject({
        id: line,
        /** Name from the other end; equal to `id` or absent when symmetric. */
        inverse: line.optional(),
        symmetric: z.boolean().default(false),
        /** How strongly it carries relevance in suggestion, 0 to 1. */
        strength: z.number().min(0).max(1).default(0.5),
        /** A noticed analogy: never composed into a stronger claim. */
        analogy: z.boolean().default(false),
        description: line.optional(),
      }),
    )
    .min(1),
  /** Which relation types may not stand between which concepts. Both ends are tried in either order. */
  relation_rules: z
    .array(
      z.strictObject({
        id: line,
        between: z.tuple([endSchema(), endSchema()]),
        /** `differ`: only where both ends name peoples and share none. */
        peoples: z.literal("differ").optional(),
        never: z.array(line).optional(),
        only: z.array(line).optional(),
        reason: line,
      }),
    )
    .default([]),
  /**
   * Words that people use for the same matter, a line each: `[ministry, government, agency]`. Suggestion reads a task
   * with them, at half the weight of the task's own words.
   */
  associations: z.array(z.array(line).min(2)).default([]),
  /** Who proposes relations, by the short name that `proposed_by` uses. */
  proposers: z.array(z.strictObject({ id: line, name: line })).default([]),
  /** Named community protocols that a steward may grant. */
  protocols: z.array(z.strictObject({ id: line, description: line, contact: line })).default([]),
});

function endSchema() {
  return z.strictObject({ families: z.array(line).optional(), lineages: z.array(line).optional() });
}

export type Vocabulary = Readonly<z.infer<typeof vocabularySchema>>;
export type RelationType = Vocabulary["relation_types"][number];
export type RelationRule = Vocabulary["relation_rules"][number];

/** `sources.yaml`: the bibliography by key. */
export const sourcesSchema = z.record(
  z.string(),
  z.strictObject({
    /** Full reference as printed. */
    citation: line,
    authors: z.array(line).default([]),
    year: z.union([z.string(), z.number()]).optional(),
    url: line.optional(),
    doi: line.optional(),
    /** How it was seen when the files were written; what nobody saw is `unverified`. */
    seen: z.enum(["full", "excerpt", "secondary", "ledger", "unverified"]),
    note: line.optional(),
  }),
);
export type Sources = Readonly<z.infer<typeof sourcesSchema>>;
export type Source = Sources[string];
