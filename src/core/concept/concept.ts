import { z } from "zod";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { ruleSchema } from "./rule.ts";

/** Ids are kebab-case ASCII. They are shown, linked and typed by people, and never reused for another concept. */
export const conceptIdSchema = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "ids are lower-case words joined by hyphens");

export const nodeTypes = ["concept", "practice", "knowledge-system"] as const;
export const tiers = ["full", "pointer", "boundary"] as const;
export const statuses = ["draft", "candidate", "approved", "deprecated"] as const;
export const existences = ["public", "withheld"] as const;
export const accessLevels = ["open", "restricted", "ceremony_required"] as const;
export const ceremonialLevels = ["none", "may-touch", "not-for-this-tool"] as const;
export const facets = ["two_eyed_seeing", "polycentric", "relational", "ceremonial"] as const;
export const emptyReasons = ["not-ours-to-say", "does-not-apply", "not-sourced"] as const;
/** The place of a concept that stands in no direction; no vocabulary declares it. */
export const notPlaced = "not-placed";
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
  /** Why the two are related, in a sentence: from the source, or from the framework itself. */
  why: line.optional(),
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
  /** Names that lookup and search find and prose is never read by: a book's title, a gloss, another's word for it. */
  search_names: lines,
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
  /** A direction of `vocabulary.yaml`, or `not-placed`. */
  direction: line,
  /** Why it stands there; `not-placed` where no source gives a direction. */
  direction_basis: line,
  /**
   * `pointer`: says what it is called, whose it is and whom to ask, and stops. `boundary`: a name and whom to ask, and
   * nothing else; it is never suggested, and stops what would touch it.
   */
  tier: z.enum(tiers).default("full"),
  /** Where it stands in this vocabulary's own editing. It says nothing of the people whose concept it is. */
  status: z.enum(statuses).default("candidate"),
  /** Ids of what to use instead of a deprecated concept. */
  replaced_by: z.array(conceptIdSchema).default([]),
  contested: z.strictObject({ note: line }).nullable().default(null),
  withdrawn: z.strictObject({ at: line, reason: line, contact: line }).nullable().default(null),
  /** Absent where none is given: a pointer may only name whom to ask, and a boundary always does. */
  definition: line.nullable().default(null),
  indigenous_connections: z
    .strictObject({
      two_eyed_seeing: line.nullable().default(null),
      polycentric: line.nullable().default(null),
      relational: line.nullable().default(null),
      ceremonial: z
        .strictObject({ level: z.enum(ceremonialLevels).default("none"), note: line.nullable().default(null) })
        .default({ level: "none", note: null }),
      /** Why a facet is empty. */
      empty: z.partialRecord(z.enum(facets), z.enum(emptyReasons)).default({}),
    })
    .default({
      two_eyed_seeing: null,
      polycentric: null,
      relational: null,
      ceremonial: { level: "none", note: null },
      empty: {},
    }),
  /**
   * `withheld`: to a caller without the protocols of `governance` there is no such concept, not even by name; without
   * protocols it exists for nobody. Only `concepts check`, on the disk of those who hold the files, speaks of it.
   */
  existence: z.enum(existences).default("public"),
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
      /** Community protocols a caller needs before withheld parts are given. */
      protocols: lines,
      agent_may: lines,
      agent_may_not: lines,
      reviewed_by_holder: line.nullable().default(null),
    })
    .default({ care: [], protocols: [], agent_may: [], agent_may_not: [], reviewed_by_holder: null }),
  relations: z.array(relationSchema).default([]),
  usage_contexts: lines,
  /** A word or two each, as people name their field: `AI development`, `ceremony`, `framework design`. */
  usage_tags: lines,
  examples: lines,
  sources: z.array(z.strictObject({ key: line, seen: z.enum(seenMarks) })).default([]),
  /** Wordings that this concept's keepers advise against; the shape of `terminology.yaml`'s rules. */
  terminology: z.array(ruleSchema).default([]),
});

export type Concept = DeepReadonly<z.infer<typeof conceptSchema>>;
export type ConceptName = Concept["names"][number];
export type StoredRelation = Concept["relations"][number];
export type AccessLevel = (typeof accessLevels)[number];
export type Facet = (typeof facets)[number];

/** What a boundary file leaves out: it carries a name and whom to ask. */
export const boundaryDefaults = {
  family: "none",
  direction: notPlaced,
  direction_basis: notPlaced,
  ocap: { relevance: "none", access: "ceremony_required", status: "not-assessed" },
  indigenous_connections: { ceremonial: { level: "not-for-this-tool" } },
} as const;
