import { z } from "zod";
import type { DeepReadonly } from "../../base/deep-readonly.ts";
import { patternFault } from "./pattern.ts";

export const severities = ["error", "warning", "information", "hint"] as const;
export const strictnesses = ["gentle", "standard", "strict"] as const;
/** Languages that are read; a rule speaks in texts of its own. */
export const languages = ["en", "fr"] as const;
export const standings = ["seen", "secondary", "house-style", "unverified"] as const;

const line = z.string().min(1);
const lines = z.array(line).default([]);

/** A pattern in the notation of `pattern.ts`. */
const phrase = line.superRefine((text, context) => {
  const message = patternFault(text);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});
const phrases = z.array(phrase).default([]);

const places = ["near", "sentence", "clause", "before", "after", "passage", "nearby", "document", "start"] as const;

/**
 * Words around a match that decide its sense. `near` and `before` and `after` are counted in words between the cue and
 * the match, `near` in the same phrase; `nearby` is the passage and the one before. `start` needs no words: the match
 * begins its sentence.
 */
const cue = z.strictObject({
  in: z.enum(places).default("sentence"),
  within: z.number().int().min(0).max(30).default(0),
  any: phrases,
});

/** A bare string asks for a word anywhere in the sentence. */
const cueSchema = z.union([phrase.transform((text) => ({ in: "sentence" as const, within: 0, any: [text] })), cue]);

/**
 * What makes a match another sense. A bare string has to stand near, in the same phrase: a lone word elsewhere in a
 * sentence silences nothing. A bare `@set` is what the sentence is about.
 */
const otherSenseSchema = z.union([
  phrase.transform((text) =>
    text.startsWith("@")
      ? { in: "sentence" as const, within: 0, any: [text] }
      : { in: "near" as const, within: 2, any: [text] },
  ),
  cue,
]);

/** One way in which a rule reads a text: its phrases, what must stand around them and what must not. */
const readingSchema = z.strictObject({
  /** Patterns, in the notation of `pattern.ts`. */
  phrases: z.array(phrase).min(1),
  /** At least one of these must stand around the match. */
  needs: z.array(cueSchema).default([]),
  /** Likewise; both lists must be met. */
  also: z.array(cueSchema).default([]),
  /** Any of these makes it another sense: nothing is said. */
  unless: z.array(otherSenseSchema).default([]),
  /** Counts only inside a stated outcome. */
  outcome: z.boolean().default(false),
  /** The least strictness at which this reading speaks, when it is not that of the rule. */
  strictness: z.enum(["standard", "strict"]).optional(),
});

/**
 * One discouraged wording with its reason and its source. The same shape stands in `terminology.yaml` and in the
 * `terminology` of a concept file, so that another community can write its own.
 */
export const ruleSchema = z.strictObject({
  /** `noun.adjective`, never renumbered. */
  id: z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, "rule ids are written noun.adjective"),
  title: line,
  severity: z.enum(severities),
  /** The least strictness at which the rule speaks. */
  strictness: z.enum(["standard", "strict"]).default("standard"),
  /** The language of the texts that it reads, and of its words. */
  language: z.enum(languages).default("en"),
  /** Sugar for one reading. */
  phrases,
  needs: z.array(cueSchema).default([]),
  also: z.array(cueSchema).default([]),
  outcome: z.boolean().default(false),
  readings: z.array(readingSchema).default([]),
  /** Of every reading. */
  unless: z.array(otherSenseSchema).default([]),
  /** Phrases that are never flagged; a match inside one is left alone. */
  never: phrases,
  /** What the code looks for when words alone cannot tell; its parameters are the rule's. */
  structure: z
    .enum(["concept.alias", "concept.contested", "concept.uncredited", "concept.elaborated", "teachings.merged"])
    .optional(),
  /** Patterns that a structure looks for beside the concepts it reads. */
  cues: phrases,
  preferred: lines,
  /** The next step in a sentence, where the preferred words alone do not say it. */
  advice: line.optional(),
  reason: line,
  source: z.strictObject({ key: line, standing: z.enum(standings) }),
  /** Silent where a prior state is being restored. */
  baseline: z.boolean().default(false),
  /** Whether a negation before it silences it: "we do not bridge the gap". */
  negation: z.enum(["silent", "counts"]).default("counts"),
  /** Whether it is left alone inside the name of a body, a law, a place or a work. */
  names: z.enum(["exempt", "counts"]).default("exempt"),
  /** Whether it is left alone where people name themselves: "I am Chippewa". */
  self_naming: z.enum(["silent", "counts"]).default("counts"),
  /** The one change that is always right, when there is one. */
  fix: z.enum(["replace", "capitalize"]).optional(),
  /** Once in a document is enough. */
  once: z.boolean().default(false),
  examples: z.strictObject({ flags: z.array(line).min(1), passes: z.array(line).min(1) }),
  /** More for the rule's page: what it reads, and where it stops. */
  page: line.optional(),
});

/** `terminology.yaml`: named sets of words, and rules that no single concept owns. */
export const terminologySchema = z.strictObject({
  sets: z.record(z.string().regex(/^[a-z0-9-]+$/), z.array(phrase)).default({}),
  rules: z.array(ruleSchema).default([]),
});

export type Severity = (typeof severities)[number];
export type Strictness = (typeof strictnesses)[number];
export type Language = (typeof languages)[number];
export type Standing = (typeof standings)[number];
export type Rule = DeepReadonly<z.infer<typeof ruleSchema>>;
export type Reading = DeepReadonly<z.infer<typeof readingSchema>>;
export type Cue = Reading["needs"][number];
export type Terminology = DeepReadonly<z.infer<typeof terminologySchema>>;
