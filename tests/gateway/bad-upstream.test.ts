import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListToolsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { mendItem } from "../../src/gateway/upstream/mend.ts";
import { finalName } from "../../src/gateway/upstream/tool-filter.ts";
import { closeGateways, openGateway, scratchFile, stubServer } from "./harness.ts";
import { logged, until } from "./processes.ts";

afterEach(closeGateways);

const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

describe("an upstream whose lists clients would reject", () => {
  const tools = [
    { name: "bare" },
    { name: "null_schema", inputSchema: null },
    { name: "empty_schema", inputSchema: {} },
    { name: "text_schema", inputSchema: { type: "string" } },
    { name: "boolean_property", inputSchema: { type: "object", properties: { yes: true, no: false } } },
    { name: "null_description", description: null, inputSchema: schema },
    { name: "number_description", description: 7, inputSchema: schema },
    { name: "worded_hint", inputSchema: schema, annotations: { readOnlyHint: "yes", destructiveHint: true, title: 3 } },
    { name: "list_output", inputSchema: schema, outputSchema: [] },
    { name: "sound", description: "As it should be", inputSchema: schema, odd: { kept: [true] } },
    { description: "without a name", inputSchema: schema },
  ];
  const resources = [{ uri: "stub://folder/nameless" }, { name: "without an address" }];
  const prompts = [
    { name: "odd_arguments", arguments: "none" },
    { name: "half", arguments: [{}, { name: "x", required: "yes" }] },
  ];

  it("hurts only itself: every list is one that clients take, and the status and the log say what was done", async () => {
    const STUB_LISTS = JSON.stringify({ tools, resources, prompts });
    const opened = openGateway([stubServer("odd", { STUB_LISTS }), stubServer("good")]);
    const client = await opened.client();
    const listed: { tools: { name: string; [field: string]: unknown }[] } = await client.request("tools/list");
    ListToolsResultSchema.parse(listed);
    ListResourcesResultSchema.parse(await client.request("resources/list"));
    ListPromptsResultSchema.parse(await client.request("prompts/list"));
    const names = listed.tools.map((it) => it.name);
    expect(names).toContain("good_echo");
    for (const { name } of tools) if (name !== undefined) expect(names).toContain(`odd_${name}`);
    const of = (name: string) => listed.tools.find((it) => it.name === `odd_${name}`);
    expect(of("sound")).toEqual({ ...tools[9], name: "odd_sound" });
    expect(of("boolean_property")?.inputSchema).toEqual({ type: "object", properties: { yes: {}, no: { not: {} } } });
    expect(of("number_description")?.description).toBe("7");
    expect(of("worded_hint")?.annotations).toEqual({ destructiveHint: true });
    expect(await client.text("odd_bare")).toBe("bare called");
    const found = opened.gateway.status()[0]?.conditions.find((it) => it.type === "ToolsDiscovered")?.message;
    for (const part of [
      '"bare": inputSchema was mended',
      "left out: an item of tools has no name",
      "an item of resources has no uri",
    ])
      expect(found).toContain(part);
    expect(opened.logged.filter((it) => it.includes("inputSchema was mended")).length).toBe(5);
    await client.request("tools/list");
    expect(opened.logged.filter((it) => it.includes("inputSchema was mended")).length).toBe(5);
  });

  it("passes an item that is as it should be as the very same object", () => {
    const item = { name: "x", inputSchema: schema, annotations: { readOnlyHint: true }, _meta: { a: 1 }, more: [null] };
    expect(mendItem("tools", item)).toEqual({ kind: "kept", item, mended: [] });
    const kept = mendItem("tools", item);
    expect(kept.kind === "kept" && kept.item).toBe(item);
  });
});

describe("tool names that hosts refuse", () => {
  it.each(["read file", "lies/und/lies", "größe", "x".repeat(80), "a.b"])(
    "%j becomes one that they take, the same each time",
    (raw) => {
      expect(finalName(raw, "p")).toMatch(/^p_[A-Za-z0-9_-]{1,62}$/);
      expect(finalName(raw, "p")).toBe(finalName(raw, "p"));
    },
  );

  it("stay apart, and are called by their raw name", async () => {
    const names = ["read file", "read/file", `${"x".repeat(90)}1`, `${"x".repeat(90)}2`];
    const client = await openGateway([stubServer("s", { STUB_NAMES: names.join(",") })]).client();
    const shown = (await client.toolNames()).slice(-4);
    expect(new Set(shown).size).toBe(4);
    for (const [index, name] of shown.entries()) expect(await client.text(name)).toBe(`${names[index]} called`);
  });
});

describe("an upstream that does not answer", () => {
  it("delays the lists of its neighbors once, and not once for each list and client", async () => {
    const timeouts = { listWait: 400, instructionsWait: 50, handshake: 60_000 };
    const opened = openGateway([stubServer("silent", { STUB_SILENT: "1" }), stubServer("good")], { timeouts });
    const client = await opened.client();
    expect(await client.toolNames()).toContain("good_echo");
    const began = performance.now();
    for (let round = 0; round < 5; round++) {
      for (const list of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
        await client.request(list);
    }
    expect(performance.now() - began).toBeLessThan(5 * timeouts.listWait);
  });

  it("to one kind of list is tried again after growing waits, not by each client", async () => {
    const log = scratchFile("log");
    const timeouts = { listWait: 100, refreshWait: 50, handshake: 300, firstRetry: 200, lastRetry: 60_000, listAge: 1 };
    const opened = openGateway([stubServer("mute", { STUB_MUTE: "1", STUB_LOG: log })], { timeouts });
    const client = await opened.client();
    await until(() => logged(log).filter((it) => it === "resources/list").length >= 2);
    const before = logged(log).filter((it) => it === "resources/list").length;
    for (let round = 0; round < 20; round++) await client.request("resources/list");
    expect(logged(log).filter((it) => it === "resources/list").length - before).toBeLessThan(5);
    expect(await client.text("mute_echo", { text: "x" })).toBe("x");
  });
});

describe("what upstreams say and hold", () => {
  it("reaches the client as instructions, each with its server's name", async () => {
    const opened = openGateway([stubServer("a"), stubServer("b")], { timeouts: { instructionsWait: 60_000 } });
    const client = await opened.client();
    const { instructions } = await client.request("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
    expect(instructions).toContain('Instructions of the server "a":\n> A stub.');
    expect(instructions).toContain('Instructions of the server "b":\n> A stub.');
  });

  it("is read from the one server that has such addresses, and from no other", async () => {
    const [log, other] = [scratchFile("log"), scratchFile("log")];
    const one = stubServer("one", { STUB_LOG: log, STUB_URI: "files://host/a" });
    const two = stubServer("two", { STUB_LOG: other, STUB_URI: "notes://b" });
    const client = await openGateway([one, two]).client();
    await client.request("resources/list");
    await client.ask("resources/read", { uri: "files://host/unlisted" });
    expect([logged(log), logged(other)].map((it) => it.includes("resources/read"))).toEqual([true, false]);
    const unknown = await client.ask("resources/read", { uri: "nowhere://x" });
    expect(unknown?.error).toMatchObject({ code: -32002, message: "Resource not found: nowhere://x" });
    expect(logged(other)).not.toContain("resources/read");
  });
});
