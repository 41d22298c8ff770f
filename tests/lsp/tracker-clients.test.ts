import { utimes, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { CodeAction, TextDocumentEdit } from "vscode-languageserver";
import { buildSnapshot, type Snapshot } from "../../src/core/snapshot/snapshot.ts";
import { conceptFile, parsedFiles } from "../support/small-vocabulary.ts";
import { capable } from "./support/peer.ts";
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

/** The bare minimum that a client can say of itself. */
const bare = {};

describe("clients and their ways, by the numbers of the trackers' tests", () => {
  test("#38 diagnostics go on close and come back on reopening", async () => {
    const { peer, uri } = await worldWith();
    for (let round = 0; round < 3; round += 1) {
      await peer.open(uri("a.md"), pot);
      expect((await peer.diagnostics(uri("a.md"), (all) => all.length === 1, round === 0)).length).toBe(1);
      await peer.close(uri("a.md"));
      expect(await peer.diagnostics(uri("a.md"), (all) => all.length === 0, false)).toEqual([]);
    }
  });

  test.each<[string, ((items: readonly unknown[]) => unknown) | null]>([
    ["null", () => null],
    ["[null]", () => [null]],
    ["{}", () => ({})],
    ["[]", () => []],
    ["nonsense", () => ["x", 7]],
    ["wrong types", () => [{ strictness: 7, diagnostics: { max: "many" }, rules: [] }]],
    ["nothing, ever", null],
  ])("#39 a client that answers its configuration with %s is served with defaults", async (_name, configuration) => {
    const { peer, uri } = await worldWith({ configuration });
    await peer.notify("workspace/didChangeConfiguration", { settings: null });
    await peer.notify("workspace/didChangeConfiguration", {});
    await peer.open(uri("a.md"), pot);
    expect((await peer.diagnostics(uri("a.md"))).map((it) => it.severity)).toEqual([2]);
  });

  test("#39 settings count, whichever way they come, and one that is wrong costs only itself", async () => {
    const { peer, uri } = await worldWith({
      configuration: () => [{ rules: { "pot.discouraged": "information" }, diagnostics: { max: "many" } }],
      initializationOptions: { rules: { "hurry.discouraged": "off" } },
    });
    await peer.open(uri("a.md"), `${pot}\nHurry up.\n`);
    expect((await peer.diagnostics(uri("a.md"))).map((it) => [it.code, it.severity])).toEqual([["pot.discouraged", 3]]);
    const other = await worldWith({ capabilities: bare });
    await other.peer.notify("workspace/didChangeConfiguration", { settings: { "iaip-dsl": { strictness: "gentle" } } });
    await other.peer.open(other.uri("a.md"), pot);
    expect((await other.peer.diagnostics(other.uri("a.md"))).map((it) => it.severity)).toEqual([4]);
  });

  test("#40 a client with no abilities, no folder and no root is served", async () => {
    const { peer } = await worldWith({
      capabilities: bare,
      folders: [],
      params: { rootUri: null, workspaceFolders: null },
    });
    await peer.open("untitled:Untitled-1", pot, "markdown");
    expect((await peer.diagnostics("untitled:Untitled-1")).length).toBe(1);
    const told = await peer.at<{ contents: { kind: string; value: string } }>("hover", "untitled:Untitled-1", 0, 0);
    expect(told).toBeNull();
    expect(peer.requests).toEqual([]);
  });

  test("#41 a constant version, an empty change and a file that changes on disk without a word are followed", async () => {
    const world = await worldWith({ files: { "a.md": "slow brewing", "b.md": "slow brewing" } });
    const { peer, uri } = world;
    await peer.open(uri("a.md"), "slow brewing");
    await peer.change(uri("a.md"), [], 1);
    await peer.change(uri("a.md"), [{ text: pot }], 1);
    expect((await peer.diagnostics(uri("a.md"), (all) => all.length === 1)).length).toBe(1);
    await peer.change(uri("a.md"), [{ text: "data steward" }], 1);
    expect((await peer.hover(uri("a.md"), 0, 2))?.text).toContain("Data Steward");

    await peer.open(uri("b.md"), "slow brewing");
    expect((await peer.hover(uri("b.md"), 0, 2))?.text).toContain("Slow Brewing");
    const file = fileURLToPath(uri("b.md"));
    await writeFile(file, `data steward\n\n${pot}`);
    await utimes(file, new Date(), new Date(Date.now() + 5000));
    expect((await peer.hover(uri("b.md"), 0, 2))?.text).toContain("Data Steward");
    expect((await peer.diagnostics(uri("b.md"), (all) => all.length === 1)).length).toBe(1);
  });

  test("#41 unsaved text that differs from the disk from the start is the client's, not the disk's", async () => {
    const { peer, uri } = await worldWith({ files: { "a.md": "slow brewing" } });
    await peer.open(uri("a.md"), "data steward");
    expect((await peer.hover(uri("a.md"), 0, 2))?.text).toContain("Data Steward");
  });

  test("#42 a client that says it pulls and only listens still sees diagnostics; after its first pull nothing comes twice", async () => {
    const pulls = { ...capable, textDocument: { ...capable.textDocument, diagnostic: { dynamicRegistration: true } } };
    const { peer, uri } = await worldWith({ capabilities: pulls });
    await peer.open(uri("a.md"), pot);
    expect((await peer.diagnostics(uri("a.md"))).length).toBe(1);
    const first = await peer.pull(uri("a.md"));
    expect(first.items?.length).toBe(1);
    expect(peer.diagnosticsOf(uri("a.md"))).toEqual([]);
    expect(await peer.pull(uri("a.md"), first.resultId)).toEqual({ kind: "unchanged", resultId: first.resultId });
    await peer.change(uri("a.md"), [{ text: "Fine.\n" }], 1);
    expect(await peer.pull(uri("a.md"), first.resultId)).toMatchObject({ kind: "full", items: [] });
    const pushed = peer.published.length;
    await peer.change(uri("a.md"), [{ text: pot }]);
    expect((await peer.pull(uri("a.md"))).items?.length).toBe(1);
    expect(peer.published.length).toBe(pushed);
  });

  test("#43 code actions survive empty, foreign, missing and mangled diagnostics", async () => {
    const { peer, uri } = await worldWith();
    await peer.open(uri("a.md"), pot);
    const range = { start: { line: 0, character: 3 }, end: { line: 0, character: 3 } };
    const contexts: unknown[] = [
      { diagnostics: [] },
      { diagnostics: [{ range, message: "x", source: "other", data: { kind: "finding" } }] },
      { diagnostics: [{ range, message: "x", source: "iaip-dsl" }] },
      { diagnostics: [{}] },
      {},
      undefined,
    ];
    for (const context of contexts) {
      const actions = await peer.request<CodeAction[]>("textDocument/codeAction", {
        textDocument: { uri: uri("a.md") },
        range,
        context,
      });
      expect(actions.map((it) => it.title)).toContain("Write “named pot”");
    }
    const none = await peer.request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri: uri("a.md") },
      range,
      context: { diagnostics: [], only: ["refactor"] },
    });
    expect(none).toEqual([]);
  });

  test("#44 accepting a word appends to the dot-file that discovery finds, and no action creates or replaces a file that is there", async () => {
    const { peer, uri, pathOf } = await worldWith({
      files: { ".iaip-dsl.yaml": "strictness: standard\naccept:\n  - hurry\n", "sub/a.md": pot },
    });
    await peer.open(uri("sub/a.md"), pot);
    const [found] = await peer.diagnostics(uri("sub/a.md"));
    const asked = { textDocument: { uri: uri("sub/a.md") }, range: found?.range, context: { diagnostics: [found] } };
    const actions = await peer.request<CodeAction[]>("textDocument/codeAction", asked);
    const accept = actions.find((it) => it.title.startsWith("Accept"))?.edit?.documentChanges?.[0] as
      | TextDocumentEdit
      | undefined;
    expect(accept && pathOf(accept.textDocument.uri)).toBe(".iaip-dsl.yaml");
    expect(accept?.edits).toEqual([
      { range: { start: { line: 2, character: 9 }, end: { line: 2, character: 9 } }, newText: '\n  - "nameless pot"' },
    ]);
    const bare = await worldWith();
    await bare.peer.open(bare.uri("a.md"), pot);
    const [again] = await bare.peer.diagnostics(bare.uri("a.md"));
    const titles = (
      await bare.peer.request<CodeAction[]>("textDocument/codeAction", {
        textDocument: { uri: bare.uri("a.md") },
        range: again?.range,
        context: { diagnostics: [again] },
      })
    ).map((it) => it.title);
    expect(titles.filter((it) => it.startsWith("Accept"))).toEqual([]);
    const created = await bare.peer.request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri: bare.uri("a.md") },
      range: { start: { line: 0, character: 2 }, end: { line: 0, character: 14 } },
      context: { diagnostics: [] },
    });
    const create = created.find((it) => it.title.startsWith("Create"))?.edit?.documentChanges?.[0];
    expect(create).toMatchObject({ kind: "create", options: { overwrite: false, ignoreIfExists: false } });
  });

  test("#45 a hundred quick edits with many findings end with the last text, checked a few times only", async () => {
    const { peer, uri } = await worldWith();
    const many = "A nameless pot. ".repeat(400);
    await peer.open(uri("a.md"), many);
    for (let round = 0; round < 100; round += 1) {
      const start = { line: 0, character: 0 };
      void peer.change(uri("a.md"), [{ range: { start, end: start }, text: "x" }]);
    }
    await peer.change(uri("a.md"), [{ text: pot }]);
    expect((await peer.diagnostics(uri("a.md"), (all) => all.length === 1)).length).toBe(1);
    expect(peer.published.filter((it) => it.uri === uri("a.md")).length).toBeLessThan(20);
    expect(peer.diagnosticsOf(uri("a.md"))?.[0]?.range.start).toEqual({ line: 0, character: 2 });
  });

  test("#46 a 12 MB line is passed over with a notice, ten thousand lines are read, and closing stops the work", async () => {
    const { peer, uri } = await worldWith();
    await peer.open(uri("min.json"), `{"a":"${"nameless pot ".repeat(950_000)}"}`, "plaintext");
    const [notice] = await peer.diagnostics(uri("min.json"));
    expect(notice).toMatchObject({ code: "document.too-long", severity: 3 });
    const began = performance.now();
    await peer.open(uri("long.md"), `A nameless pot and a data steward, again.\n\n`.repeat(5000));
    const found = await peer.diagnostics(uri("long.md"));
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(found.length).toBe(201);
    expect(found.at(-1)).toMatchObject({ code: "diagnostics.capped", message: expect.stringContaining("200 of 5000") });
    expect((await peer.hover(uri("long.md"), 9998, 22))?.text).toContain("Data Steward");
    await peer.open(uri("shut.md"), pot.repeat(3000));
    await peer.close(uri("shut.md"));
    await peer.hover(uri("long.md"), 0, 22);
    expect(peer.published.filter((it) => it.uri === uri("shut.md")).at(-1)?.diagnostics ?? []).toEqual([]);
  });

  test("#47 the handshake is answered before the vocabulary is there; hover and diagnostics of documents opened meanwhile wait for it", async () => {
    const empty = buildSnapshot([], 0);
    const loaded = buildSnapshot(parsedFiles(teaConcepts), 1);
    let current: Snapshot = empty;
    let settle = (): void => undefined;
    const ready = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const source = {
      get snapshot() {
        return current;
      },
      ready,
      onDidChange: () => () => undefined,
    };
    const { served, peer } = serveOver(source, undefined);
    expect((await peer.initialize()).capabilities.hoverProvider).toBe(true);
    await peer.open("file:///a.md", `${pot}data steward\n`);
    let isTold = false;
    const told = peer.hover("file:///a.md", 1, 2).finally(() => {
      isTold = true;
    });
    await peer.request("textDocument/foldingRange", { textDocument: { uri: "file:///a.md" } });
    expect([isTold, peer.published.length]).toEqual([false, 0]);
    current = loaded;
    settle();
    expect((await told)?.text).toContain("Data Steward");
    expect((await peer.diagnostics("file:///a.md")).length).toBe(1);
    served.close();
    await served.closed;
  });

  test("#48 the end of the stream ends the server: 0 after a shutdown, 1 without", async () => {
    const polite = await openWorld();
    await polite.peer.shutdown();
    expect(await polite.served.closed).toBe(0);
    await polite.close();
    const rude = await openWorld();
    rude.peer.connection.end();
    expect(await rude.served.closed).toBe(1);
    await rude.close();
  });

  test("#51 what a definition says is shown as written, and a shared name shows each sense once", async () => {
    const { peer, uri } = await worldWith();
    await peer.open(uri("a.md"), "a shared name and the tea-bowl\n");
    const senses = (await peer.hover(uri("a.md"), 0, 4))?.text ?? "";
    expect(senses.match(/^### .*/gm)).toEqual(["### Circle Of Care", expect.stringContaining("### Tea")]);
    expect(senses.split("\n---\n").length).toBe(2);
    const bowl = (await peer.hover(uri("a.md"), 0, 24))?.text ?? "";
    expect(bowl.split("\n")[0]).toBe('### Tea \\| Bowl \\`x\\` \\[l\\](u) "q"');
    expect(bowl).not.toMatch(/\n\n\n|\s$/);
    const plain = await worldWith({ capabilities: bare });
    await plain.peer.open(plain.uri("a.md"), "the tea-bowl");
    const told = await plain.peer.at<{ contents: { kind: string; value: string } }>("hover", plain.uri("a.md"), 0, 6);
    expect(told.contents.kind).toBe("plaintext");
    expect(told.contents.value.split("\n")[0]).toBe('Tea | Bowl `x` [l](u) "q"');
  });

  test("#52 where no concept is named there is no hover, so that the language's own shows alone", async () => {
    const { peer, uri } = await worldWith();
    await peer.open(uri("a.py"), "def pour(water):\n    return data_steward\n", "python");
    expect(await peer.hover(uri("a.py"), 0, 5)).toBeNull();
    expect((await peer.hover(uri("a.py"), 1, 14))?.range).toEqual({
      start: { line: 1, character: 11 },
      end: { line: 1, character: 23 },
    });
  });

  test("two clients over one vocabulary do not disturb each other", async () => {
    const world = await worldWith();
    const second = serveOver(world.workspace, world.concepts);
    await second.peer.initialize({ folder: world.folder });
    await second.peer.open(world.uri("a.md"), "data steward");
    second.served.close();
    await second.served.closed;
    await world.peer.open(world.uri("a.md"), "data steward");
    expect((await world.peer.hover(world.uri("a.md"), 0, 2))?.text).toContain("Data Steward");
  });
});

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
  const source = { snapshot: buildSnapshot([], 0), ready, onDidChange: () => () => undefined };
  const { served, peer } = serveOver(source, undefined);
  await peer.initialize();
  await peer.until(() => peer.requests.some((it) => it.method === "window/workDoneProgress/create"));
  settle();
  served.close();
  await served.closed;
});
