import type { Concept } from "../concept/concept.ts";
import type { Problem, ProblemSeverity } from "../concept/problem.ts";
import type { Path } from "../concept/yaml-document.ts";
import { looseKey } from "../text/words/words.ts";

/** Makes a problem of a concept, placed at a value of its file. */
export type Fault = (
  concept: Concept,
  code: string,
  severity: ProblemSeverity,
  message: string,
  path?: Path,
) => Problem;

/** What is wrong with names and with how definitions use them. */
export function checkLabels(all: readonly Concept[], fault: Fault): Problem[] {
  return [...all.flatMap((it) => languageTags(it, fault)), ...duplicateLabels(all, fault), ...definitions(all, fault)];
}

/** Well-formed after BCP 47: language, script, region, variants. Registration is not checked. */
const wellFormedTag =
  /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*(?:-x(?:-[a-z0-9]{1,8})+)?$/;

function languageTags(concept: Concept, fault: Fault): Problem[] {
  return concept.names.flatMap(({ text, tag }, i) => {
    if (tag === undefined)
      return [
        fault(
          concept,
          "tag.missing",
          "warning",
          `The name “${text}” has no language tag. Add \`tag\`, for example \`mic\` or \`en\`.`,
          ["names", i],
        ),
      ];
    if (wellFormedTag.test(tag)) return [];
    return [
      fault(
        concept,
        "tag.invalid",
        "error",
        `\`${tag}\` is no BCP 47 language tag. Write it like \`mic\`, \`oj\` or \`en-CA\`.`,
        ["names", i, "tag"],
      ),
    ];
  });
}

function labelsOf(concept: Concept): { readonly text: string; readonly path: Path }[] {
  return [
    { text: concept.name, path: ["name"] },
    ...concept.names.map((it, i) => ({ text: it.text, path: ["names", i, "text"] })),
    ...concept.aliases.map((text, i) => ({ text, path: ["aliases", i] })),
    ...concept.search_names.map((text, i) => ({ text, path: ["search_names", i] })),
  ];
}

function duplicateLabels(all: readonly Concept[], fault: Fault): Problem[] {
  const owners = new Map<string, Concept>();
  return all.flatMap((concept) => {
    const own = new Set<string>();
    return labelsOf(concept).flatMap(({ text, path }) => {
      const key = looseKey(text);
      const owner = owners.get(key);
      owners.set(key, owner ?? concept);
      const problems: Problem[] = [];
      if (owner && owner !== concept)
        problems.push(
          fault(
            concept,
            "label.duplicate",
            "warning",
            `“${text}” is also a name of \`${owner.id}\`: asked by it, both are offered. Keep it at one of them.`,
            path,
          ),
        );
      // A preferred name may stand again among `names`, with its language.
      if (own.has(key) && path[0] === "aliases")
        problems.push(
          fault(
            concept,
            "label.overlapping",
            "warning",
            `The alias “${text}” is a name this concept already has. Remove it.`,
            path,
          ),
        );
      own.add(key);
      return problems;
    });
  });
}

function definitions(all: readonly Concept[], fault: Fault): Problem[] {
  const first = new Map(all.map((it) => [it.id, ` ${looseKey((it.definition ?? "").split(/(?<=[.!?])\s/, 1)[0]!)} `]));
  const byId = new Map(all.map((it) => [it.id, it]));
  const names = (text: string, concept: Concept) => text.includes(` ${looseKey(concept.name)} `);
  return all.flatMap((concept) => {
    const problems: Problem[] = [];
    const start = looseKey(concept.definition ?? "");
    if (
      labelsOf(concept).some((it) =>
        new RegExp(`^(?:an? |the )?${escaped(looseKey(it.text))} (?:is|are|means|was) `).test(`${start} `),
      )
    )
      problems.push(
        fault(
          concept,
          "definition.starts-with-term",
          "warning",
          `The definition of \`${concept.id}\` starts with the term itself. Say what it is instead.`,
          ["definition"],
        ),
      );
    const partner = concept.relations
      .map((it) => byId.get(it.to))
      .find((other) => other && names(first.get(concept.id)!, other) && names(first.get(other.id)!, concept));
    if (partner)
      problems.push(
        fault(
          concept,
          "definition.circular",
          "warning",
          `\`${concept.id}\` and \`${partner.id}\` are defined by each other. Define one without the other.`,
          ["definition"],
        ),
      );
    return problems;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
