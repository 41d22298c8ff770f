// Distinct questions for each tool, made from the shipped vocabulary: an agent seldom asks the same twice.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const folder = fileURLToPath(new URL("../../concepts", import.meta.url));

/** By tool, its arguments: as many as the vocabulary gives, none twice, in an order that is the same on every run. */
export function distinctQuestions() {
  const concepts = readConcepts();
  const sentences = concepts.flatMap((it) => [...sentencesOf(it.definition), ...(it.usage_contexts ?? [])]);
  const pairs = concepts.flatMap((one, i) => [1, 7, 19].map((step) => [one, concepts[(i + step) % concepts.length]]));
  const questions = {
    iaip_concept_lookup: concepts.flatMap((it) => [
      { concept: it.id, depth: "full" },
      { concept: it.name, depth: "relational" },
      { concept: it.id, depth: "brief" },
    ]),
    iaip_concept_relationship: pairs.map(([one, other]) => ({ concept1: one.id, concept2: other.id })),
    iaip_concept_search: sentences.map((it) => ({ query: longestWords(it, 3) })),
    iaip_validate_terminology: sentences.map((it, i) => ({
      text: [it, sentences[(i + 31) % sentences.length], "We bridged the gap before the next season."].join(" "),
    })),
    iaip_concept_context: concepts.flatMap((it) => [1, 2, 3].map((hops) => ({ concept: it.id, hops }))),
    iaip_direction_concepts: ["east", "south", "west", "north"].map((direction) => ({ direction })),
    iaip_concept_suggest: sentences.map((it) => ({ context: it })),
    iaip_wisdom_ledger_log: concepts.flatMap((it) =>
      ["a", "b", "c"].map((agent) => ({ concept: it.id, agent_id: agent, context: `A bench used ${it.name}.` })),
    ),
  };
  return Object.fromEntries(Object.entries(questions).map(([tool, list]) => [tool, shuffled(unique(list))]));
}

function readConcepts() {
  return readdirSync(folder, { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => parse(readFileSync(file, "utf8")))
    .filter((it) => typeof it.definition === "string");
}

function sentencesOf(text) {
  return text.split(/(?<=[.;])\s+/).filter((it) => it.length > 30);
}

function longestWords(text, count) {
  const words = [...new Set(text.match(/\p{L}{4,}/gu) ?? [])];
  return words
    .sort((a, b) => b.length - a.length)
    .slice(0, count)
    .join(" ");
}

function unique(list) {
  return [...new Map(list.map((it) => [JSON.stringify(it), it])).values()];
}

/** Fisher-Yates with a small generator of its own, so that neighbors in a file are not neighbors in the run. */
function shuffled(list) {
  let state = 12_345;
  for (let i = list.length - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const j = state % (i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}
