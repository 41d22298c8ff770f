import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { CodeAction, TextDocumentEdit, WorkspaceEdit } from "vscode-languageserver";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { rulesOf } from "../../src/core/queries/read-in-view.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { openWorld, teaConcepts, type World, type WorldOptions } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

async function actionsAt(uri: string, code: string): Promise<readonly CodeAction[]> {
  const found = (await world.peer.diagnostics(uri, (all) => all.some((it) => it.code === code))).find(
    (it) => it.code === code,
  );
  return world.peer.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri },
    range: found?.range,
    context: { diagnostics: [found] },
  });
}

const textEdits = (edit: WorkspaceEdit | undefined): readonly TextDocumentEdit[] =>
  (edit?.documentChanges ?? []).filter((it): it is TextDocumentEdit => "edits" in it);

async function withRules(rules: string, options: WorldOptions = {}): Promise<void> {
  world = await openWorld({ concepts: { ...teaConcepts, "terminology.yaml": rules }, ...options });
}

const rule = (id: string, phrase: string, preferred: string, more = ""): string =>
  `  - { id: ${id}, title: t, severity: warning, phrases: [${phrase}], preferred: [${preferred}], reason: It reads better., source: { key: B1, standing: seen }, fix: replace, ${more} examples: { flags: ["${phrase}"], passes: ["none"] } }\n`;

describe("rules, by the numbers of the trackers' tests", () => {
  test("#16 a preferred term that contains the discouraged one is not mended into itself", async () => {
    await withRules(
      `rules:\n${rule("server.short", "サーバ", "サーバー")}${rule("steward.bare", "steward", "data steward")}`,
    );
    const uri = world.uri("a.md");
    await world.peer.open(uri, "Ask the data steward. A steward waits.\n");
    const found = await world.peer.diagnostics(uri);
    expect(found.map((it) => it.range.start.character)).toEqual([24]);
  });

  test("#17 an accepted phrase shields its words from the rules for single words, hyphenated and in any case", async () => {
    await withRules(`rules:\n${rule("cli.short", "CLI", "command line")}`, {
      files: { ".iaip-dsl.yaml": "accept: [Azure CLI]\n" },
    });
    const uri = world.uri("a.md");
    await world.peer.open(uri, "The Azure CLI, the azure-cli and a CLI.\n");
    const found = await world.peer.diagnostics(uri);
    expect(found.map((it) => it.range.start.character)).toEqual([35]);
  });

  test("#20 a suggested replacement is a label, never a pattern, and keeps a sentence's capital and the number", async () => {
    world = await openWorld();
    const uri = world.uri("a.md");
    await world.peer.open(uri, "Nameless pots wait. Hurry up now.\n");
    const mend = await actionsAt(uri, "pot.discouraged");
    const edits = mend.flatMap((it) => textEdits(it.edit).flatMap((change) => change.edits));
    expect(edits[0]).toMatchObject({ newText: "Named pots" });
    const hurry = await actionsAt(uri, "hurry.discouraged");
    expect(hurry.filter((it) => it.isPreferred)).toEqual([]);
  });

  test("#49 directives silence a line, the next line, a block and a file, in Markdown and MDX", async () => {
    world = await openWorld();
    const lines = (text: string) => text.split("|").join("\n");
    const cases: readonly (readonly [string, string, readonly number[]])[] = [
      ["next.md", "<!-- iaip-dsl-disable-next-line pot.discouraged -->|A nameless pot.||A nameless pot.|", [3]],
      ["line.md", "A nameless pot. <!-- iaip-dsl-disable-line -->||A nameless pot.|", [2]],
      [
        "block.md",
        "<!-- iaip-dsl-disable pot.discouraged -->||A nameless pot.||<!-- iaip-dsl-enable pot.discouraged -->||A nameless pot.|",
        [6],
      ],
      ["file.md", "---|iaip-dsl-disable: [pot.discouraged]|---||A nameless pot.||A nameless pot.|", []],
      ["page.mdx", "{/* iaip-dsl-disable-next-line pot.discouraged */}|A nameless pot.||A nameless pot.|", [3]],
    ];
    for (const [file, text, expected] of cases) {
      const uri = world.uri(file);
      await world.peer.open(uri, lines(text), file.endsWith(".mdx") ? "mdx" : "markdown");
      expect([file, (await world.peer.diagnostics(uri)).map((it) => it.range.start.line)]).toEqual([file, expected]);
    }
  });

  test("#55 in the shipped rules a single word alone is never more than a hint or information, unless cues decide its sense", async () => {
    const shipped = openWorkspace(fileURLToPath(new URL("../../concepts", import.meta.url)), {
      log: silentLog,
      watch: false,
    });
    await shipped.ready;
    const view = shipped.snapshot.viewFor(localCaller());
    const loud = rulesOf(view).rules.filter(({ severity, readings }) => {
      const speaks = severity === "error" || severity === "warning";
      return (
        speaks && readings.some((it) => !it.strict && it.needs.length === 0 && it.also.length === 0 && !it.outcome)
      );
    });
    const single = loud.filter(
      ({ rule: it }) => it.phrases.some((phrase) => /^[a-z]+$/.test(phrase)) && it.unless.length === 0,
    );
    expect(single.map((it) => it.rule.id)).toEqual([]);
    await shipped.dispose();
    world = await openWorld();
  });
});

test("a project file's overrides and ignored paths count in the editor as on the command line", async () => {
  const project =
    "ignore: [drafts/]\noverrides:\n  - files: ['*.txt']\n    rules: { pot.discouraged: error }\n  - files: [old.md]\n    accept: [nameless pot]\n";
  world = await openWorld({ files: { ".iaip-dsl.yaml": project } });
  const severities = async (file: string) => {
    await world.peer.open(world.uri(file), "A nameless pot.\n");
    return (await world.peer.diagnostics(world.uri(file))).map((it) => it.severity);
  };
  expect(await severities("a.md")).toEqual([2]);
  expect(await severities("b.txt")).toEqual([1]);
  expect(await severities("old.md")).toEqual([]);
  expect(await severities("drafts/c.md")).toEqual([]);
});

test("in source files only comments and doc strings are read, by the language that the editor names", async () => {
  world = await openWorld();
  const uri = world.uri("a.py");
  await world.peer.open(uri, '"""A nameless pot."""\npot = "nameless pot"  # a nameless pot\n', "python");
  expect((await world.peer.diagnostics(uri)).map((it) => it.range.start)).toEqual([
    { line: 0, character: 5 },
    { line: 1, character: 26 },
  ]);
  await world.peer.open(world.uri("a.zz"), "A nameless pot.", "unheard-of");
  expect(await world.peer.diagnostics(world.uri("a.zz"))).toEqual([]);
});
