import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../src/base/log.ts";
import { localCaller } from "../src/core/concept/caller.ts";
import type { Snapshot } from "../src/core/snapshot/snapshot.ts";
import { noLedger } from "../src/ledger/no-ledger.ts";
import type { RequestContext } from "../src/mcp/request-context.ts";
import type { Surface, ToolAnswer } from "../src/mcp/surface.ts";
import { surfaceFor } from "../src/mcp/surface-for.ts";
import { openWorkspace } from "../src/workspace/workspace.ts";

const frozen = JSON.parse(readFileSync(join(import.meta.dirname, "fixtures/frozen-surface.json"), "utf8")) as {
  readonly tools: readonly { readonly name: string; readonly inputSchema: Schema }[];
  readonly resources: readonly {
    readonly uri: string;
    readonly name: string;
    readonly description: string;
    readonly mimeType: string;
  }[];
  readonly prompts: readonly { readonly name: string; readonly description: string; readonly arguments: unknown }[];
};
interface Schema {
  readonly type: string;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
}

let surface: Surface;
let context: RequestContext;
let snapshot: Snapshot;
beforeAll(async () => {
  const source = openWorkspace(join(import.meta.dirname, "../concepts"), { log: silentLog, watch: false });
  await source.ready;
  snapshot = source.snapshot;
  surface = surfaceFor(snapshot, "0.0.0");
  const caller = localCaller();
  const view = snapshot.viewFor(caller);
  context = { view, ledger: noLedger(), caller, signal: new AbortController().signal };
});

const call = async (name: string, args: unknown): Promise<ToolAnswer> =>
  surface.tools.find((it) => it.name === name)!.call(context, args);

/** One good call of each query tool, and what makes it refuse. */
const calls: readonly (readonly [string, object])[] = [
  ["iaip_concept_lookup", { concept: "etuaptmumk" }],
  ["iaip_concept_lookup", { concept: "pde", depth: "brief" }],
  ["iaip_concept_lookup", { concept: "OCAP", depth: "relational" }],
  ["iaip_concept_relationship", { concept1: "structural tension", concept2: "advancing pattern" }],
  ["iaip_concept_relationship", { concept1: "kaswentha", concept2: "netukulimk", max_path_length: 6 }],
  ["iaip_concept_relationship", { concept1: "respect", concept2: "Respect" }],
  ["iaip_concept_search", { query: "consent" }],
  ["iaip_concept_search", { category: "Ceremony", direction: "center" }],
  ["iaip_concept_search", { query: "zzzz" }],
  ["iaip_concept_search", {}],
  ["iaip_validate_terminology", { text: "We are closing gaps so that the vision can arrive." }],
  ["iaip_concept_context", { concept: "undrip", hops: 2 }],
  ["iaip_concept_context", { concept: "structural-tension", hops: 6 }],
  ["iaip_direction_concepts", { direction: "east" }],
  [
    "iaip_concept_suggest",
    { context: "We want to train a language model on recordings from an Anishinaabe community." },
  ],
  ["iaip_concept_suggest", { context: "Upgrade the linter to the new major version." }],
];

describe("the eight tools", () => {
  test("are the frozen ones, in their order", () => {
    expect(surface.tools.map((it) => it.name)).toEqual(frozen.tools.map((it) => it.name));
  });

  test.each(frozen.tools.map((it) => [it.name, it.inputSchema] as const))(
    "%s takes the frozen input",
    (name, wanted) => {
      const schema = surface.tools.find((it) => it.name === name)!.inputSchema as unknown as Schema;
      expect(schema.required).toEqual(wanted.required);
      expect(Object.keys(schema.properties)).toEqual(Object.keys(wanted.properties));
      for (const [property, facts] of Object.entries(wanted.properties)) {
        const { minimum: _, maximum: __, ...given } = schema.properties[property]!;
        // What is frozen without a description has ours.
        const { description = given.description } = facts;
        expect({ property, ...given }).toEqual({ property, ...facts, description });
      }
    },
  );

  test("describe every input, and give every enum its type", () => {
    const schemas = surface.tools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]);
    const untyped: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (("enum" in value || "const" in value) && !("type" in value)) untyped.push(JSON.stringify(value));
      for (const inner of Object.values(value)) walk(inner);
    };
    walk(schemas);
    expect(untyped).toEqual([]);
    for (const { name, inputSchema } of surface.tools)
      for (const [property, { description }] of Object.entries((inputSchema as unknown as Schema).properties))
        expect({ name, property, isDescribed: typeof description === "string" && description !== "" }).toEqual({
          name,
          property,
          isDescribed: true,
        });
  });

  test("carry all four annotations", () => {
    for (const { name, annotations } of surface.tools) {
      const writes = name === "iaip_wisdom_ledger_log";
      expect({ name, ...annotations }).toEqual({
        name,
        readOnlyHint: !writes,
        destructiveHint: false,
        idempotentHint: !writes,
        openWorldHint: false,
      });
    }
  });

  test("have a title and a description that says when to use them and what comes next", () => {
    for (const { title, description } of surface.tools) {
      expect(title).not.toBe("");
      expect(description).toMatch(/Use it /);
      expect(description.replaceAll("OCAP®", "")).not.toMatch(/OCAP/);
    }
  });

  test("never close an output object, and never refer elsewhere", () => {
    const text = JSON.stringify(surface.tools.map((it) => [it.inputSchema, it.outputSchema]));
    expect(text).not.toContain("additionalProperties");
    expect(text).not.toContain("$ref");
  });

  test.each(calls)("%s %j answers as its output schema says, in text under 8,000 bytes", async (name, args) => {
    const answer = await call(name, args);
    expect(answer.kind).toBe("ok");
    if (answer.kind !== "ok") return;
    const validate = new Ajv2020({ strict: false }).compile(
      surface.tools.find((it) => it.name === name)!.outputSchema!,
    );
    expect(validate(JSON.parse(JSON.stringify(answer.structured))) ? [] : validate.errors).toEqual([]);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(8_000);
    expect(answer.text).not.toMatch(/undefined|\[object|NaN/);
    expect(answer.structured.vocabulary).toEqual({
      name: "iaip",
      revision: context.view.revision,
    });
  });

  test.each(calls.filter(([name]) => name !== "iaip_concept_search"))(
    "%s refuses wrong arguments in words",
    async (name) => {
      for (const args of [[], "text", 5, {}, { concept: [] }]) {
        const answer = await call(name, args);
        expect(answer.kind).toBe("refused");
        expect(answer.text).toMatch(/`\w+`|object/);
      }
    },
  );

  test("an unknown key is ignored, named, and the nearest known one offered", async () => {
    const answer = await call("iaip_concept_context", { concept: "respect", hop: 1 });
    expect(answer.kind).toBe("ok");
    expect(answer.text.split("\n").at(-1)).toBe("ignored: `hop`; did you mean `hops`?");
  });

  test("a refusal names the unknown key too, with what was perhaps meant", async () => {
    const answer = await call("iaip_concept_lookup", { concpet: "respect" });
    expect(answer.kind).toBe("refused");
    expect(answer.text.split("\n").at(-1)).toBe("ignored: `concpet`; did you mean `concept`?");
  });

  test.each([{ agent_id: "" }, { agent_id: " " }, { context: "" }, { concept: "" }])(
    "the ledger tool given %j says that nothing was recorded",
    async (wrong) => {
      const answer = await call("iaip_wisdom_ledger_log", {
        concept: "respect",
        agent_id: "a",
        context: "c",
        ...wrong,
      });
      expect(answer).toMatchObject({ kind: "refused", text: expect.stringMatching(/^Nothing was recorded\. /) });
    },
  );

  test.each([
    ["iaip_concept_lookup", "concept"],
    ["iaip_concept_context", "concept"],
    ["iaip_concept_search", "query"],
    ["iaip_concept_search", "usage_context"],
    ["iaip_concept_suggest", "context"],
  ])("%s reads a %s of three million characters in short order, in text under 8,000 bytes", async (name, field) => {
    for (const text of ["\u{1f600}".repeat(1_500_000), "seven \ud800 ".repeat(375_000), "zzzz".repeat(750_000)]) {
      const answer = await call(name, { [field]: text });
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(8_000);
    }
  });

  test("numbers as text, arguments as JSON text and enums in another case are read", async () => {
    expect((await call("iaip_concept_context", { concept: "respect", hops: "1" })).kind).toBe("ok");
    expect((await call("iaip_concept_lookup", '{"concept":"respect"}')).kind).toBe("ok");
    expect((await call("iaip_direction_concepts", { direction: "East" })).kind).toBe("ok");
  });

  test("a number out of range names the range", async () => {
    expect((await call("iaip_concept_context", { concept: "respect", hops: 9 })).text).toContain(
      "from 0 to 6; `9` was given",
    );
  });

  test("a wrong direction offers the nearest", async () => {
    expect((await call("iaip_direction_concepts", { direction: "esat" })).text).toContain("Did you mean `east`?");
    expect((await call("iaip_direction_concepts", { direction: "center" })).kind).toBe("refused");
  });

  test("an unknown name offers near ones by id and name", async () => {
    const answer = await call("iaip_concept_lookup", { concept: "structural tenson" });
    expect(answer).toMatchObject({
      kind: "refused",
      didYouMean: expect.arrayContaining([{ id: "structural-tension", name: "Structural Tension" }]),
    });
    expect(answer.text).toContain("Structural Tension (`structural-tension`)");
  });

  test.each(["Two-Eyed Seeing", "two eyed seeing", "TWO‐EYED SEEING", "two_eyed_seeing", "ETUAPTMUMK", " etuaptmumk "])(
    "%s finds Two-Eyed Seeing",
    async (concept) => {
      expect(await call("iaip_concept_lookup", { concept, depth: "brief" })).toMatchObject({
        structured: { concept: { id: "two-eyed-seeing" } },
      });
    },
  );

  test.each([
    ["wahkohtowin", "wahkohtowin"],
    ["wāhkōhtowin", "wahkohtowin"],
    ["Msit Nokmaq", "msit-nokmaq"],
    ["msit no’kmaq", "msit-nokmaq"],
    ["ohenton karihwatehkwen", "ohenton-karihwatehkwen"],
    ["structural tensions", "structural-tension"],
    ["UNDRIP", "undrip"],
    ["ocap", "ocap"],
    ["OCAP®", "ocap"],
  ])("%s finds %s", async (concept, id) => {
    expect(await call("iaip_concept_lookup", { concept, depth: "brief" })).toMatchObject({
      structured: { concept: { id } },
    });
  });

  test("a text over 2 MiB is refused with what to do", async () => {
    const answer = await call("iaip_validate_terminology", { text: "word ".repeat(450_000) });
    expect(answer).toMatchObject({ kind: "refused", text: expect.stringContaining("iaip-dsl check") });
  });

  test("the ledger tool says that nothing was recorded when there is no ledger", async () => {
    const answer = await call("iaip_wisdom_ledger_log", { concept: "respect", agent_id: "a", context: "c" });
    expect(answer).toMatchObject({ kind: "refused", text: expect.stringContaining("Nothing was recorded") });
  });

  test("every concept is told within 8,000 bytes at every depth", async () => {
    for (const concept of snapshot.undisclosed.keys()) {
      for (const depth of ["brief", "full", "relational"]) {
        const answer = await call("iaip_concept_lookup", { concept, depth });
        expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(8_000);
      }
    }
  });
});

describe("resources and prompts", () => {
  test("are the frozen ones, with the frozen names and descriptions", () => {
    const given = [...surface.resources, ...surface.templates.map((it) => ({ ...it, uri: it.uriTemplate }))];
    for (const wanted of frozen.resources) {
      const { name, description, mimeType } = given.find((it) => it.uri === wanted.uri)!;
      expect({ uri: wanted.uri, name, description, mimeType }).toEqual(wanted);
    }
    for (const wanted of frozen.prompts) {
      const { name, description, arguments: args } = surface.prompts.find((it) => it.name === wanted.name)!;
      expect({ name, description, arguments: args }).toEqual(wanted);
    }
  });

  test("the registry and the graph hold every concept, and every relation from both sides", async () => {
    const read = async (uri: string) =>
      JSON.parse((await surface.resources.find((it) => it.uri === uri)!.read(context)).text) as Record<string, unknown>;
    const ids = [...snapshot.undisclosed.keys()];
    const registry = await read("iaip://concepts/registry");
    expect(registry).toMatchObject({
      total: ids.length,
      truncated: false,
      categories: expect.arrayContaining(["Ceremony"]),
    });
    expect((registry.concepts as { id: string }[]).map((it) => it.id)).toEqual(ids);
    const graph = (await read("iaip://concepts/graph")) as { adjacency: Record<string, { to: string }[]> };
    for (const [from, edges] of Object.entries(graph.adjacency))
      for (const { to } of edges) expect(graph.adjacency[to]!.map((it) => it.to)).toContain(from);
  });

  test("a direction resource is the direction tool's answer", async () => {
    const answer = await call("iaip_direction_concepts", { direction: "west" });
    const template = surface.templates.find((it) => it.variable === "direction")!;
    const { text } = (await template.read(context, "west"))!;
    expect(JSON.parse(text)).toEqual(answer.kind === "ok" ? answer.structured : undefined);
    expect(await template.read(context, "up")).toBeUndefined();
    expect(JSON.parse((await template.read(context, "center"))!.text)).toMatchObject({ direction: "center" });
  });

  test("a concept resource is the lookup's text", async () => {
    const { text } = (await surface.templates.find((it) => it.variable === "id")!.read(context, "fpic"))!;
    expect(text).toBe((await call("iaip_concept_lookup", { concept: "fpic" })).text);
  });

  test("grounding embeds exactly the concepts that suggestion gives", async () => {
    const task = "Give feedback to a colleague whose result differed from what was promised.";
    const messages = surface.prompts[0]!.get(context, { task_description: task });
    const embedded = messages.flatMap((it) => (it.content.type === "resource" ? [it.content.resource.uri] : []));
    const suggested = await call("iaip_concept_suggest", { context: task });
    const ids =
      suggested.kind === "ok" ? (suggested.structured.suggestions as { id: string }[]).map((it) => it.id) : [];
    expect(embedded).toEqual(ids.map((it) => `iaip://concepts/${it}`));
    expect(ids.length).toBeGreaterThan(0);
  });

  test("a prompt's free text completes the name that its last words begin", () => {
    expect(surface.prompts[0]!.complete(context, "task_description", "explain structural t")).toContain(
      "explain Structural Tension",
    );
    expect(surface.prompts[0]!.complete(context, "task_description", "explain qqqq")).toEqual([]);
  });
});

describe("what a client sees", () => {
  test("of each tool, resource and prompt is its golden", async () => {
    const golden = (kind: string, name: string, value: unknown) =>
      expect(`${JSON.stringify(value, undefined, 2)}\n`).toMatchFileSnapshot(`golden/${kind}/${name}.json`);
    for (const { call: _, toolset: __, ...tool } of surface.tools) await golden("tools", tool.name, tool);
    for (const { read: _, ...resource } of surface.resources)
      await golden("resources", resource.uri.replace(/\W+/g, "-"), resource);
    for (const { read: _, list: __, changed: ___, ...template } of surface.templates)
      await golden("resources", template.uriTemplate.replace(/\W+/g, "-"), template);
    for (const { get: _, complete: __, ...prompt } of surface.prompts) await golden("prompts", prompt.name, prompt);
  });
});
