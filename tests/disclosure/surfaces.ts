import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { run } from "../../src/cli/program.ts";
import type { Caller } from "../../src/core/concept/caller.ts";
import { kagToolsFor } from "../../src/kag/kag-tools.ts";
import { hello, modern, post, request, call as toolCall } from "../mcp/http-server.ts";
import type { OpenPair } from "./open-world.ts";

/** Names and words that come near what is withheld, and some that do not. */
const asked = [
  "night-pour",
  "Night Pour",
  "night pour",
  "nigt pour",
  "moonpour",
  "moonpuor",
  "xylophone",
  "xylophon",
  "xylophone rite",
  "pour",
  "steep",
  "boil",
  "nothing of the kind",
];
const prose = "We pour at night: the Night Pour, a moonpour, moon pouring by xylophone light, then steep and boil.\n";
const places = [6, 20, 24, 37, 46, 70, 90, 96];

const tools: Readonly<Record<string, readonly object[]>> = {
  iaip_concept_lookup: asked.flatMap((concept) => ["brief", "full", "relational"].map((depth) => ({ concept, depth }))),
  iaip_concept_relationship: asked.flatMap((concept1) =>
    ["steep", "boil", "night-pour"].map((concept2) => ({ concept1, concept2, max_path_length: 4 })),
  ),
  iaip_concept_search: [
    {},
    ...asked.map((query) => ({ query })),
    ...["Craft", "Ware"].map((category) => ({ category })),
    ...["first", "then", "middle"].map((direction) => ({ direction })),
    ...["xylophone evenings", "pouring"].map((usage_context) => ({ usage_context })),
  ],
  iaip_validate_terminology: ["gentle", "standard", "strict"].map((strictness) => ({ text: prose, strictness })),
  iaip_concept_context: asked.map((concept) => ({ concept, hops: 3 })),
  iaip_direction_concepts: ["first", "then"].map((direction) => ({ direction })),
  iaip_concept_suggest: [prose, "pour at night with the tasters", "play the xylophone"].map((context) => ({ context })),
};

const prompts = ["iaip_framework_grounding", "iaip_ceremony_check"];
const uris = [
  "iaip://concepts/registry",
  "iaip://concepts/graph",
  "iaip://concepts/directions/first",
  "iaip://concepts/directions/then",
  "iaip://concepts/night-pour",
  "iaip://concepts/steep",
  "iaip://wisdom/ledger",
];

const kagCalls: readonly (readonly [string, object])[] = [
  ["kag_schema", {}],
  ["kag_status", {}],
  ...["What is night pour?", "What enables steep?", "How many concepts are there?", "xylophone"].map(
    (question) => ["kag_solve", { question }] as const,
  ),
  ["kag_reason", { dsl: "MATCH (s)-[p]->(o) RETURN s.name, o.name" }],
  ["kag_reason", { dsl: "MATCH (s) RETURN s.id, s.name" }],
];

const messages: readonly (readonly [string, object])[] = [
  ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].map((it) => [it, {}] as const),
  ...uris.map((uri) => ["resources/read", { uri }] as const),
  ...uris.map((uri) => ["resources/subscribe", { uri }] as const),
  ...prompts.map(
    (name) => ["prompts/get", { name, arguments: { task_description: prose, proposed_action: prose } }] as const,
  ),
  ...["nig", "pour at moon", "xyl", "st"].map(
    (value) =>
      [
        "completion/complete",
        { ref: { type: "ref/prompt", name: prompts[0] }, argument: { name: "task_description", value } },
      ] as const,
  ),
  ...["n", "night", "s"].map(
    (value) =>
      [
        "completion/complete",
        { ref: { type: "ref/resource", uri: "iaip://concepts/{id}" }, argument: { name: "id", value } },
      ] as const,
  ),
];

export interface Surface {
  readonly name: string;
  /** All that the surface gives to a caller without the grant. */
  readonly answers: (world: OpenPair) => Promise<unknown>;
}

/** Every way in which anybody hears of the vocabulary. A new one joins with one line. */
export const surfaces: readonly Surface[] = [
  { name: "MCP tools", answers: (world) => inTurn(toolArguments, ([name, args]) => world.both.agent.call(name, args)) },
  {
    name: "MCP resources, prompts and completion",
    answers: ({ both }) => inTurn(messages, (it) => both.agent.ask(...it)),
  },
  { name: "the ledger's tool, summary and history", answers: ledger },
  { name: "the editor: prose", answers: editorOnProse },
  { name: "the editor: vocabulary files", answers: editorOnFiles },
  { name: "kag", answers: kag },
  { name: "HTTP: both eras, probes and metrics", answers: http },
  { name: "the command line", answers: commandLine },
  { name: "notifications and logs of a reload", answers: reload },
];

const toolArguments = Object.entries(tools).flatMap(([name, all]) => all.map((args) => [name, args] as const));

async function ledger({ both }: OpenPair): Promise<unknown> {
  const log = (concept: string) =>
    both.call("iaip_wisdom_ledger_log", { concept, agent_id: "a", context: "c", session_id: "s" });
  const logged = await inTurn(["nigt-pour", "moonpour", "steep"], log);
  const concepts = [...both.workspace.snapshot.viewFor(nobody).concepts.values()].map(({ concept }) => concept);
  const summary = await both.ledger.summary({
    concepts: concepts.map(({ id, direction, category }) => ({ id, direction, category })),
  });
  return [logged, summary, await both.agent.ask("resources/read", { uri: "iaip://wisdom/ledger" })];
}

async function editorOnProse({ both }: OpenPair): Promise<unknown> {
  const { editor } = both;
  const uri = await both.write("note.md", prose);
  await editor.open(uri, prose);
  const textDocument = { uri };
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const carets = await inTurn(places, async (character) => [
    await editor.hover(uri, 0, character),
    await editor.at("definition", uri, 0, character),
    await editor.at("references", uri, 0, character, { context: { includeDeclaration: true } }),
    await editor.at("documentHighlight", uri, 0, character),
    await editor.at("prepareCallHierarchy", uri, 0, character),
    await editor.at("prepareRename", uri, 0, character).catch(String),
    await editor.at("completion", uri, 0, character),
  ]);
  const items = await editor.request<readonly { readonly data: unknown }[]>("workspace/symbol", { query: "" });
  return [
    carets,
    items,
    await editor.request("workspace/symbol", { query: "night" }),
    await editor.request("textDocument/documentSymbol", { textDocument }),
    await editor.request("textDocument/inlayHint", { textDocument, range }),
    await editor.request("textDocument/semanticTokens/full", { textDocument }),
    await editor.request("textDocument/diagnostic", { textDocument }),
    await editor.request("textDocument/documentLink", { textDocument }),
    await editor.request("textDocument/codeAction", { textDocument, range, context: { diagnostics: [] } }),
    await editor.request("workspace/textDocumentContent", { uri: "iaip://concepts/night-pour" }).catch(String),
    await inTurn(asked, (name) =>
      editor.request("workspace/executeCommand", { command: "iaip-dsl.neighborhood", arguments: [name] }).catch(String),
    ),
  ];
}

/** What an editor hears of the open files of the vocabulary; nobody opens the guarded one. */
async function editorOnFiles({ both, concepts }: OpenPair): Promise<unknown> {
  const { editor } = both;
  const uri = pathToFileURL(join(concepts, "craft/boil.yaml")).href;
  const text = readFileSync(join(concepts, "craft/boil.yaml"), "utf8");
  await editor.open(uri, `${text}relations: [{ type: enables, to: night-pour, source: B1 }]\n`);
  const lenses =
    (await editor.request<readonly object[] | null>("textDocument/codeLens", { textDocument: { uri } })) ?? [];
  return [
    await inTurn([0, 2, 6, 10], async (line) => [
      await editor.hover(uri, line, 6),
      await editor.at("references", uri, line, 6, { context: { includeDeclaration: true } }),
      await editor.at("rename", uri, line, 6, { newName: "boiled" }).catch(String),
    ]),
    await inTurn([20, 40, 44], (character) => editor.at("completion", uri, 11, character)),
    await inTurn(lenses, (lens) => editor.request("codeLens/resolve", lens)),
    await editor.request("textDocument/diagnostic", { textDocument: { uri } }),
    await editor.request("workspace/diagnostic", { previousResultIds: [] }),
    await editor.request("workspace/executeCommand", { command: "iaip-dsl.checkWorkspace" }).catch(String),
  ];
}

function kag({ both, caller }: OpenPair): Promise<unknown> {
  const all = kagToolsFor({ log: () => undefined, clock: () => 0 })(both.workspace.snapshot.vocabulary);
  const view = both.workspace.snapshot.viewFor(caller);
  const context = { view, ledger: both.ledger, caller, signal: new AbortController().signal };
  return inTurn(kagCalls, async ([name, args]) => all.find((it) => it.name === name)?.call(context, args));
}

async function http({ http: { url, bearer } }: OpenPair): Promise<unknown> {
  const opened = await post(`${url}/mcp`, hello, bearer);
  const session = { ...bearer, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const body = ({ status, json, text }: Awaited<ReturnType<typeof post>>) => [status, json ?? text];
  const get = async (path: string) => {
    const answer = await fetch(url + path, { headers: bearer });
    return [answer.status, await answer.text()];
  };
  return [
    await inTurn(toolArguments, async ([name, args]) => body(await post(`${url}/mcp`, toolCall(name, args), session))),
    await inTurn(messages, async ([method, params]) =>
      body(await post(`${url}/mcp`, request(method, params), session)),
    ),
    await inTurn(toolArguments.slice(0, 20), async ([name, args]) => {
      const { body: sent, headers } = modern("tools/call", { name, arguments: args });
      return body(await post(`${url}/mcp`, sent, { ...headers, ...bearer }));
    }),
    await get("/readyz"),
    (await get("/metrics")).map((it) =>
      String(it)
        .split("\n")
        .filter((line) => line.startsWith("iaip_vocabulary")),
    ),
  ];
}

function commandLine({ both, concepts }: OpenPair): Promise<unknown> {
  const note = join(both.folder, "note.md");
  const commands: readonly (readonly string[])[] = [
    ["check", "--format", "json", note],
    ["explain"],
    ["explain", "xylophone.discouraged"],
    ...asked.map((concept) => ["call", "iaip_concept_lookup", JSON.stringify({ concept })]),
    ["call", "iaip_concept_search", "{}"],
    ["history", "night-pour"],
    ["history", "steep"],
    ["ledger", "summary"],
  ];
  return inTurn(commands, async (args) => {
    const said: string[] = [];
    const sink = () =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          said.push(chunk.toString("utf8"));
          done();
        },
      });
    const env = { IAIP_DSL_CONCEPTS: concepts, IAIP_DSL_LEDGER: join(both.folder, "cli.db"), HOME: both.folder };
    const io = { stdin: Readable.from([]), stdout: sink(), stderr: sink(), env, cwd: both.folder, isTerminal: false };
    return [args, await run(args, io), said.join("")];
  });
}

/** A reload of the guarded file is no news; one of another file is. */
async function reload(world: OpenPair): Promise<unknown> {
  const { both, log } = world;
  const heard = () => both.agent.received.filter((it) => it.method !== undefined && it.id === undefined);
  await both.agent.ask("logging/setLevel", { level: "info" });
  await both.agent.ask("resources/subscribe", { uri: "iaip://concepts/night-pour" }).catch(() => undefined);
  for (const uri of ["iaip://concepts/steep", "iaip://concepts/registry"])
    await both.agent.ask("resources/subscribe", { uri });
  await world.edit();
  await both.workspace.reload();
  await both.agent.ask("ping");
  const first = heard().length;
  await both.write(
    "concepts/craft/boil.yaml",
    readFileSync(join(world.concepts, "craft/boil.yaml"), "utf8").replace("What cooks", "What all cooks"),
  );
  await both.workspace.reload();
  await both.agent.ask("ping");
  const perReload = log
    .filter((it) => it.includes("vocabulary loaded"))
    .map((it) => it.replace(/"revision":"[^"]*"/, ""));
  return [first, heard(), new Set(perReload)];
}

const nobody: Pick<Caller, "protocols"> = { protocols: new Set() };

/** One after the other, as answers are compared in order. */
async function inTurn<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}
