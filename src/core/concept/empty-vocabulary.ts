import type { Vocabulary } from "./vocabulary.ts";

/** Stands in until there is a `vocabulary.yaml`: nothing fits it, and every concept file says so. */
export const emptyVocabulary: Vocabulary = {
  name: "none",
  title: "No vocabulary",
  version: "0",
  description: "No vocabulary is loaded.",
  language: "en",
  categories: [],
  directions: { scheme: "none", disclaimer: "No direction scheme is loaded.", values: [] },
  families: [],
  relation_types: [],
  relation_rules: [],
  associations: [],
  proposers: [],
  protocols: [],
};
