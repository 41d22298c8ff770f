import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../src/cli/program.ts";
import { readEnabledTools } from "../../src/kag/enabled-tools.ts";
import type { Message } from "../mcp/stdio-peer.ts";
import { conceptFile, teaVocabulary } from "../support/small-vocabulary.ts";
import { reasonReturn, schemaReturn, solveReturn, statusReturn } from "./contract.ts";
import { type Installed, install, type Launched, launch, saidOnStderr } from "./launch.ts";
import { foldSolve } from "./web-ui-fold.ts";

let installed: Installed;
let folder: string;
/** A project folder as other hosts have one, with a vocabulary in it. */
let project: string;
const running: Launched[] = [];

beforeAll(async () => {
  installed = await install();
  folder = await mkdtemp(join(tmpdir(), "iaip-kag-"));
  project = join(folder, "project");
  const files = {
    ...teaVocabulary,
    "craft/steep.yaml": conceptFile("steep", "relations: [{ type: enables, to: brew, proposed_by: test }]"),
    "craft/brew.yaml": conceptFile("brew"),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, "concepts", path)), { recursive: true });
    await writeFile(join(project, "concepts", path), content);
  }
});
afterAll(() => Promise.all([installed.remove(), rm(folder, { recursive: true })]));
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});

function start(args: readonly string[], env: NodeJS.ProcessEnv = { KAG_PROJECT_DIR: project }): Launched {
  return started(process.execPath, [installed.entry, "kag", ...args], env);
}

function started(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Launched {
  const launched = launch(command, args, {
    env: { npm_config_update_notifier: "false", ...env },
    cwd: installed.project,
  });
  running.push(launched);
  return launched;
}

async function textOf(launched: Launched, name: string, args: object = {}): Promise<string> {
  const { result } = await launched.peer.call(name, args);
  const content = result?.content as readonly { readonly type: string; readonly text: string }[];
  expect(content).toHaveLength(1);
  expect(result).not.toHaveProperty("structuredContent");
  expect(result?.isError).toBe(false);
  return content[0]?.text ?? "";
}

function namesOf(result: Message["result"]): readonly string[] {
  return ((result?.tools ?? []) as readonly { readonly name: string }[]).map((it) => it.name);
}

function expectPure({ stdout }: Launched): void {
  for (const line of stdout().split("\n").filter(Boolean)) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
}

test("launched as the WebUI launches it, it answers all four tools in the frozen form", async () => {
  // The interface keeps command, args and env in its .mcp.json under the key kag-bridge.
  const entry = {
    command: process.execPath,
    args: [installed.entry, "kag"],
    env: { KAG_PROJECT_DIR: folder, KAG_SESSION_ID: "s1" },
  };
  const launched = started(entry.command, entry.args, entry.env);
  const hello = await launched.peer.initialize();
  expect(hello.result).toMatchObject({ serverInfo: { name: "iaip-dsl" }, capabilities: { tools: {} } });
  const { result } = await launched.peer.ask("tools/list");
  expect(namesOf(result)).toEqual(["kag_solve", "kag_schema", "kag_reason", "kag_status"]);
  const solved = await textOf(launched, "kag_solve", {
    question: "What is Two-Eyed Seeing?",
    use_pipeline: "think_pipeline",
  });
  solveReturn.parse(JSON.parse(solved));
  expect(foldSolve("mcp__kag-bridge__kag_solve", solved)?.hasGraphTab).toBe(true);
  schemaReturn.parse(JSON.parse(await textOf(launched, "kag_schema")));
  const dsl = "MATCH (n:IAIP.Framework) RETURN n.id, n.name";
  expect(reasonReturn.parse(JSON.parse(await textOf(launched, "kag_reason", { dsl }))).row_count).toBeGreaterThan(10);
  expect(statusReturn.parse(JSON.parse(await textOf(launched, "kag_status")))).toMatchObject({
    bridge: "ok",
    llm_configured: false,
  });
  launched.peer.end();
  expect(await launched.ended).toBe(0);
  expectPure(launched);
  expect(launched.stderr()).toContain("KAG_PROJECT_DIR holds no vocabulary.yaml");
});

test("the handshake names the vocabulary", async () => {
  const launched = start([], {});
  const { result } = await launched.peer.initialize();
  expect(result).toMatchObject({ serverInfo: { title: "IAIP vocabulary, as a knowledge graph" } });
});

test("a project folder that does not exist is a wrong use, not another vocabulary", async () => {
  const launched = start([], { KAG_PROJECT_DIR: "/no/such/folder" });
  expect(await launched.ended).toBe(2);
  expect(launched.stderr()).toContain("KAG_PROJECT_DIR is /no/such/folder, and there is no such folder.");
});

test("mcp-server --transport sse serves HTTP+SSE", async () => {
  const launched = start(["mcp-server", "--transport", "sse", "--port", "0"], { KAG_BRIDGE_API_KEY: "key" });
  const url = await saidOnStderr(launched, /at (http:\S+)\/mcp/);
  const stream = await fetch(`${url}/sse`, { headers: { authorization: "Bearer key" } });
  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  await stream.body?.cancel();
});

describe("every documented way to launch completes the handshake", () => {
  const toolList = "kag-solve,kag-schema,kag-reason,kag-status";
  const ways: readonly (readonly [string, () => readonly [string, readonly string[], NodeJS.ProcessEnv?]])[] = [
    ["node PATH kag", () => [process.execPath, [installed.entry, "kag"]]],
    ["iaip-dsl kag, as an install links it", () => [installed.bin, ["kag"]]],
    ["npx iaip-dsl kag", () => ["npx", ["--no-install", "iaip-dsl", "kag"]]],
    ["a shell", () => ["sh", ["-c", `"${installed.bin}" kag`]]],
    [
      "mcp-server, in other hosts' form",
      () => [installed.bin, ["kag", "mcp-server", "--transport", "stdio", "--enabled-tools", toolList]],
    ],
    ["the transport from the environment", () => [installed.bin, ["kag"], { KAG_BRIDGE_TRANSPORT: "stdio" }]],
    ["with all there is to say on stderr", () => [installed.bin, ["kag", "--log-level", "debug"]]],
  ];
  test.each(ways)("%s", async (_what, way) => {
    const [command, args, env] = way();
    const launched = started(command, args, { KAG_PROJECT_DIR: project, ...env });
    expect((await launched.peer.initialize()).result).toHaveProperty("protocolVersion");
    expect(JSON.parse(await textOf(launched, "kag_status"))).toMatchObject({ bridge: "ok", project: "tea" });
    launched.peer.end();
    await launched.ended;
    expectPure(launched);
  });
});

test("serve --toolsets kag offers the same four beside nothing else, with the same answers", async () => {
  const args = [
    "serve",
    "--mcp",
    "stdio",
    "--toolsets",
    "kag",
    "--ledger",
    "none",
    "--concepts",
    join(project, "concepts"),
  ];
  const served = started(process.execPath, [installed.entry, ...args], {});
  const hosted = start([]);
  await Promise.all([served.peer.initialize(), hosted.peer.initialize()]);
  const [one, other] = await Promise.all([served.peer.ask("tools/list"), hosted.peer.ask("tools/list")]);
  expect(one.result).toEqual(other.result);
  const question = { question: "How do steep and brew relate?" };
  const timeless = (text: string): unknown => ({ ...JSON.parse(text), cost_ms: 0 });
  expect(timeless(await textOf(served, "kag_solve", question))).toEqual(
    timeless(await textOf(hosted, "kag_solve", question)),
  );
});

describe("the allow-list of tools", () => {
  test.each([
    ["all", ["kag_solve", "kag_schema", "kag_reason", "kag_status"]],
    ["kag-solve", ["kag_solve"]],
    ["kag_status, kag-solve", ["kag_status", "kag_solve"]],
    [" KAG_REASON ", ["kag_reason"]],
  ])("“%s” is read", (list, expected) => {
    expect(readEnabledTools(list)).toEqual({ kind: "read", names: new Set(expected) });
  });

  test("hides tools and refuses to call them", async () => {
    const launched = start(["--enabled-tools", "kag_status, kag-solve"]);
    await launched.peer.initialize();
    expect(namesOf((await launched.peer.ask("tools/list")).result)).toEqual(["kag_solve", "kag_status"]);
    expect((await launched.peer.call("kag_schema")).error?.message).toContain("Unknown tool");
  });

  test.each([
    ["qa-pipeline", /the unknown tool `qa-pipeline`/],
    ["kag-solv", /the unknown tool `kag-solv`\. Did you mean kag_solve\?/],
    ["kag-solve,", /an empty name/],
    ["", /an empty name/],
  ])("“%s” is refused before anything is served, in words", async (list, expected) => {
    expect(await refusal(["--enabled-tools", list])).toMatch(expected);
  });
});

/** What a command line that cannot be served says on stderr: one line, exit code 2, and nothing on stdout. */
async function refusal(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env,
    cwd: folder,
    isTerminal: false,
  };
  const code = await run(["kag", ...args], io);
  io.stdout.end();
  io.stderr.end();
  const [out, err] = await Promise.all([text(io.stdout), text(io.stderr)]);
  expect([code, out]).toEqual([2, ""]);
  expect(err.trim().split("\n")).toHaveLength(1);
  return err;
}

describe("stdout holds the protocol and nothing else when", () => {
  test("the vocabulary folder is missing", async () => {
    const launched = start(["--concepts", join(folder, "nowhere")]);
    await launched.peer.initialize();
    expect(JSON.parse(await textOf(launched, "kag_status"))).toMatchObject({ bridge: "error" });
    expect(JSON.parse(await textOf(launched, "kag_solve", { question: "What is tea?" }))).toMatchObject({
      reference: [],
    });
    launched.peer.end();
    await launched.ended;
    expectPure(launched);
  });

  test("a file is broken", async () => {
    const broken = join(folder, "broken");
    await mkdir(join(broken, "craft"), { recursive: true });
    await writeFile(join(broken, "vocabulary.yaml"), "name: [\n");
    await writeFile(join(broken, "craft", "tea.yaml"), "id: \u0000: [");
    const launched = start(["--concepts", broken, "--log-level", "debug"]);
    await launched.peer.initialize();
    expect(JSON.parse(await textOf(launched, "kag_status"))).toMatchObject({ bridge: "error" });
    launched.peer.raw("no json\n{}\n");
    expect(await launched.peer.ask("ping")).toHaveProperty("result");
    launched.peer.end();
    await launched.ended;
    expectPure(launched);
  });

  test.each([
    ["a transport does not exist", ["--transport", "carrier-pigeon"], {}],
    ["the namespace is not legal", ["--namespace", "9 lives"], {}],
    ["the model's address is none", ["--llm", "models", "--llm-model", "m"], {}],
    ["the model has no name", ["--llm", "http://127.0.0.1:1/v1"], {}],
    ["HTTP is asked for without a key", ["--transport", "http"], { KAG_BRIDGE_API_KEY: "" }],
    ["HTTP is asked for by the environment without a key", [], { KAG_BRIDGE_TRANSPORT: "http" }],
    ["the key is no bearer token", ["--transport", "http"], { KAG_BRIDGE_API_KEY: "a b" }],
    ["the port is none", ["--transport", "http", "--port", "99999"], { KAG_BRIDGE_API_KEY: "k" }],
  ])("%s: one line on stderr, and exit 2", async (_what, args, env) => {
    await refusal(args, env);
  });
});

test("no secret of the environment is in anything it tells", async () => {
  const secrets = {
    KAG_BRIDGE_API_KEY: "s3cr3t-key",
    IAIP_DSL_LLM_KEY: "s3cr3t-llm",
    OPENAI_API_KEY: "s3cr3t-openai",
    DATABASE_URL: "postgres://u:s3cr3t-db@h/d",
  };
  const launched = start(["--llm", "http://127.0.0.1:9/v1", "--llm-model", "m"], {
    KAG_PROJECT_DIR: project,
    ...secrets,
  });
  await launched.peer.initialize();
  const told = [
    await textOf(launched, "kag_status"),
    await textOf(launched, "kag_solve", { question: "What is brew?" }),
    await textOf(launched, "kag_reason", { dsl: "MATCH (n) RETURN $OPENAI_API_KEY" }),
  ];
  expect(JSON.parse(told[0] ?? "")).toMatchObject({ llm_configured: true });
  launched.peer.end();
  await launched.ended;
  expect(told.join() + launched.stderr()).not.toContain("s3cr3t");
});

test("nothing is said that was not asked for, and progress only to whoever asked", async () => {
  const launched = start([]);
  await launched.peer.initialize();
  await textOf(launched, "kag_solve", { question: "What is brew?" });
  expect(launched.peer.received.filter((it) => it.method !== undefined)).toEqual([]);
  const params = { name: "kag_solve", arguments: { question: "What is steep?" }, _meta: { progressToken: "p" } };
  await launched.peer.ask("tools/call", params);
  expect(launched.peer.notifications("notifications/progress").map((it) => it.params)).toMatchObject([
    { progressToken: "p", progress: 1, total: 1 },
  ]);
});
