import { describe, expect, it } from "vitest";
import { META_CONFIRM_ARGUMENTS, META_NEEDS_CONFIRMATION } from "../../src/bridge/confirmation.ts";
import { hasPolicy } from "../../src/bridge/dispatcher.ts";
import { McpDispatchError } from "../../src/bridge/errors.ts";
import { McpDispatcher } from "../../src/bridge/mcp-dispatcher.ts";
import type { McpTool } from "../../src/bridge/session.ts";
import { fakeSession, textResult } from "./fake-session.ts";

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const echo: McpTool = { name: "echo", description: "Says it back", inputSchema: schema };
const readOnly: McpTool = { name: "read", annotations: { readOnlyHint: true } };
const destructive: McpTool = { name: "wipe", annotations: { destructiveHint: true } };

describe("definitions", () => {
  it("turns each tool into an OpenAI function definition", async () => {
    const dispatcher = await McpDispatcher.create(fakeSession([echo]));
    expect(dispatcher.toolsSchema()).toEqual([
      { type: "function", function: { name: "echo", description: "Says it back", parameters: schema } },
    ]);
    expect(hasPolicy(dispatcher)).toBe(true);
  });

  it.each([undefined, null, {}])("gives an empty object schema where the server has %j", async (inputSchema) => {
    const dispatcher = await McpDispatcher.create(fakeSession([{ name: "bare", inputSchema }]));
    expect(dispatcher.toolsSchema()[0]?.function).toEqual({
      name: "bare",
      description: "",
      parameters: { type: "object", properties: {} },
    });
  });

  it("cuts a description at the cap", async () => {
    const long = { name: "long", description: "x".repeat(5_000) };
    const byDefault = await McpDispatcher.create(fakeSession([long]));
    const short = await McpDispatcher.create(fakeSession([long]), { maxDescriptionChars: 10 });
    expect(byDefault.toolsSchema()[0]?.function.description).toHaveLength(2_048);
    expect(short.toolsSchema()[0]?.function.description).toBe("xxxxxxxxxx");
  });

  it("offers the named subset in the order of the names, skips unknown names, and blocks what it hides", async () => {
    const session = fakeSession([echo, readOnly, destructive]);
    const dispatcher = await McpDispatcher.create(session, { names: ["wipe", "nothing", "echo"] });
    expect(dispatcher.toolsSchema().map((one) => one.function.name)).toEqual(["wipe", "echo"]);
    expect(await dispatcher.execute("read", {})).toMatchObject({ ok: false, error: "unknown tool: read" });
    expect(session.calls).toEqual([]);
  });

  it("calls a tool with an illegal name by its own name", async () => {
    const raw = "files.read/all the things that a very long name can hold, far beyond sixty-four characters";
    const session = fakeSession([{ name: raw }], () => textResult("done"));
    const dispatcher = await McpDispatcher.create(session);
    const name = dispatcher.toolsSchema()[0]!.function.name;
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect((await dispatcher.execute(name, {})).output).toBe("done");
    expect(session.calls).toEqual([{ name: raw, arguments: {} }]);
  });
});

describe("results", () => {
  const png = Buffer.from("0123456789").toString("base64");
  const embedded = { type: "resource", resource: { uri: "a://b", mimeType: "text/plain", text: "inside" } };
  const blob = { type: "resource", resource: { uri: "a://c", mimeType: "image/png", blob: png } };
  const link = {
    type: "resource_link",
    uri: "a://d",
    name: "d",
    title: "D",
    description: "the d",
    mimeType: "text/x",
    size: 7,
  };

  it.each([
    ["one text", textResult("a"), "a"],
    [
      "two texts",
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    [
      "texts with an empty one",
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    ["nothing", { content: [] }, ""],
    ["an image", { content: [{ type: "image", data: png, mimeType: "image/png" }] }, "[image: image/png, 10 bytes]"],
    ["audio", { content: [{ type: "audio", data: png, mimeType: "audio/wav" }] }, "[audio: audio/wav, 10 bytes]"],
    ["an embedded text", { content: [embedded] }, "[resource: a://b]\ninside"],
    ["an embedded blob", { content: [blob] }, "[resource: a://c, image/png, 10 bytes]"],
    ["a link", { content: [link] }, "[resource_link: a://d | D | d | the d | text/x | 7 bytes]"],
    ["structured alone", { content: [], structuredContent: { é: 1 } }, '{"é":1}'],
    ["structured beside an empty text", textResult("", { structuredContent: { n: 1 } }), '{"n":1}'],
    ["structured beside text", textResult("words", { structuredContent: { n: 1 } }), "words"],
    ["an unknown block", { content: [{ type: "new", x: 1 }] }, '[new: {"type":"new","x":1}]'],
    ["no shape at all", "odd", ""],
  ])("reads %s", async (_, result, output) => {
    const dispatcher = await McpDispatcher.create(fakeSession([echo], () => result));
    const told = await dispatcher.execute("echo", { text: "x" });
    expect(told).toMatchObject({ ok: true, error: null, output, sideEffect: true });
    const sent = result as { content?: unknown[]; structuredContent?: unknown };
    expect(told.content).toEqual(sent.content ?? []);
    expect(told.structured).toEqual(sent.structuredContent);
  });

  it.each([
    ["with text", textResult("bad", { isError: true }), "bad"],
    ["without text", { content: [], isError: true }, "tool error"],
    ["with structured content alone", { content: [], structuredContent: { why: 1 }, isError: true }, '{"why":1}'],
  ])("returns an error result %s as a fault a model can mend", async (_, result, error) => {
    const dispatcher = await McpDispatcher.create(fakeSession([echo], () => result));
    const told = await dispatcher.execute("echo", {});
    expect(told).toMatchObject({ ok: false, output: "", error, sideEffect: false, needsConfirmation: false });
    expect(told.structured).toEqual((result as { structuredContent?: unknown }).structuredContent);
  });

  it("puts structured content where it is asked to", async () => {
    const session = fakeSession([echo], () => textResult("words", { structuredContent: { n: 1 } }));
    const appended = await McpDispatcher.create(session, { structured: "append" });
    const preferred = await McpDispatcher.create(session, { structured: "prefer" });
    expect((await appended.execute("echo", {})).output).toBe('words\n{"n":1}');
    expect((await preferred.execute("echo", {})).output).toBe('{"n":1}');
  });

  it("cuts the output at the cap, says so, and keeps the content whole", async () => {
    const session = fakeSession([echo], () => textResult("x".repeat(100)));
    const told = await (await McpDispatcher.create(session, { maxOutputChars: 40 })).execute("echo", {});
    expect(told.output).toBe(`${"x".repeat(40)}\n[cut: 60 more characters]`);
    expect(told.truncated).toBe(true);
    expect(told.content[0]?.text).toHaveLength(100);
  });

  it("answers an unknown tool without calling", async () => {
    const session = fakeSession([echo]);
    const told = await (await McpDispatcher.create(session)).execute("nope", {});
    expect(told).toMatchObject({ ok: false, error: "unknown tool: nope" });
    expect(session.calls).toEqual([]);
  });
});

describe("faults", () => {
  it("throws a typed error with tool, arguments and cause when a call fails", async () => {
    const cause = new Error("connection lost");
    const dispatcher = await McpDispatcher.create(fakeSession([echo], () => Promise.reject(cause)));
    const error = await dispatcher.execute("echo", { text: "x" }).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(McpDispatchError);
    expect(error).toMatchObject({
      tool: "echo",
      arguments: { text: "x" },
      cause,
      message: "tool 'echo' failed: connection lost",
    });
  });

  it.each([-32603, -32000, -32001, -32601])("throws on the JSON-RPC error %i", async (code) => {
    const dispatcher = await McpDispatcher.create(
      fakeSession([echo], () => Promise.reject(Object.assign(new Error("no"), { code }))),
    );
    await expect(dispatcher.execute("echo", {})).rejects.toBeInstanceOf(McpDispatchError);
  });

  it("returns wrong arguments (-32602) to the model", async () => {
    const refuse = () => Promise.reject(Object.assign(new Error('"text" is missing'), { code: -32602 }));
    const dispatcher = await McpDispatcher.create(fakeSession([echo], refuse));
    expect(await dispatcher.execute("echo", {})).toMatchObject({ ok: false, error: '"text" is missing' });
  });

  it("throws when a call hangs", async () => {
    const dispatcher = await McpDispatcher.create(
      fakeSession([echo], () => new Promise(() => {})),
      { callTimeout: 20 },
    );
    await expect(dispatcher.execute("echo", {})).rejects.toThrow("tool 'echo' failed: no answer within 20 ms");
  });

  it.each([
    ["fails", () => Promise.reject(new Error("refused")), "tool 'list_tools' failed: refused"],
    ["hangs", () => new Promise<never>(() => {}), "tool 'list_tools' failed: no answer within 20 ms"],
  ])("throws from create when listing %s", async (_, listTools, message) => {
    const error = await McpDispatcher.create({ listTools, callTool: async () => ({}) }, { callTimeout: 20 }).catch(
      (one: unknown) => one,
    );
    expect(error).toBeInstanceOf(McpDispatchError);
    expect(error).toMatchObject({ tool: "list_tools", arguments: {}, message });
  });

  it("gives a session that takes options a signal, and aborts it when time is up", async () => {
    let signal: AbortSignal | undefined;
    const session = {
      ...fakeSession([echo]),
      takesOptions: true,
      callTool: (_: unknown, options?: { signal: AbortSignal }) => {
        signal = options?.signal;
        return new Promise(() => {});
      },
    };
    const dispatcher = await McpDispatcher.create(session, { callTimeout: 20 });
    await expect(dispatcher.execute("echo", {})).rejects.toBeInstanceOf(McpDispatchError);
    expect(signal?.aborted).toBe(true);
  });
});

describe("policy", () => {
  const hints = [true, false, undefined] as const;
  const table = hints.flatMap((readOnlyHint) => hints.map((destructiveHint) => ({ readOnlyHint, destructiveHint })));

  it.each(table)("believes %j of a trusted server", async ({ readOnlyHint, destructiveHint }) => {
    const tool = { name: "t", annotations: { readOnlyHint, destructiveHint } };
    const dispatcher = await McpDispatcher.create(fakeSession([tool]));
    expect(dispatcher.isMutating("t")).toBe(readOnlyHint !== true);
    expect(dispatcher.requiresConfirmation("t")).toBe(readOnlyHint !== true && destructiveHint === true);
  });

  it.each(table)("believes nothing of %j of an untrusted one", async (annotations) => {
    const dispatcher = await McpDispatcher.create(fakeSession([{ name: "t", annotations }]), {
      trustAnnotations: false,
    });
    expect(dispatcher.isMutating("t")).toBe(true);
    expect(dispatcher.requiresConfirmation("t")).toBe(true);
  });

  it("holds a tool without annotations, and an unknown one, for mutating and unconfirmed", async () => {
    const dispatcher = await McpDispatcher.create(fakeSession([echo]));
    for (const name of ["echo", "unknown"]) {
      expect(dispatcher.isMutating(name)).toBe(true);
      expect(dispatcher.requiresConfirmation(name)).toBe(false);
    }
  });

  it("marks a side effect only on a successful mutating call", async () => {
    const session = fakeSession([echo, readOnly], (_, args) =>
      textResult("x", { isError: (args as { fail?: boolean }).fail === true }),
    );
    const dispatcher = await McpDispatcher.create(session);
    expect((await dispatcher.execute("echo", {})).sideEffect).toBe(true);
    expect((await dispatcher.execute("echo", { fail: true })).sideEffect).toBe(false);
    expect((await dispatcher.execute("read", {})).sideEffect).toBe(false);
  });
});

describe("confirmation", () => {
  const flag = { [META_NEEDS_CONFIRMATION]: true, [META_CONFIRM_ARGUMENTS]: { confirm: "yes" } };
  const block = (meta: object) => ({ type: "text", text: "sure?", _meta: meta });

  it.each([
    ["on the result", textResult("sure?", { _meta: flag })],
    ["on a block", { content: [{ type: "text", text: "first" }, block(flag)] }],
  ])("is read %s, and is no side effect", async (_, result) => {
    const told = await (await McpDispatcher.create(fakeSession([echo], () => result))).execute("echo", {});
    expect(told).toMatchObject({
      ok: true,
      needsConfirmation: true,
      sideEffect: false,
      confirmArguments: { confirm: "yes" },
    });
  });

  it.each(["true", 1, {}, null, false])("takes no %j for an answer", async (value) => {
    const result = textResult("x", { _meta: { ...flag, [META_NEEDS_CONFIRMATION]: value } });
    const told = await (await McpDispatcher.create(fakeSession([echo], () => result))).execute("echo", {});
    expect(told).toMatchObject({ needsConfirmation: false, confirmArguments: {}, sideEffect: true });
  });

  it("takes the arguments of the first carrier", async () => {
    const result = {
      content: [
        block({ ...flag, [META_CONFIRM_ARGUMENTS]: { n: 1 } }),
        block({ ...flag, [META_CONFIRM_ARGUMENTS]: { n: 2 } }),
      ],
    };
    const told = await (await McpDispatcher.create(fakeSession([echo], () => result))).execute("echo", {});
    expect(told.confirmArguments).toEqual({ n: 1 });
  });
});

describe("lists", () => {
  const many = Array.from({ length: 250 }, (_, index) => ({ name: `tool_${index}` }));

  it("follows the pages", async () => {
    const listTools = async (params?: { cursor?: string }) => {
      const at = Number(params?.cursor ?? 0);
      return { tools: many.slice(at, at + 100), nextCursor: at + 100 < 250 ? String(at + 100) : undefined };
    };
    const dispatcher = await McpDispatcher.create({ listTools, callTool: async () => ({}) });
    expect(dispatcher.toolsSchema()).toHaveLength(250);
  });

  it("stops at a cursor that comes twice", async () => {
    const listTools = async () => ({ tools: many, nextCursor: "again" });
    await expect(McpDispatcher.create({ listTools, callTool: async () => ({}) })).rejects.toThrow(
      'cursor "again" twice',
    );
  });

  it("follows a change of the server's tools, and keeps the last list when that fails", async () => {
    const errors: string[] = [];
    const session = fakeSession([echo]);
    const dispatcher = await McpDispatcher.create(session, { onRefreshError: (error) => errors.push(error.message) });
    session.change([echo, readOnly]);
    await dispatcher.refresh();
    expect(dispatcher.toolsSchema()).toHaveLength(2);
    session.listTools = () => Promise.reject(new Error("gone"));
    session.change([]);
    await dispatcher.refresh().catch(() => {});
    expect(dispatcher.toolsSchema()).toHaveLength(2);
    expect(errors).toEqual(["tool 'list_tools' failed: gone"]);
    dispatcher[Symbol.dispose]();
  });
});
