import { beforeAll, describe, expect, test } from "vitest";
import { localCaller } from "../../src/core/concept/caller.ts";
import { namespaceOf, namespacePattern, typeNames } from "../../src/kag/type-names.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { errorOnly, schemaReturn, statusReturn } from "./contract.ts";
import { type Kag, kagOver, shippedSnapshot } from "./open-kag.ts";

let shipped: Kag;
beforeAll(async () => {
  shipped = kagOver(await shippedSnapshot());
});

const tea = snapshotOf({
  "craft/steep.yaml": conceptFile("steep", "relations: [{ type: enables, to: brew, proposed_by: test }]"),
  "craft/brew.yaml": conceptFile("brew"),
  "ware/pot.yaml": conceptFile("pot", "relations: [{ type: complements, to: brew, source: B1 }]", { category: "Ware" }),
});

describe("what a client sees", () => {
  test("four tools, unprefixed, in the contract's version, that only read", async () => {
    expect(shipped.tools.map((it) => it.name).sort()).toEqual(["kag_reason", "kag_schema", "kag_solve", "kag_status"]);
    for (const { description, annotations, outputSchema } of shipped.tools) {
      expect(description).toContain("Contract v1.");
      expect(description.length).toBeLessThan(2_048);
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(outputSchema).toBeUndefined();
    }
  });

  test("the tools are those of the golden file", async () => {
    const listed = shipped.tools.map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations,
    }));
    await expect(`${JSON.stringify(listed, null, 2)}\n`).toMatchFileSnapshot("../golden/kag/tools.json");
  });

  test.each([
    ["kag_solve", { question: "How do steep and brew relate?" }],
    ["kag_schema", {}],
    ["kag_reason", { dsl: "MATCH (n:Tea.Craft)-[p]-(o) RETURN n.id, p.label, o", params: {} }],
    ["kag_reason-error", { dsl: "MATCH (n:Craft) RETURN n" }],
    ["kag_status", {}],
  ])("the return of %s is that of the golden file", async (name, args) => {
    const told = await kagOver(tea, { namespace: "Tea" }).told(name.replace("-error", ""), args);
    const timeless = "cost_ms" in told ? { ...told, cost_ms: 0 } : told;
    await expect(`${JSON.stringify(timeless, null, 2)}\n`).toMatchFileSnapshot(`../golden/kag/${name}.json`);
  });

  test.each(["kag_solve", "kag_schema", "kag_reason"])(
    "%s takes the bound project, none, and keys it does not know",
    async (name) => {
      const given = { question: "What is brew?", dsl: "MATCH (n) RETURN n.id" };
      const kag = kagOver(tea);
      const [without, bound, extra] = await Promise.all([
        kag.told(name, given),
        kag.told(name, { ...given, project_id: "tea" }),
        kag.told(name, { ...given, project_id: "", surprise: 1 }),
      ]);
      for (const told of [bound, extra]) expect({ ...told, cost_ms: 0 }).toEqual({ ...without, cost_ms: 0 });
      errorOnly.parse(await kag.told(name, { ...given, project_id: "another" }));
    },
  );

  test("no input schema refuses further keys", () => {
    for (const { inputSchema } of shipped.tools) expect(inputSchema).not.toHaveProperty("additionalProperties");
  });
});

describe("kag_schema", () => {
  test("every concept's category is exactly one listed type, with a legal name", async () => {
    const { spg_types, namespace } = schemaReturn.parse(await shipped.told("kag_schema"));
    expect(namespace).toMatch(namespacePattern);
    const types = typeNames(shipped.snapshot.vocabulary, namespace);
    expect([...types.values()]).toEqual(Object.keys(spg_types));
    expect(new Set(types.values()).size).toBe(types.size);
    for (const { concept } of shipped.snapshot.viewFor(localCaller()).concepts.values())
      expect(types.has(concept.category)).toBe(true);
  });

  test("the documented mapping is the one in force", async () => {
    expect(Object.fromEntries(typeNames(shipped.snapshot.vocabulary, "IAIP"))).toEqual({
      Framework: "IAIP.Framework",
      "Feeling/Capacity": "IAIP.FeelingCapacity",
      "Knowledge System": "IAIP.KnowledgeSystem",
      Integration: "IAIP.Integration",
      Ceremony: "IAIP.Ceremony",
      Orchestration: "IAIP.Orchestration",
    });
  });

  test.each([
    ["iaip", "IAIP"],
    ["tea", "TEA"],
    ["river-words", "RiverWords"],
    ["mikmaw", "Mikmaw"],
    ["ab", "ABVocabulary"],
    ["3-sisters", "V3Sisters"],
  ])("the vocabulary %s has the namespace %s", (name, namespace) => {
    expect(namespaceOf({ name })).toBe(namespace);
    expect(namespace).toMatch(namespacePattern);
  });

  test("categories that would share a name are told apart, and none is without letters", () => {
    const categories = ["a b", "A/B", "Ä-b", "ᐃᓄᒃᑎᑐᑦ", "7 things"].map((id) => ({ id, folder: "x" }));
    const names = [...typeNames({ categories }, "Ns").values()];
    expect(names).toEqual(["Ns.AB", "Ns.AB2", "Ns.AB3", "Ns.Category", "Ns.C7Things"]);
  });
});

describe("kag_status", () => {
  test("says that no model is configured, and when one is", async () => {
    expect(statusReturn.parse(await shipped.told("kag_status"))).toMatchObject({
      bridge: "ok",
      llm_configured: false,
      namespace: "IAIP",
      project_id: "iaip",
    });
    const withModel = kagOver(shipped.snapshot, { model: async () => "" });
    expect(await withModel.told("kag_status")).toMatchObject({ llm_configured: true });
  });

  test("tells an empty vocabulary as an error in its own form", async () => {
    const told = statusReturn.parse(await kagOver(snapshotOf({}, {})).told("kag_status"));
    expect(told).toMatchObject({ bridge: "error", error: expect.stringContaining("vocabulary.yaml") });
  });

  test("takes whatever it is given", async () => {
    for (const args of [undefined, null, [], "x", { project_id: "another" }])
      expect(await shipped.told("kag_status", args)).toHaveProperty("bridge", "ok");
  });
});
