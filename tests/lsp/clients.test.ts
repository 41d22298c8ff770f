import { afterEach, expect, test } from "vitest";
import type { CodeAction } from "vscode-languageserver";
import { buildSnapshot } from "../../src/core/snapshot/snapshot.ts";
import { conceptFile } from "../support/small-vocabulary.ts";
import { openWorld, serveOver, teaConcepts, type World } from "./support/world.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

async function worldWith(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  const world = await openWorld(options);
  open.push(world);
  return world;
}

const pot = "A nameless pot.\n";

test("#50 labels with blanks, hyphens and apostrophes survive a client's own filter; a cut list says so", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => [
      `craft/pot-${index}.yaml`,
      (teaConcepts["craft/slow-brewing.yaml"] ?? "")
        .replace(/slow-brewing/g, `pot-${index}`)
        .replace("Slow Brewing", `Pot Number ${index}`)
        .replace(/names:[\s\S]*/, ""),
    ]),
  );
  const { peer, uri } = await worldWith({ concepts: { ...teaConcepts, ...many } });
  interface Item {
    readonly label: string;
    readonly filterText: string;
    readonly textEdit: { readonly range: { readonly start: { readonly character: number } }; readonly newText: string };
    readonly documentation?: { readonly value: string };
  }
  const complete = async (text: string): Promise<{ isIncomplete: boolean; items: readonly Item[] }> => {
    await peer.change(uri("a.md"), [{ text }]);
    return peer.at("completion", uri("a.md"), 0, text.length);
  };
  await peer.open(uri("a.md"), "");
  const cases: readonly (readonly [string, string, number])[] = [
    ["the data st", "Data Steward", 4],
    ["the data-st", "Data Steward", 4],
    ["mi'k", "Mi'kmaw", 0],
    ["mik", "Mi'kmaw", 0],
    ["Kanienk", "Kanien’kehá:ka", 0],
    ["nehi", "nêhiyawêwin", 0],
    ["data_st", "data_steward", 0],
    ["dataSt", "dataSteward", 0],
  ];
  for (const [typed, label, start] of cases) {
    const { items } = await complete(typed);
    const item = items.find((it) => it.label === label);
    expect([typed, item?.textEdit.range.start.character]).toEqual([typed, start]);
    expect(item?.filterText.startsWith(typed.slice(start))).toBe(true);
  }
  const cut = await complete("pot");
  expect([cut.isIncomplete, cut.items.length]).toEqual([true, 60]);
  const [first] = (await complete("data st")).items;
  expect(first?.documentation).toBeUndefined();
  expect((await peer.request<Item>("completionItem/resolve", first)).documentation?.value).toContain(
    "### Data Steward",
  );
});

test("a peer with Claude Code's habits: pushed diagnostics only, null settings, one version for ever, no watched files", async () => {
  const { peer, uri, write, reloaded } = await worldWith({
    watch: true,
    configuration: () => null,
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      textDocument: { hover: { contentFormat: ["markdown", "plaintext"] }, publishDiagnostics: {} },
    },
    files: { ".iaip-dsl.yaml": "strictness: standard\n" },
  });
  await peer.open(uri("a.md"), "Fine.\n");
  await peer.change(uri("a.md"), [{ text: pot }], 1);
  expect((await peer.diagnostics(uri("a.md"), (all) => all.length === 1)).length).toBe(1);
  await peer.change(uri("a.md"), [{ text: "data steward and strainer\n" }], 1);
  expect(await peer.diagnostics(uri("a.md"), (all) => all.length === 0)).toEqual([]);
  const loaded = reloaded();
  await write("concepts/craft/strainer.yaml", conceptFile("strainer"));
  await loaded;
  expect((await peer.hover(uri("a.md"), 0, 18))?.text).toContain("### Strainer");
  await peer.change(uri("a.md"), [{ text: pot }], 1);
  await peer.diagnostics(uri("a.md"), (all) => all[0]?.severity === 2);
  await write(".iaip-dsl.yaml", "rules: { pot.discouraged: error }\n");
  expect((await peer.diagnostics(uri("a.md"), (all) => all[0]?.severity === 1)).length).toBe(1);
  for (const method of ["definition", "references", "documentHighlight", "prepareCallHierarchy"]) {
    expect(await peer.at(method, uri("a.md"), 0, 2, { context: { includeDeclaration: true } })).toBeNull();
  }
  expect((await peer.request<unknown[]>("workspace/symbol", { query: "strain" })).length).toBe(1);
});

test("a finding set aside once stays away until its line changes, and nothing is written", async () => {
  const { peer, uri } = await worldWith();
  await peer.open(uri("a.md"), `${pot}\nAnother nameless pot.\n`);
  const found = await peer.diagnostics(uri("a.md"), (all) => all.length === 2);
  const actions = await peer.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: uri("a.md") },
    range: found[0]?.range,
    context: { diagnostics: [] },
  });
  const once = actions.find((it) => it.title.endsWith("this once"));
  expect(once?.edit).toBeUndefined();
  await peer.request("workspace/executeCommand", {
    command: once?.command?.command,
    arguments: once?.command?.arguments,
  });
  expect((await peer.diagnostics(uri("a.md"), (all) => all.length === 1))[0]?.range.start.line).toBe(2);
  await peer.change(uri("a.md"), [{ text: `Yes. ${pot}\nAnother nameless pot.\n` }]);
  expect((await peer.diagnostics(uri("a.md"), (all) => all.length === 2, false)).length).toBe(2);
});

test("a vocabulary that takes long to read says so where the client can show it", async () => {
  let settle = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const source = { snapshot: buildSnapshot([], { sequence: 0 }), ready, onDidChange: () => () => undefined };
  const { served, peer } = serveOver(source, undefined);
  await peer.initialize();
  await peer.until(() => peer.requests.some((it) => it.method === "window/workDoneProgress/create"));
  settle();
  served.close();
  await served.closed;
});
