import { z } from "zod";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { ruleSchema } from "./rule.ts";

/** Ids are kebab-case ASCII. They are shown, linked and typed by people, and never reused for another concept. */
export const conceptIdSchema = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "ids are lower-case words joined by hyphens");

export const nodeTypes = ["concept", "practice", "knowledge-system"] as const;
export const tiers = ["full", "pointer"] as const;
export const accessLevels = ["open", "restricted", "ceremony_required"] as const;
export const ceremonialLevels = ["none", "may-touch", "not-for-this-tool"] as const;
export const seenMarks = ["full", "excerpt", "secondary", "ledger"] as const;

const line = z.string().min(1);
const lines = z.array(line).default([]);

export const conceptNameSchema = z.strictObject({
  /** The name in its own orthography. */
  text: line,
  /** The language in words, as its speakers are named: `Mi'kmaw`, `nêhiyawêwin`. */
  language: line,
  /** BCP 47 tag of the language: `mic`, `crk`, `en`. */
  tag: line.optional(),
  /** Further written forms of this name that count as the name: plurals, cases, spellings. */
  inflections: lines,
  /** `exact` names are found only as written (case and diacritics included); `loose` is the default. */
  match: z.enum(["exact", "loose"]).default("loose"),
});

export const relationSchema = z.strictObject({
  type: line,
  to: line,
  note: line.optional(),
  /** A key of `sources.yaml`, when somebody published the link. */
  source: line.optional(),
  /** Who proposes the link when nobody published it. Every relation has a source or a proposer. */
  proposed_by: line.optional(),
});

export const conceptSchema = z.strictObject({
  id: conceptIdSchema,
  name: line,
  names: z.array(conceptNameSchema).default([]),
  aliases: lines,
  category: line,
  node_type: z.enum(nodeTypes).default("concept"),
  /** A family of `vocabulary.yaml`: the line of thought the concept stands in. Relation rules read it. */
  family: line,
  /** Nations and peoples whose concept or scholarship it is; empty where the field is international. */
  peoples: lines,
  /** Who holds it or wrote it, in a sentence fragment. */
  holder: line,
  /** The short attribution printed in every text. */
  by_line: line,
  direction: line,
  /** Why it stands there; `not-placed` where no source gives a direction. */
  direction_basis: line,
  tier: z.enum(tiers).default("full"),
  contested: z.strictObject({ note: line }).nullable().default(null),
  withdrawn: z.strictObject({ at: line, reason: line, contact: line }).nullable().default(null),
  definition: line,
  indigenous_connections: z
    .strictObject({
      two_eyed_seeing: line.nullable().default(null),
      polycentric: line.nullable().default(null),
      relational: line.nullable().default(null),
      ceremonial: z
        .strictObject({ level: z.enum(ceremonialLevels).default("none"), note: line.nullable().default(null) })
        .default({ level: "none", note: null }),
    })
    .default({ two_eyed_seeing: null, polycentric: null, relational: null, ceremonial: { level: "none", note: null } }),
  ocap: z.strictObject({
    /** Why OCAP® or other governance matters here, or `none`. */
    relevance: line,
    ownership: line.nullable().default(null),
    control: line.nullable().default(null),
    access: z.enum(accessLevels),
    possession: line.nullable().default(null),
    /** Software cannot assess it: never another value. */
    status: z.literal("not-assessed"),
  }),
  governance: z
    .strictObject({
      care: lines,
      /** Community protocols a caller needs before withheld parts are told. */
      protocols: lines,
      agent_may: lines,
      agent_may_not: lines,
      reviewed_by_holder: line.nullable().default(null),
    })
    .default({ care: [], protocols: [], agent_may: [], agent_may_not: [], reviewed_by_holder: null }),
  relations: z.array(relationSchema).default([]),
  usage_contexts: lines,
  examples: lines,
  sources: z.array(z.strictObject({ key: line, seen: z.enum(seenMarks) })).default([]),
  /** Wordings that this concept's keepers advise against; the shape of `terminology.yaml`'s rules. */
  terminology: z.array(ruleSchema).default([]),
});

export type Concept = DeepReadonly<z.infer<typeof conceptSchema>>;
export type ConceptName = Concept["names"][number];
export type StoredRelation = Concept["relations"][number];
export type AccessLevel = (typeof accessLevels)[number];
