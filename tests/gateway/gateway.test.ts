import { afterEach, describe, expect, it } from "vitest";
import { closeGateways, openGateway, scratchFile, stubServer } from "./harness.ts";
import { logged, until } from "./processes.ts";

afterEach(closeGateways);

describe("names and filters", () => {
  it("shows every tool under its prefix and routes each call back to the raw name", async () => {
    const client = await openGateway([stubServer("one", { STUB_LOG: "" }), stubServer("two")]).client();
    const names = await client.toolNames();
    expect(names).toContain("one_echo");
    expect(names).toContain("two_echo");
    expect(names.every((name) => /^(one|two)_/.test(name))).toBe(true);
    expect(await client.text("one_echo", { text: "a" })).toBe("a");
    expect(await client.text("two_echo", { text: "b" })).toBe("b");
  });

  const table: [string, object, string[]][] = [
    ["neither list", {}, ["echo", "env", "wipe"]],
    ["an empty allow list", { toolsAllow: [] }, ["echo", "env", "wipe"]],
    ["an allow list", { toolsAllow: ["echo", "wipe"] }, ["echo", "wipe"]],
    ["a deny list", { toolsDeny: ["wipe"] }, ["echo", "env"]],
    ["both, where deny wins", { toolsAllow: ["echo", "wipe"], toolsDeny: ["wipe"] }, ["echo"]],
    ["unknown names in both", { toolsAllow: ["echo", "nope"], toolsDeny: ["nothing"] }, ["echo"]],
    ["lists that leave nothing", { toolsAllow: ["echo"], toolsDeny: ["echo"] }, []],
    ["prefixed names, which match nothing", { toolsAllow: ["s_echo"] }, []],
  ];
  it.each(table)("filters by raw name with %s, at list and at call", async (_, filter, shown) => {
    const client = await openGateway([stubServer("s", {}, filter)]).client();
    const names = await client.toolNames();
    const asked = ["echo", "env", "wipe"];
    expect(asked.filter((name) => names.includes(`s_${name}`))).toEqual(shown);
    for (const name of asked.filter((one) => !shown.includes(one))) {
      const answer = await client.ask("tools/call", { name: `s_${name}`, arguments: { text: "x" } });
      expect(answer?.error).toMatchObject({ code: -32602, message: `tool "s_${name}" is not available (filtered)` });
    }
  });

  it("tells an unknown tool by name", async () => {
    const client = await openGateway([stubServer("s")]).client();
    const answer = await client.ask("tools/call", { name: "t_echo" });
    expect(answer?.error).toEqual({ code: -32602, message: "Unknown tool: t_echo" });
  });

  it("keeps annotations, and makes those of an untrusted server careful", async () => {
    const client = await openGateway([stubServer("a"), stubServer("b", {}, { trustAnnotations: false })]).client();
    const { tools } = await client.request("tools/list");
    const of = (name: string) => tools.find((tool: { name: string }) => tool.name === name);
    const claimed = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    expect(of("a_echo").annotations).toEqual(claimed);
    expect(of("a_hang")).not.toHaveProperty("annotations");
    expect(of("b_echo").annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
    expect(of("b_echo")._meta).toEqual({ "iaip-dsl/claimed-annotations": claimed });
    expect(of("b_hang").annotations.destructiveHint).toBe(true);
  });
});

describe("what is proxied", () => {
  it("lists 500 tools that come over pages on one page", async () => {
    const client = await openGateway([stubServer("s", { STUB_TOOLS: "500", STUB_PAGE: "37" })]).client();
    const answer = await client.request("tools/list");
    expect(answer.tools.length).toBe(512);
    expect(answer).not.toHaveProperty("nextCursor");
    expect(await client.text("s_extra_499")).toBe("extra_499 called");
  });

  it("reads resources by list and by template, and none that two servers could have", async () => {
    const client = await openGateway([
      stubServer("a", { STUB_URI: "stub://a" }),
      stubServer("b", { STUB_URI: "stub://b" }),
    ]).client();
    const { resources } = await client.request("resources/list");
    expect(resources.map((one: { uri: string }) => one.uri)).toEqual(["stub://a", "stub://b", "iaip-gateway://status"]);
    const { resourceTemplates } = await client.request("resources/templates/list");
    expect(resourceTemplates).toEqual([{ uriTemplate: "stub://item/{id}", name: "item" }]);
    for (const uri of ["stub://b", "stub://item/7"]) {
      expect((await client.request("resources/read", { uri })).contents[0].text).toBe(`content of ${uri}`);
    }
    for (const uri of ["stub://unlisted", "other://x"]) {
      const missing = await client.ask("resources/read", { uri });
      expect(missing?.error).toMatchObject({ code: -32002, message: `Resource not found: ${uri}` });
    }
  });

  it("proxies prompts and completion under their prefix", async () => {
    const client = await openGateway([stubServer("s")]).client();
    expect((await client.request("prompts/list")).prompts[0].name).toBe("s_greet");
    const got = await client.request("prompts/get", { name: "s_greet", arguments: { who: "you" } });
    expect(got.messages[0].content.text).toBe("greet you");
    const argument = { name: "who", value: "y" };
    const ofPrompt = await client.request("completion/complete", {
      ref: { type: "ref/prompt", name: "s_greet" },
      argument,
    });
    expect(ofPrompt.completion.values).toEqual(["greet:y"]);
    const ref = { type: "ref/resource", uri: "stub://item/{id}" };
    expect((await client.request("completion/complete", { ref, argument })).completion.values).toEqual([
      "stub://item/{id}:y",
    ]);
  });

  it("hands progress back with each client's own token", async () => {
    const opened = openGateway([stubServer("s")]);
    const [a, b] = [await opened.client(), await opened.client()];
    const slow = { ms: 200, step: 50 };
    await Promise.all([
      a.call("s_slow", slow, { _meta: { progressToken: "same" } }),
      b.call("s_slow", slow, { _meta: { progressToken: "same" } }),
      b.call("s_slow", slow),
    ]);
    for (const client of [a, b]) {
      const told = client.toldOf("notifications/progress").map((one) => one.params);
      expect(told.length).toBeGreaterThan(0);
      expect(told.length).toBeLessThanOrEqual(3);
      for (const one of told) expect(one).toMatchObject({ progressToken: "same", total: 200 });
    }
  });

  it("hands a cancellation on, and answers nothing", async () => {
    const log = scratchFile("log");
    const client = await openGateway([stubServer("s", { STUB_LOG: log })]).client();
    const hanging = client.ask("tools/call", { name: "s_hang" }, "call-1");
    await until(() => logged(log).includes("call hang"));
    client.notify("notifications/cancelled", { requestId: "call-1", reason: "no more" });
    expect(await hanging).toBeUndefined();
    await until(() => logged(log).includes("cancelled"));
    expect(await client.text("s_echo", { text: "still here" })).toBe("still here");
  });

  it("tells a client once of many changes, and then gives the new list", async () => {
    const client = await openGateway([stubServer("s")]).client();
    const before = (await client.toolNames()).length;
    await client.call("s_grow", { count: 20 });
    await until(() => client.toldOf("notifications/tools/list_changed").length > 0);
    expect((await client.toolNames()).length).toBe(before + 20);
    expect(client.toldOf("notifications/tools/list_changed").length).toBeLessThanOrEqual(2);
  });

  it.each([
    ["sampling", "sampling/createMessage", { role: "assistant", content: { type: "text", text: "hello" }, model: "m" }],
    ["elicitation", "elicitation/create", { action: "accept", content: { name: "N" } }],
    ["roots", "roots/list", { roots: [{ uri: "file:///x" }] }],
  ])("forwards %s to the client that made the call", async (capability, method, result) => {
    const opened = openGateway([stubServer("s")]);
    const [asked, other, none] = [
      await opened.client({ [capability]: {} }),
      await opened.client({ [capability]: {} }),
      await opened.client(),
    ];
    asked.answers.set(method, () => result);
    other.answers.set(method, () => ({ wrong: true }));
    expect(JSON.parse(await asked.text("s_ask", { method }))).toEqual(result);
    expect(await none.text("s_ask", { method })).toBe(`the client offers no ${capability}`);
  });

  it("forwards log lines and the level to a client that asked for them, and to no other", async () => {
    const opened = openGateway([stubServer("s")]);
    const [asked, other] = [await opened.client(), await opened.client()];
    await asked.request("logging/setLevel", { level: "info" });
    expect(await asked.text("s_talk", { lines: 3 })).toBe("level info");
    expect(asked.toldOf("notifications/message").map((one) => one.params?.data)).toEqual([
      "line 0",
      "line 1",
      "line 2",
    ]);
    expect(await other.text("s_talk", { lines: 3 })).toBe("level undefined");
    expect(other.told).toEqual([]);
    const wrong = await other.ask("logging/setLevel", { level: "loud" });
    expect(wrong?.error?.message).toContain('level is "loud"');
  });

  it("subscribes once for many readers and tells each", async () => {
    const log = scratchFile("log");
    const opened = openGateway([stubServer("s", { STUB_LOG: log })]);
    const [a, b] = [await opened.client(), await opened.client()];
    await a.request("resources/subscribe", { uri: "stub://one" });
    await until(() => a.toldOf("notifications/resources/updated").length === 1);
    await b.request("resources/subscribe", { uri: "stub://one" });
    await a.request("resources/unsubscribe", { uri: "stub://one" });
    expect(logged(log).filter((one) => one.includes("subscribe"))).toEqual(["resources/subscribe"]);
    await b.close();
    await until(() => logged(log).includes("resources/unsubscribe"));
  });

  it("follows a task for the client that started it, and for no other", async () => {
    const opened = openGateway([stubServer("s")]);
    const [a, b] = [await opened.client(), await opened.client()];
    const started = await a.call("s_task", {}, { task: { ttl: 1_000 } });
    expect(started.task.taskId).toBe("t-1");
    expect((await a.request("tasks/get", { taskId: "t-1" })).status).toBe("completed");
    expect((await b.ask("tasks/get", { taskId: "t-1" }))?.error?.message).toBe("Unknown task: t-1");
  });

  it("carries trace context to the upstream", async () => {
    const client = await openGateway([stubServer("s")]).client();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const answer = await client.call("s_echo", { text: "x" }, { _meta: { traceparent } });
    expect(answer._meta.traceparent).toBe(traceparent);
  });

  it("answers an upstream's JSON-RPC error as it came", async () => {
    const client = await openGateway([stubServer("s")]).client();
    const answer = await client.ask("tools/call", { name: "s_echo", arguments: {} });
    expect(answer?.error).toEqual({ code: -32602, message: 'the argument "text" is missing' });
  });

  it("writes an audit line for each call, without arguments unless asked", async () => {
    const opened = openGateway([stubServer("s")]);
    const client = await opened.client();
    await client.text("s_echo", { text: "private" });
    await client.ask("tools/call", { name: "s_nope" });
    await client.ask("tools/call", { name: "s_echo", arguments: {} });
    expect(opened.audited.map((one) => [one.who, one.client, one.tool, one.upstream, one.outcome])).toEqual([
      ["tester", "test", "s_echo", "s", "ok"],
      ["tester", "test", "s_nope", "", "refused"],
      ["tester", "test", "s_echo", "s", "error"],
    ]);
    expect(JSON.stringify(opened.audited)).not.toContain("private");
    const telling = openGateway([stubServer("s")], { auditArguments: true });
    await (await telling.client()).text("s_echo", { text: "asked for" });
    expect(telling.audited[0]?.arguments).toEqual({ text: "asked for" });
  });
});
