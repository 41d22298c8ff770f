import { describe, expect, it } from "vitest";
import { CompositeDispatcher } from "../../src/bridge/composite-dispatcher.ts";
import { type FunctionDefinition, refusal, type ToolDispatcher } from "../../src/bridge/dispatcher.ts";
import { McpDispatcher } from "../../src/bridge/mcp-dispatcher.ts";
import { fakeSession, textResult } from "./fake-session.ts";

const definition = (name: string): FunctionDefinition => ({
  type: "function",
  function: { name, description: "", parameters: { type: "object", properties: {} } },
});

function native(...names: string[]): ToolDispatcher {
  return {
    toolsSchema: () => names.map(definition),
    execute: async (name) => ({ ...refusal(""), ok: true, error: null, output: `native ${name}` }),
  };
}

const mcp = (...names: string[]) =>
  McpDispatcher.create(
    fakeSession(
      names.map((name) => ({
        name,
        annotations: { readOnlyHint: name.startsWith("get"), destructiveHint: name.startsWith("wipe") },
      })),
      (name) => textResult(`mcp ${name}`),
    ),
  );

const namesOf = (dispatcher: ToolDispatcher) => dispatcher.toolsSchema().map((one) => one.function.name);

describe("a composite dispatcher", () => {
  it("is the union in the order of its sources", async () => {
    expect(namesOf(new CompositeDispatcher([native("b", "a"), await mcp("get_c")]))).toEqual(["b", "a", "get_c"]);
  });

  it("routes each call to the owner", async () => {
    const composite = new CompositeDispatcher([native("a"), await mcp("get_b")]);
    expect((await composite.execute("a", {})).output).toBe("native a");
    expect((await composite.execute("get_b", {})).output).toBe("mcp get_b");
  });

  it("lets the first source win and says which name was lost", async () => {
    const lost: string[] = [];
    const composite = new CompositeDispatcher([native("x"), await mcp("x", "get_y")], {
      onCollision: (name, message) => lost.push(`${name}: ${message}`),
    });
    expect(namesOf(composite)).toEqual(["x", "get_y"]);
    expect((await composite.execute("x", {})).output).toBe("native x");
    expect(lost).toEqual(['x: tool_name_collision: "x" is offered by two sources; the first one is used']);
  });

  it("warns on the process by default", async () => {
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    namesOf(new CompositeDispatcher([native("twice"), native("twice")]));
    expect((await warned).message).toContain('tool_name_collision: "twice"');
  });

  it("resolves once", () => {
    let asked = 0;
    const toolsSchema = () => {
      asked++;
      return [definition("a")];
    };
    const source = { ...native("a"), toolsSchema };
    const composite = new CompositeDispatcher([source]);
    namesOf(composite);
    namesOf(composite);
    expect(asked).toBe(1);
  });

  it.each([
    [{ type: "function", function: {} }],
    [{ type: "function", function: { name: "" } }],
    [{ type: "function" }],
  ])("drops the nameless definition %j", (broken) => {
    const source = { ...native(), toolsSchema: () => [broken as unknown as FunctionDefinition, definition("a")] };
    expect(namesOf(new CompositeDispatcher([source]))).toEqual(["a"]);
  });

  it("answers an unknown tool as a fault a model can mend", async () => {
    expect(await new CompositeDispatcher([native("a")]).execute("b", {})).toMatchObject({
      ok: false,
      error: "unknown tool: b",
    });
  });

  it("asks the owner about policy", async () => {
    const composite = new CompositeDispatcher([await mcp("get_a", "wipe_b", "put_c")]);
    expect(["get_a", "wipe_b", "put_c"].map((name) => composite.isMutating(name))).toEqual([false, true, true]);
    expect(["get_a", "wipe_b", "put_c"].map((name) => composite.requiresConfirmation(name))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("holds a source without policy, and an unknown name, for mutating and unconfirmed", () => {
    const composite = new CompositeDispatcher([native("a")]);
    for (const name of ["a", "unknown"]) {
      expect(composite.isMutating(name)).toBe(true);
      expect(composite.requiresConfirmation(name)).toBe(false);
    }
  });

  it("is empty over nothing", async () => {
    expect(namesOf(new CompositeDispatcher([]))).toEqual([]);
    expect(await new CompositeDispatcher([]).execute("a", {})).toMatchObject({ ok: false });
  });

  it("offers and runs only read-only tools in read-only mode", async () => {
    const composite = new CompositeDispatcher([native("a"), await mcp("get_b", "put_c")], { mode: "read-only" });
    expect(namesOf(composite)).toEqual(["get_b"]);
    expect(await composite.execute("put_c", {})).toMatchObject({ ok: false });
  });

  it("nests", async () => {
    const composite = new CompositeDispatcher([new CompositeDispatcher([await mcp("get_a")]), native("b")]);
    expect(composite.isMutating("get_a")).toBe(false);
    expect((await composite.execute("get_a", {})).output).toBe("mcp get_a");
  });
});
