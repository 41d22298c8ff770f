import { type ParsedFile, parseFile } from "../../src/core/concept/parse-file.ts";
import { buildSnapshot, type Snapshot } from "../../src/core/snapshot/snapshot.ts";

export type Files = Readonly<Record<string, string>>;

/** A made-up vocabulary about tea, which belongs to nobody: small enough to be read beside a test. */
export const teaVocabulary: Files = {
  "vocabulary.yaml": `name: tea
title: Tea words
version: 1.0.0
description: A made-up vocabulary for tests.
categories:
  - { id: Craft, folder: craft }
  - { id: Ware, folder: ware }
directions:
  scheme: steps-v1
  disclaimer: The steps only order the work.
  values:
    - { id: first, name: First, meaning: before the water boils }
    - { id: then, name: Then, meaning: while it steeps }
    - { id: middle, name: Middle, meaning: at any time, center: true }
families:
  - { id: kitchen, name: Kitchen words, lineage: house }
  - { id: garden, name: Garden words, lineage: field }
relation_types:
  - { id: grounds, inverse: grounded-in, strength: 0.9 }
  - { id: enables, inverse: enabled-by, strength: 0.8 }
  - { id: part-of, inverse: has-part, strength: 0.7 }
  - { id: complements, symmetric: true, strength: 0.5 }
  - { id: resonates-with, symmetric: true, strength: 0.2, analogy: true }
relation_rules:
  - id: house-and-field
    between: [{ lineages: [house] }, { lineages: [field] }]
    never: [grounds, part-of]
    reason: A kitchen word does not rest on a garden word.
protocols:
  - { id: tasters, description: The tasters' circle, contact: the head taster }
`,
  "sources.yaml": `B1: { citation: "A. Brewer (2001) The Book of Tea Words", authors: [Brewer], seen: full, url: "https://example.org/tea" }
`,
};

/** A concept file of the tea vocabulary; \`more\` is YAML at the top level. */
export function conceptFile(id: string, more = "", fields: Readonly<Record<string, string>> = {}): string {
  const all = {
    name: id.replace(/-/g, " ").replace(/\b\w/g, (it) => it.toUpperCase()),
    category: "Craft",
    family: "kitchen",
    holder: "the kitchen",
    by_line: "kitchen words",
    direction: "first",
    direction_basis: "order of work",
    definition: `What cooks call ${id.replace(/-/g, " ")} when they write about tea.`,
    ...fields,
  };
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const ocap = /^ocap:/m.test(more) ? "" : "ocap: { relevance: none, access: open, status: not-assessed }\n";
  return `id: ${id}\n${lines.join("\n")}\n${ocap}sources: [{ key: B1, seen: full }]\n${more}`;
}

export function parsedFiles(files: Files): ParsedFile[] {
  return Object.keys(files)
    .sort()
    .map((it) => parseFile(it, files[it]!));
}

/** A snapshot of the tea vocabulary with these files beside it. */
export function snapshotOf(files: Files, base: Files = teaVocabulary): Snapshot {
  return buildSnapshot(parsedFiles({ ...base, ...files }), { sequence: 1 });
}
