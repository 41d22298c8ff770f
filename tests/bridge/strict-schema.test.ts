import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { McpDispatcher } from "../../src/bridge/mcp-dispatcher.ts";
import { stdioSession, withSession } from "../../src/bridge/sessions.ts";
import { strictSchema } from "../../src/bridge/strict-schema.ts";
import { fakeSession, textResult } from "./fake-session.ts";

const person = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, description: "Who" },
    age: { type: "integer", default: 3 },
    born: { type: "string", format: "date" },
    kind: { enum: ["a", "b"], type: "string" },
    note: { type: ["string", "null"] },
    home: { $ref: "#/$defs/place" },
    tags: { type: "array", items: { type: "string" } },
    either: { oneOf: [{ type: "string" }, { type: "number" }] },
  },
  required: ["name"],
  $defs: { place: { type: "object", properties: { street: { type: "string" } }, additionalProperties: false } },
  $schema: "https://json-schema.org/draft/2020-12/schema",
};

describe("strict schemas", () => {
  it("close every object, require every property, and make optional ones nullable", () => {
    const made = strictSchema(person);
    expect(made).toMatchObject({
      kind: "converted",
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["name", "age", "born", "kind", "note", "home", "tags", "either"],
        properties: {
          name: { type: "string", description: "Who (minLength: 1)" },
          age: { type: ["integer", "null"], description: "(default: 3)" },
          born: { type: ["string", "null"], description: '(format: "date")' },
          kind: { type: ["string", "null"], enum: ["a", "b", null] },
          note: { type: ["string", "null"] },
          home: { anyOf: [{ $ref: "#/$defs/place" }, { type: "null" }] },
          tags: { type: ["array", "null"], items: { type: "string" } },
          either: { anyOf: [{ anyOf: [{ type: "string" }, { type: "number" }] }, { type: "null" }] },
        },
        $defs: {
          place: {
            type: "object",
            properties: { street: { type: ["string", "null"] } },
            required: ["street"],
            additionalProperties: false,
          },
        },
      },
      notes: [
        { at: "/properties/name", reason: '"minLength" moved into the description' },
        { at: "/properties/age", reason: '"default" moved into the description' },
        { at: "/properties/born", reason: '"format" moved into the description' },
      ],
    });
    expect(JSON.stringify(made)).not.toContain("$schema");
  });

  it("give an object without properties the empty form", () => {
    expect(strictSchema({ type: "object", properties: {} })).toMatchObject({
      kind: "converted",
      schema: { type: "object", properties: {}, required: [], additionalProperties: false },
    });
  });

  const wrap = (schema: unknown) => ({ type: "object", properties: { x: schema }, required: ["x"] });
  it.each([
    ["a root that is no object", { type: "string" }, ""],
    ["a choice at the root", { oneOf: [{ type: "object" }] }, ""],
    ["free-form keys", wrap({ type: "object", additionalProperties: { type: "string" } }), "/properties/x"],
    ["an object without properties", wrap({ type: "object" }), "/properties/x"],
    ["a schema that accepts anything", wrap({}), "/properties/x"],
    ["patternProperties", wrap({ type: "object", properties: {}, patternProperties: {} }), "/properties/x"],
    ["not", wrap({ type: "string", not: { const: "a" } }), "/properties/x"],
    ["tuples", wrap({ type: "array", prefixItems: [], items: { type: "string" } }), "/properties/x"],
    ["arrays of anything", wrap({ type: "array" }), "/properties/x/items"],
    ["a join of schemas", wrap({ allOf: [{ type: "object" }, { type: "object" }] }), "/properties/x"],
    ["a reference elsewhere", wrap({ $ref: "https://example.org/x.json" }), "/properties/x"],
  ])("keep %s as it is and say where and why", (_, schema, at) => {
    const made = strictSchema(schema);
    expect(made.kind).toBe("kept");
    expect(made.notes.map((note) => note.at)).toContain(at);
    for (const note of made.notes) expect(note.reason).not.toBe("");
  });

  it("go through the dispatcher with a report, and the added nulls are taken back before the call", async () => {
    const free = { type: "object", properties: { any: {} } };
    const session = fakeSession(
      [
        { name: "person", inputSchema: person },
        { name: "free", inputSchema: free },
      ],
      () => textResult("ok"),
    );
    const dispatcher = await McpDispatcher.create(session, { strict: true });
    const [first, second] = dispatcher.toolsSchema();
    expect(first?.function.strict).toBe(true);
    expect(second?.function).toMatchObject({ parameters: free });
    expect(second?.function).not.toHaveProperty("strict");
    expect(dispatcher.strictReport.map((one) => [one.tool, one.kind])).toEqual([
      ["person", "converted"],
      ["free", "kept"],
    ]);
    const args = {
      name: "N",
      age: null,
      born: null,
      kind: null,
      note: null,
      home: { street: null },
      tags: null,
      either: null,
    };
    await dispatcher.execute("person", args);
    await dispatcher.execute("free", { any: null });
    expect(session.calls.map((call) => call.arguments)).toEqual([{ name: "N", note: null, home: {} }, { any: null }]);
  });
});

describe("strict schemas of the public reference servers", () => {
  const servers: [string, string[]][] = [
    ["server-everything", ["stdio"]],
    ["server-memory", []],
    ["server-filesystem", ["."]],
    ["server-sequential-thinking", []],
  ];
  it.each(servers)("hold to the rules, or are kept with a reason: %s", async (name, args) => {
    const script = fileURLToPath(
      new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url),
    );
    await withSession(stdioSession(process.execPath, { args: [script, ...args] }), async (session) => {
      const dispatcher = await McpDispatcher.create(session, { strict: true });
      for (const { function: definition } of dispatcher.toolsSchema()) {
        const report = dispatcher.strictReport.find((one) => one.tool === definition.name);
        if (definition.strict === true) expectStrict(definition.parameters, definition.name);
        else expect(report, definition.name).toMatchObject({ kind: "kept", notes: [expect.anything()] });
      }
      expect(dispatcher.strictReport.filter((one) => one.kind === "converted").length).toBeGreaterThan(0);
    });
  });
});

/** Closed objects, everything required, no constraint that strict mode does not take. */
function expectStrict(schema: unknown, where: string): void {
  if (Array.isArray(schema)) for (const one of schema) expectStrict(one, where);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  const one = schema as Record<string, unknown>;
  for (const key of [
    "format",
    "default",
    "pattern",
    "minimum",
    "maximum",
    "oneOf",
    "allOf",
    "$schema",
    "patternProperties",
  ]) {
    if (!("properties" in one) || key !== "default") expect(Object.keys(one), where).not.toContain(key);
  }
  if (one.type === "object" || (Array.isArray(one.type) && one.type.includes("object"))) {
    expect(one.additionalProperties, where).toBe(false);
    expect(one.required, where).toEqual(Object.keys(one.properties as object));
    for (const property of Object.values(one.properties as object)) expectStrict(property, where);
  }
  for (const key of ["items", "anyOf", "$defs"]) {
    const inner = one[key];
    if (key === "$defs" && typeof inner === "object")
      for (const it of Object.values(inner ?? {})) expectStrict(it, where);
    else expectStrict(inner, where);
  }
}
