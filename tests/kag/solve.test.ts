import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { localCaller } from "../../src/core/concept/caller.ts";
import { count } from "../support/counts.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { errorOnly, type Solved, solveReturn } from "./contract.ts";
import { type Kag, kagOver, shippedSnapshot } from "./open-kag.ts";
import { foldSolve } from "./web-ui-fold.ts";

let shipped: Kag;
beforeAll(async () => {
  shipped = kagOver(await shippedSnapshot());
});

const kitchen = snapshotOf({
  "craft/steep.yaml": conceptFile("steep", "relations: [{ type: enables, to: brew, proposed_by: test }]"),
  "craft/brew.yaml": conceptFile("brew", "relations: [{ type: part-of, to: service, source: B1 }]"),
  "craft/service.yaml": conceptFile("service"),
  "craft/whisk.yaml": conceptFile("whisk", "relations: [{ type: resonates-with, to: brew, proposed_by: test }]"),
  "craft/alone.yaml": conceptFile("alone", "aliases: [tea bowl]"),
  "ware/bowl.yaml": conceptFile("bowl", "aliases: [tea bowl]", { category: "Ware" }),
  "craft/secret.yaml": conceptFile(
    "secret-leaf",
    "ocap: { relevance: held, access: restricted, status: not-assessed }\ngovernance: { protocols: [tasters] }\n" +
      "relations: [{ type: complements, to: steep, proposed_by: test }]",
    { definition: "It is plucked under the jade moon by those who may." },
  ),
});

async function solve(kag: Kag, question: string): Promise<Solved> {
  return solveReturn.parse(await kag.told("kag_solve", { question }));
}

/** Every tag has its passage, every passage its tag; every edge has its nodes; all of it is bounded. */
function expectClosed(solved: Solved): void {
  const tags = Array.from(solved.answer.matchAll(/<reference id="([^"]+)"><\/reference>/g), (it) => it[1]);
  const passages = solved.reference.flatMap((it) => it.info.map(({ id }) => id));
  expect(new Set(tags)).toEqual(new Set(passages));
  expect(solved.answer.replaceAll(/<reference id="[^"]+"><\/reference>/g, "")).not.toMatch(/<\/?reference/);
  expect(new Set(passages).size).toBe(passages.length);
  const nodes = solved.subgraph.flatMap((it) => it.result_nodes.map(({ id }) => id));
  const edges = solved.subgraph.flatMap((it) => it.result_edges);
  expect(new Set(nodes).size).toBe(nodes.length);
  expect(new Set(edges.map((it) => it.id)).size).toBe(edges.length);
  for (const { _from, to } of edges) expect(nodes).toEqual(expect.arrayContaining([_from, to]));
  expect(nodes.length).toBeLessThanOrEqual(60);
  expect(edges.length).toBeLessThanOrEqual(120);
}

describe("over every concept that ships", () => {
  test("its question is answered from its own words, with references and a graph that close, under 8,000 bytes", async () => {
    let most = 0;
    for (const { concept, notice } of shipped.snapshot.viewFor(localCaller()).concepts.values()) {
      const answer = await shipped.call("kag_solve", { question: `What is ${concept.name}?` });
      most = Math.max(most, Buffer.byteLength(answer.text));
      const solved = solveReturn.parse(JSON.parse(answer.text));
      expectClosed(solved);
      expect(solved.answer).toContain(concept.definition ?? notice);
      expect(solved.reference[0]?.info.map((it) => it.document_id)).toContain(concept.id);
    }
    console.log(`kag_solve over every shipped concept: at most ${most} bytes`);
    expect(most).toBeLessThan(8_000);
  });

  test("the WebUI shows its sources, its graph and its excerpt", async () => {
    const view = shipped.snapshot.viewFor(localCaller());
    for (const { concept } of view.concepts.values()) {
      const { text } = await shipped.call("kag_solve", { question: `What is ${concept.name}?` });
      for (const seen of [text, JSON.stringify({ result: text })]) {
        const folded = foldSolve("mcp__kag-bridge__kag_solve", seen);
        expect(folded?.excerpt).toContain(concept.name);
        expect(folded?.excerpt).not.toContain("<reference");
        expect(folded?.sources.map((it) => it.name)).toContain(concept.name);
        expect(folded?.nodes.map((it) => it.label)).toContain(concept.name);
        expect(folded?.nodes.every((it) => it.description.length > 0)).toBe(true);
        expect(folded?.hasGraphTab, concept.id).toBe(view.graph.edgesOf(concept.id).length > 0);
      }
      expect(foldSolve("mcp__other__kag_solve", text)).toBeUndefined();
    }
  });

  test("any question at all is answered in the frozen form, the same twice", async () => {
    const names = [...shipped.snapshot.viewFor(localCaller()).concepts.values()].map((it) => it.concept.name);
    const words = fc.oneof(
      fc.constantFrom(...names),
      fc.string(),
      fc.constantFrom("how", "relate", '<reference id="x">', "?"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: 1, maxLength: 6 }).map((it) => `x ${it.join(" ")}`),
        async (question) => {
          const { text } = await shipped.call("kag_solve", { question });
          expect(Buffer.byteLength(text)).toBeLessThan(8_000);
          const [first, second] = [await solve(shipped, question), await solve(shipped, question)];
          expectClosed(first);
          expect({ ...first, cost_ms: 0 }).toEqual({ ...second, cost_ms: 0 });
        },
      ),
      { numRuns: count(60, 1_000) },
    );
  });
});

describe("what a question is about", () => {
  const small = kagOver(kitchen);

  test("two concepts are told with the relation between them", async () => {
    const { answer } = await solve(small, "How do steep and brew relate?");
    expect(answer).toContain("Steep **enables** Brew (proposed by test)");
  });

  test("two concepts that are not neighbors are told with the path, and what lies on it", async () => {
    const { answer, reference } = await solve(small, "How does steep lead to service?");
    expect(answer).toContain(
      "joined by 2 relations: Steep **enables** Brew (proposed by test), and Brew **part-of** Service (Brewer)",
    );
    expect(reference[0]?.info.map((it) => it.document_id)).toEqual(["steep", "service", "brew"]);
  });

  test("a path by analogy claims nothing stronger", async () => {
    expect((await solve(small, "How does whisk relate to steep?")).answer).toContain(
      "only by analogy; nothing stronger follows",
    );
  });

  test("concepts that no path joins are told so", async () => {
    expect((await solve(small, "How does alone relate to steep?")).answer).toContain(
      "no path of 4 relations or fewer joins them",
    );
  });

  test("a name of several concepts tells each", async () => {
    const { answer, reference } = await solve(small, "What is a tea bowl?");
    expect(answer).toContain("is a name of several concepts");
    expect(reference[0]?.info.map((it) => it.document_id).sort()).toEqual(["alone", "bowl"]);
  });

  test("a question about nothing here finds nothing, and says so", async () => {
    const solved = await solve(shipped, "What is the capital of France?");
    expect(solved.answer).toMatch(/^Nothing found: no concept of this vocabulary speaks to this question\./);
    expect([solved.reference, solved.subgraph]).toEqual([[], []]);
  });

  test("a misspelled name is answered as what it was read as", async () => {
    expect((await solve(shipped, "What is structral tensoin?")).answer).toMatch(/read as “structural tension”/i);
  });

  test.each(["think_pipeline", "default_pipeline", "index_pipeline", "", undefined])(
    "pipeline %s gives the same answer",
    async (use_pipeline) => {
      const told = await small.told("kag_solve", { question: "What is brew?", use_pipeline });
      expect({ ...told, cost_ms: 0 }).toEqual({ ...(await solve(small, "What is brew?")), cost_ms: 0 });
    },
  );

  test("a pipeline that does not exist is an error and nothing else", async () => {
    errorOnly.parse(await small.told("kag_solve", { question: "What is brew?", use_pipeline: "dream_pipeline" }));
  });

  test("a question that is missing is refused by name", async () => {
    const answer = await small.call("kag_solve", { query: "What is brew?" });
    expect(answer).toMatchObject({ kind: "refused", text: expect.stringContaining("`question` is required") });
  });
});

describe("what was not disclosed", () => {
  const granted = { ...localCaller(["tasters"]) };
  const questions = [
    "What is secret leaf?",
    "How do secret leaf and steep relate?",
    "What is steep?",
    "jade moon",
    "plucked under the moon",
  ];

  test.each(questions)("is in no part of the answer to “%s”", async (question) => {
    const { text } = await kagOver(kitchen).call("kag_solve", { question });
    expect(text).not.toMatch(/jade|plucked|complements/);
  });

  test("is told to a caller who was granted it", async () => {
    const { text } = await kagOver(kitchen, {}, granted).call("kag_solve", { question: "What is secret leaf?" });
    expect(text).toMatch(/jade moon/);
  });

  test("names who to turn to instead", async () => {
    expect((await solve(kagOver(kitchen), "What is secret leaf?")).answer).toContain("please ask them");
  });

  test("cannot be queried, counted or matched", async () => {
    const ask = async (dsl: string) => kagOver(kitchen).told("kag_reason", { dsl });
    expect(await ask("MATCH (n)-[p:complements]-(o) RETURN n.id")).toMatchObject({ status: "FINISH", row_count: 0 });
    expect(await ask("MATCH (n) WHERE n.definition like '%jade%' RETURN n.id")).toMatchObject({ row_count: 0 });
    expect(await ask("MATCH (n) WHERE n.id = 'secret-leaf' RETURN n")).toMatchObject({ row_count: 1 });
    expect(JSON.stringify(await ask("MATCH (n) RETURN n"))).not.toMatch(/jade/);
    const open = await kagOver(kitchen, {}, granted).told("kag_reason", {
      dsl: "MATCH (n)-[p:complements]->(o) RETURN n.id, o.id",
    });
    expect(open.rows).toEqual(expect.arrayContaining([["secret-leaf", "steep"]]));
  });
});
