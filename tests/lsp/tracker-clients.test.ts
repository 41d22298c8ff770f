import { utimes, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { CodeAction, TextDocumentEdit } from "vscode-languageserver";
import { capable } from "./support/peer.ts";
import { openWorld, type World } from "./support/world.ts";

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
});
