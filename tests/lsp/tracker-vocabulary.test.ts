import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { CodeAction, Location, TextDocumentEdit, WorkspaceEdit } from "vscode-languageserver";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/caller.ts";
import { rulesOf } from "../../src/core/terms/read-in-view.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { conceptFile } from "../support/small-vocabulary.ts";
import { openWorld, teaConcepts, type World, type WorldOptions } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

async function hoverIn(text: string, character = 1): Promise<string | undefined> {
  const uri = world.uri("probe.md");
  await world.peer.open(uri, text);
  const told = await world.peer.hover(uri, 0, character);
  await world.peer.close(uri);
  return told?.text.split("\n")[0];
}

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

describe("rules and vocabulary files, by the numbers of the trackers' tests", () => {
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

  test("#20 a suggested replacement is a label, never a pattern, and keeps the capital of a sentence's start", async () => {
    world = await openWorld();
    const uri = world.uri("a.md");
    await world.peer.open(uri, "Nameless pots wait. Hurry up now.\n");
    const mend = await actionsAt(uri, "pot.discouraged");
    const edits = mend.flatMap((it) => textEdits(it.edit).flatMap((change) => change.edits));
    expect(edits[0]).toMatchObject({ newText: "Named pot" });
    const hurry = await actionsAt(uri, "hurry.discouraged");
    expect(hurry.filter((it) => it.isPreferred)).toEqual([]);
  });

  test("#28 an empty file and a concept without a definition do not break the others", async () => {
    world = await openWorld({
      concepts: {
        ...teaConcepts,
        "craft/empty.yaml": "",
        "craft/null.yaml": "id: null\nname:\n",
        "craft/half.yaml": "id: half\nname: Half\n",
      },
    });
    expect(await hoverIn("data steward")).toBe("### Data Steward");
  });

  test("#29 a syntax error keeps the last good words, is told at its place, and goes when it is mended", async () => {
    world = await openWorld({ watch: true });
    expect(await hoverIn("data steward")).toBe("### Data Steward");
    const good = teaConcepts["craft/data-steward.yaml"] ?? "";
    const reloaded = world.reloaded();
    await world.write("concepts/craft/data-steward.yaml", good.replace("category:", "category: [unclosed"));
    await reloaded;
    const uri = world.conceptUri("craft/data-steward.yaml");
    const told = await world.peer.diagnostics(uri, (all) => all.length > 0);
    expect(told[0]?.code).toBe("yaml.malformed");
    expect(told[0]?.range.start.line).toBeGreaterThan(0);
    expect(await hoverIn("data steward")).toBe("### Data Steward");
    await world.write("concepts/craft/data-steward.yaml", good);
    expect(await world.peer.diagnostics(uri, (all) => all.length === 0, false)).toEqual([]);
  });

  test("#30 conflict markers and an alias bomb neither hang nor stop the rest", async () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefghij"
      .split("")
      .map((it, index) => `${it}: &${it} [${Array.from({ length: 9 }, () => `*${"abcdefghij"[index]}`).join(", ")}]`)
      .join("\n")}\n`;
    const good = teaConcepts["craft/data-steward.yaml"] ?? "";
    const conflict = `<<<<<<< ours\n${good}=======\n${good}>>>>>>> theirs\n`;
    world = await openWorld({ concepts: { ...teaConcepts, "craft/bomb.yaml": bomb, "craft/conflict.yaml": conflict } });
    expect(await hoverIn("data steward")).toBe("### Data Steward");
    const told = await world.peer.diagnostics(world.conceptUri("craft/bomb.yaml"), (all) => all.length > 0);
    expect(told.length).toBeGreaterThan(0);
    expect(
      (await world.peer.diagnostics(world.conceptUri("craft/conflict.yaml"), (all) => all.length > 0)).length,
    ).toBeGreaterThan(0);
  });

  test("#31 in a file of several YAML documents, hover and outline work in each", async () => {
    world = await openWorld();
    const uri = world.conceptUri("craft/two.yaml");
    await world.peer.open(
      uri,
      "id: data-steward\nname: One\n---\nid: tea-bowl\nrelations:\n  - { type: x, to: y }\n  - type: enables\n    to: slow-brewing\n",
    );
    expect((await world.peer.hover(uri, 0, 6))?.text).toContain("### Data Steward");
    expect((await world.peer.hover(uri, 3, 6))?.text).toContain("### Tea");
    expect((await world.peer.hover(uri, 7, 10))?.text).toContain("### Slow Brewing");
    const symbols = await world.peer.request<{ name: string; detail?: string }[]>("textDocument/documentSymbol", {
      textDocument: { uri },
    });
    expect(symbols.map((it) => it.name)).toEqual(["id", "name", "id", "relations"]);
  });

  test("#32 both endings, .yaml and .yml, are read", async () => {
    world = await openWorld({ concepts: { ...teaConcepts, "craft/strainer.yml": conceptFile("strainer") } });
    expect(await hoverIn("strainer")).toBe("### Strainer");
    expect((await world.peer.hover(world.conceptUri("craft/strainer.yml"), 0, 0)) ?? "closed").toBe("closed");
  });

  test("#33 a file made outside the editor is loaded, and one deleted is unloaded", async () => {
    world = await openWorld({ watch: true });
    expect(await hoverIn("strainer")).toBeUndefined();
    const made = world.reloaded();
    await world.write("concepts/craft/strainer.yaml", conceptFile("strainer"));
    await made;
    expect(await hoverIn("strainer")).toBe("### Strainer");
    const gone = world.reloaded();
    await rm(path.join(world.concepts, "craft/strainer.yaml"));
    await gone;
    expect(await hoverIn("strainer")).toBeUndefined();
  });

  test("#34 a watched file that vanishes before it is read is no error", async () => {
    world = await openWorld({ watch: true });
    await world.workspace.ready;
    for (let round = 0; round < 20; round += 1) {
      const file = path.join(world.concepts, `craft/flash-${round}.yaml`);
      await writeFile(file, conceptFile(`flash-${round}`));
      await rm(file);
    }
    const settled = world.reloaded();
    await world.write("concepts/craft/strainer.yaml", conceptFile("strainer"));
    await settled;
    expect(await hoverIn("strainer")).toBe("### Strainer");
    expect(world.peer.requests.filter((it) => it.method.startsWith("window/show"))).toEqual([]);
  });

  test("#35 what .gitignore leaves out is not searched, with comments, blanks, slashes, negation and nesting", async () => {
    world = await openWorld({
      files: {
        ".gitignore": "# drafts\n\n/drafts\n*.tmp.md\n!keep.tmp.md\n",
        "a.md": "data steward",
        "drafts/b.md": "data steward",
        "sub/drafts/c.md": "data steward",
        "d.tmp.md": "data steward",
        "keep.tmp.md": "data steward",
        "sub/.gitignore": "private.md\n",
        "sub/private.md": "data steward",
        "node_modules/x/readme.md": "data steward",
      },
    });
    const uri = world.uri("a.md");
    await world.peer.open(uri, "data steward");
    const found = await world.peer.at<Location[]>("references", uri, 0, 3, { context: { includeDeclaration: false } });
    const outside = found.map((it) => world.pathOf(it.uri)).filter((it) => !it.startsWith("concepts/"));
    expect(outside.sort()).toEqual(["a.md", "keep.tmp.md", "sub/drafts/c.md"]);
    await world.peer.open(world.uri("drafts/b.md"), "data steward");
    expect((await world.peer.hover(world.uri("drafts/b.md"), 0, 2))?.text).toContain("Data Steward");
  });

  test("#36 each folder has its own settings, an action writes to the right one, and a removed folder is silent", async () => {
    world = await openWorld({
      files: {
        "one/.iaip-dsl.yaml": "strictness: gentle\n",
        "two/.iaip-dsl.yaml": "rules: { pot.discouraged: error }\n",
      },
      initialize: false,
    });
    await world.peer.initialize({ folders: [`${world.folder}/one`, `${world.folder}/two`] });
    const [one, two] = [world.uri("one/a.md"), world.uri("two/a.md")];
    await world.peer.open(one, "A nameless pot.\n");
    await world.peer.open(two, "A nameless pot.\n");
    expect((await world.peer.diagnostics(one)).map((it) => it.severity)).toEqual([4]);
    expect((await world.peer.diagnostics(two)).map((it) => it.severity)).toEqual([1]);
    const accept = (await actionsAt(two, "pot.discouraged")).find((it) => it.title.startsWith("Accept"));
    expect(textEdits(accept?.edit)[0]?.textDocument.uri).toBe(world.uri("two/.iaip-dsl.yaml"));
    await world.peer.notify("workspace/didChangeWorkspaceFolders", {
      event: { added: [], removed: [{ uri: world.uri("two"), name: "two" }] },
    });
    expect(await world.peer.diagnostics(two, (all) => all.length === 0)).toEqual([]);
  });

  test("#37 every way of writing one address is one document", async () => {
    world = await openWorld();
    const folder = path.join(world.folder, "Māori notes 100%");
    await mkdir(folder, { recursive: true });
    const plain = world.uri("Māori notes 100%/a b.md");
    const loose = decodeURIComponent(plain.replace("100%25", "100%2525")).replace("100%25", "100%25");
    await world.peer.open(plain, "data steward");
    await world.peer.change(loose, [{ text: "slow brewing" }]);
    expect((await world.peer.hover(plain, 0, 2))?.text).toContain("Slow Brewing");
    await world.peer.open("file:///c%3A/notes/a.md", "data steward");
    expect((await world.peer.hover("file:///C:/notes/a.md", 0, 2))?.text).toContain("Data Steward");
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

  test("#54 renaming an id changes every reference in the vocabulary and nothing in code or addresses", async () => {
    world = await openWorld({
      files: { "a.md": "`slow-brewing` and https://example.org/slow-brewing and slow brewing\n" },
    });
    const uri = world.conceptUri("craft/slow-brewing.yaml");
    await world.peer.open(uri, teaConcepts["craft/slow-brewing.yaml"] ?? "");
    expect(await world.peer.at("prepareRename", uri, 0, 6)).toMatchObject({ placeholder: "slow-brewing" });
    const edit = await world.peer.at<WorkspaceEdit>("rename", uri, 0, 6, { newName: "patient-brewing" });
    const changed = textEdits(edit).map((it) => [world.pathOf(it.textDocument.uri), it.edits.length]);
    expect(changed.sort()).toEqual([
      ["concepts/craft/data-steward.yaml", 1],
      ["concepts/craft/slow-brewing.yaml", 1],
    ]);
    await expect(world.peer.at("rename", uri, 0, 6, { newName: "Not An Id" })).rejects.toThrow(/cannot be an id/);
    await expect(world.peer.at("rename", uri, 0, 6, { newName: "tea-bowl" })).rejects.toThrow(/already taken/);
  });

  test("#54 renaming a name changes the vocabulary, and prose only where it is confirmed, never code or addresses", async () => {
    const text =
      "`Slow Brewing` and https://example.org/Slow-Brewing, Slow Brewing\n[x](Slow%20Brewing) slow brewing\n";
    world = await openWorld({ files: { "a.md": text } });
    const uri = world.uri("a.md");
    await world.peer.open(uri, text);
    const edit = await world.peer.at<WorkspaceEdit>("rename", uri, 0, 56, { newName: "Patient Brewing" });
    const edits = textEdits(edit).flatMap((it) =>
      it.edits.map((one) => [
        world.pathOf(it.textDocument.uri),
        "range" in one && one.range.start,
        "annotationId" in one,
      ]),
    );
    expect(edits).toEqual([
      ["concepts/craft/slow-brewing.yaml", expect.objectContaining({ line: 1 }), false],
      ["a.md", { line: 0, character: 53 }, true],
    ]);
    expect(Object.values(edit.changeAnnotations ?? {})[0]?.needsConfirmation).toBe(true);
    await rename(path.join(world.folder, "a.md"), path.join(world.folder, "b.md"));
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
