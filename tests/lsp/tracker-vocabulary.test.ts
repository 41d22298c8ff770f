import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { CodeAction, Location, TextDocumentEdit, WorkspaceEdit } from "vscode-languageserver";
import { conceptFile } from "../support/small-vocabulary.ts";
import { openWorld, teaConcepts, type World } from "./support/world.ts";

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

describe("rules and vocabulary files, by the numbers of the trackers' tests", () => {
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
