import { beforeAll, describe, expect, test } from "vitest";
import { localCaller } from "../../src/core/concept/caller.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { solveReturn } from "./contract.ts";
import { type Kag, kagOver, shippedSnapshot } from "./open-kag.ts";

let shipped: Kag;
beforeAll(async () => {
  shipped = kagOver(await shippedSnapshot());
});

const tea = kagOver(
  snapshotOf({
    "craft/steep.yaml": conceptFile("steep", "relations: [{ type: enables, to: brew, proposed_by: test }]"),
    "craft/brew.yaml": conceptFile("brew", "relations: [{ type: enables, to: bowl, proposed_by: test }]", {
      direction: "then",
    }),
    "ware/bowl.yaml": conceptFile("bowl", "", { category: "Ware", direction: "then" }),
  }),
);

const solve = async (kag: Kag, question: string) => solveReturn.parse(await kag.told("kag_solve", { question }));

describe("questions of membership and number", () => {
  test.each([
    ["How many concepts are there?", /^There are 3 concepts in this vocabulary: Craft 2, Ware 1\./, []],
    [
      "How many concepts belong to the category Craft?",
      /^2 concepts .* category Craft: Brew; Steep/,
      ["brew", "steep"],
    ],
    ["Which concepts belong to Ware?", /^1 concept .* category Ware: Bowl/, ["bowl"]],
    ["List the terms in the direction Then", /^2 concepts .* direction Then: /, ["bowl", "brew"]],
    ["How many concepts are in First?", /^1 concept .* direction First: Steep/, ["steep"]],
    ["Which concepts belong to the kitchen words?", /^3 concepts .* family Kitchen words/, ["bowl", "brew", "steep"]],
    ["Which concepts are joined by enables?", /^3 concepts .* relation enables/, ["bowl", "brew", "steep"]],
    ["How many concepts have the relation part-of?", /^0 concepts .* relation part-of\.$/, []],
    ["Which categories are there?", /^There are 2 categories in this vocabulary: Craft; Ware\.$/, []],
    ["How many directions are there?", /^There are 3 directions .*First \(before the water boils\)/, []],
    ["List the relation types", /^There are 5 relation types .*enables \(enabled-by\)/, []],
    ["How many relations are there?", /^There are 2 relations .*enables 2/, []],
  ])("%s", async (question, answer, cited) => {
    const solved = await solve(tea, question);
    expect(solved.answer.replaceAll(/ ?<reference[^>]*><\/reference>/g, "")).toMatch(answer);
    expect(solved.reference.flatMap((it) => it.info.map((one) => one.document_id)).sort()).toEqual(cited);
  });

  test.each([
    "What is Steep?",
    "How does Steep enable Brew?",
    "Which concepts relate to Brew?",
    "What belongs to Steep?",
  ])("%s is a question about a concept", async (question) => {
    expect((await solve(tea, question)).answer).toContain("What cooks call");
  });

  test("are counted over what ships, and stay under 8,000 bytes with a graph", async () => {
    const { vocabulary } = shipped.snapshot;
    const view = shipped.snapshot.viewFor(localCaller());
    for (const { id, name } of vocabulary.directions.values) {
      const count = [...view.concepts.values()].filter((it) => it.concept.direction === id).length;
      const answer = await shipped.call("kag_solve", { question: `Which concepts belong to the ${name}?` });
      expect(Buffer.byteLength(answer.text)).toBeLessThan(8_000);
      const solved = solveReturn.parse(JSON.parse(answer.text));
      expect(solved.answer).toMatch(new RegExp(`^${count} concepts? `));
      expect(solved.answer).toContain(vocabulary.directions.disclaimer);
      expect(solved.subgraph.length).toBe(count === 0 ? 0 : 1);
    }
    expect((await solve(shipped, "How many concepts are there?")).answer).toMatch(
      `There are ${view.concepts.size} concepts`,
    );
  });

  test("count what a caller may see, and nothing else", async () => {
    const guarded =
      "ocap: { relevance: held, access: restricted, status: not-assessed }\nexistence: withheld\ngovernance: { protocols: [tasters], care: [], agent_may: [], agent_may_not: [], reviewed_by_holder: null }\n";
    const snapshot = snapshotOf({ "craft/a.yaml": conceptFile("a"), "craft/b.yaml": conceptFile("b", guarded) });
    const count = async (protocols: string[]) =>
      (await solve(kagOver(snapshot, {}, localCaller(protocols)), "How many concepts are there?")).answer;
    expect([await count([]), await count(["tasters"])]).toEqual([
      expect.stringContaining("There is 1 concept in"),
      expect.stringContaining("There are 2 concepts in"),
    ]);
  });
});
