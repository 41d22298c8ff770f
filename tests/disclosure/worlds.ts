import { conceptFile, type Files, teaVocabulary } from "../support/small-vocabulary.ts";

/** A word that stands in withheld content and nowhere else. */
export const secret = "xylophone";

/** Two vocabularies that a caller without the grant must not be able to tell apart. */
export interface Pair {
  readonly name: string;
  /** With what is withheld. */
  readonly guarded: Files;
  /** The same files, and what is withheld was never written. */
  readonly absent: Files;
  /** The guarded file after an edit that only those who are granted it may notice. */
  readonly edited: Files;
}

const content = (definition: string) => ({ definition, name: "Night Pour" });

const whole = `aliases: [moonpour]
usage_contexts: [pouring by ${secret} light]
usage_tags: [${secret} evenings]
search_names: [${secret} rite]
examples: [the ${secret} was played]
contested: { note: some doubt the ${secret} }
indigenous_connections: { relational: "who plays the ${secret}?", ceremonial: { level: may-touch, note: ${secret} } }
governance: { protocols: [tasters], care: [${secret} care], agent_may: [${secret}], agent_may_not: [${secret}] }
relations:
  - { type: enables, to: steep, source: B1, why: the ${secret} says so }
  - { type: complements, to: boil, proposed_by: tests }
terminology:
  - id: ${secret}.discouraged
    title: ${secret}
    severity: warning
    phrases: [moon pouring]
    preferred: [${secret}]
    reason: ${secret}
    source: { key: B1, standing: seen }
    examples: { flags: [moon pouring], passes: [pouring] }
`;

const ocap = (access: string, more = "") =>
  `ocap: { relevance: held by the tasters, access: ${access}, status: not-assessed${more} }\n`;

const open: Files = {
  ...teaVocabulary,
  "craft/boil.yaml": conceptFile("boil"),
  "craft/steep.yaml": conceptFile("steep", "relations: [{ type: complements, to: boil, source: B1 }]\n"),
};

/** A concept that everybody may know of, and whose content is for those with its protocol. */
function guardedBy(access: string, tier: string): Pair {
  const file = "craft/night-pour.yaml";
  const written = (text: string) =>
    conceptFile("night-pour", `tier: ${tier}\n${whole}${ocap(access, `, ownership: ${secret}`)}`, content(text));
  const level = "indigenous_connections: { ceremonial: { level: may-touch, note: null } }\n";
  const alias = access === "restricted" ? "aliases: [moonpour]\n" : "";
  const bare = conceptFile(
    "night-pour",
    `tier: ${tier}\ngovernance: { protocols: [tasters] }\n${alias}${level}${ocap(access)}`,
    content("Not given."),
  );
  return {
    name: `a ${tier} card with access ${access}`,
    guarded: { ...open, [file]: written(`The ${secret} words of the tasters.`) },
    absent: { ...open, [file]: bare },
    edited: { [file]: written(`Other ${secret} words of the tasters.`) },
  };
}

/** A concept that nobody without its protocol may know of. */
function hidden(tier: string, broken: boolean): Pair {
  const file = "ware/night-pour.yaml";
  const fields = { ...content(`The ${secret} words of the tasters.`), category: "Ware", direction: "then" };
  const fault = broken ? "relations_: []\nsources_: [1]\n" : "";
  const text = `tier: ${tier}\nexistence: withheld\n${whole}${ocap("open")}${fault}`;
  const related =
    "relations:\n  - { type: complements, to: boil, source: B1 }\n  - { type: enables, to: night-pour, source: B1 }\nreplaced_by: [night-pour]\n";
  const kept = "relations:\n  - { type: complements, to: boil, source: B1 }\n";
  return {
    name: `a ${tier} card of withheld existence${broken ? " with faults" : ""}`,
    guarded: {
      ...open,
      "craft/steep.yaml": conceptFile("steep", related),
      [file]: conceptFile("night-pour", text, fields),
    },
    absent: { ...open, "craft/steep.yaml": conceptFile("steep", kept) },
    edited: { [file]: conceptFile("night-pour", text, { ...fields, definition: `Other ${secret} words.` }) },
  };
}

export const pairs: readonly Pair[] = [
  guardedBy("restricted", "full"),
  guardedBy("ceremony_required", "full"),
  guardedBy("restricted", "pointer"),
  guardedBy("ceremony_required", "pointer"),
  hidden("full", false),
  hidden("pointer", false),
  hidden("full", true),
];
