// The texts that the language-server bench reads: the same for every peer, and the same in every run.

const sentences = [
  "The team reads the agreement together before any of the data is moved to another place.",
  "Two-Eyed Seeing asks who holds each eye, and what they are learning from each other this year.",
  "We wrote down what was decided, who decided it, and whom to ask when something is not clear.",
  "A data steward keeps the record of consent, and the community decides how long it is kept.",
  "In the second week the group walked along the river and talked about what they had seen there.",
  "The report names its sources, and every figure in it can be traced to the person who counted.",
  "Structural tension holds the desired outcome beside the current reality, without hurry.",
  "Nobody expected the bridge to be finished before winter, but the road was open by November.",
  "Respect for relational accountability means that results go back to the people first.",
  "Our job is to bridge the gap between the two, and to leverage Indigenous knowledge as a resource.",
  "The code runs every night and writes one line for each file that it could not read.",
];

function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

/** Markdown of so many lines: headings, paragraphs, lists, quotations, code and links, in prose that people might write. */
export function markdown(lines, seed = 7) {
  const next = random(seed);
  const out = ["# Notes of the year", ""];
  const sentence = () => sentences[next(sentences.length)];
  while (out.length < lines) {
    const kind = next(12);
    if (kind === 0) out.push(`## Part ${out.length}`, "");
    else if (kind === 1) out.push(...Array.from({ length: 4 }, () => `- ${sentence()}`), "");
    else if (kind === 2) out.push(`> ${sentence()}`, "");
    else if (kind === 3) out.push("```js", "const answer = record.get(id);", "```", "");
    else if (kind === 4) out.push(`See [the minutes](minutes-${next(90)}.md). ${sentence()}`, "");
    else out.push(...Array.from({ length: 4 }, sentence), "");
  }
  return `${out.slice(0, lines).join("\n")}\n`;
}

/** A concept file of so many lines, and a JSON Schema that other YAML servers can read it with. */
export function conceptFile(lines) {
  const head = [
    "id: long-file",
    "name: Long File",
    "category: Orchestration",
    "family: iaip",
    "holder: the bench",
    "by_line: the bench",
    "direction: center",
    "direction_basis: not-placed",
    "definition: A concept file that is longer than any should be.",
    "ocap:",
    "  relevance: none",
    "  access: open",
    "  status: not-assessed",
    "examples:",
  ];
  const rest = Array.from(
    { length: lines - head.length },
    (_, index) => `  - "Example ${index}: ${sentences[index % sentences.length]}"`,
  );
  return `${[...head, ...rest].join("\n")}\n`;
}

/** Files of a vocabulary whose concepts go by `terms` names together, beside the shipped `vocabulary.yaml`. */
export function manyTerms(terms, perConcept = 50) {
  const next = random(11);
  const words =
    "amber birch cedar delta ember fjord grove heron inlet jetty kelp larch marsh otter pebble quartz raven spruce tundra willow".split(
      " ",
    );
  const word = () => words[next(words.length)];
  const files = {};
  for (let index = 0; index < terms / perConcept; index += 1) {
    const names = Array.from({ length: perConcept - 2 }, (_, alias) => `${word()} ${word()}${index} ${word()}${alias}`);
    const name = `${word()} ${word()} number ${index}`;
    files[`orchestration/term-${index}.yaml`] = [
      `id: term-${index}`,
      `name: ${name}`,
      `aliases: ${JSON.stringify(names)}`,
      "category: Orchestration",
      "family: iaip",
      "holder: the bench",
      "by_line: the bench",
      "direction: center",
      "direction_basis: not-placed",
      `definition: What the bench calls ${name}.`,
      "ocap: { relevance: none, access: open, status: not-assessed }",
      "",
    ].join("\n");
  }
  return files;
}
