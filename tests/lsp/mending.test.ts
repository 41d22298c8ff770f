import { afterEach, expect, test } from "vitest";
import type { CodeAction, TextDocumentEdit } from "vscode-languageserver";
import { capable } from "./support/peer.ts";
import { caret, openWorld, teaConcepts, type World } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

const steward = teaConcepts["craft/data-steward.yaml"] ?? "";
const document = (uri: string) => ({ textDocument: { uri } });
const wholeFile = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };

test("in a concept file the fitting values are offered: ids, kinds of relations, categories, source keys", async () => {
  world = await openWorld();
  const file = world.conceptUri("craft/draft.yaml");
  const offered = async (marked: string): Promise<readonly string[]> => {
    const { text, line, character } = caret(marked);
    await world.peer.open(file, text);
    const { items } = await world.peer.at<{ items: { label: string; textEdit: { newText: string } }[] }>(
      "completion",
      file,
      line,
      character,
    );
    await world.peer.close(file);
    return items.map((it) => it.textEdit.newText);
  };
  expect(await offered("id: draft\nrelations:\n  - type: en<|>\n    to: tea-bowl\n")).toContain("enabled-by");
  expect(await offered("id: draft\nrelations:\n  - type: enables\n    to: <|>\n")).toEqual([
    "circle-of-care",
    "data-steward",
    "slow-brewing",
    "tea-bowl",
  ]);
  expect(await offered("id: draft\nrelations:\n  - type: enables\n    to:<|>\n")).toEqual([
    " circle-of-care",
    " data-steward",
    " slow-brewing",
    " tea-bowl",
  ]);
  expect(await offered("id: draft\ncategory: <|>\n")).toEqual(["Craft", "Ware"]);
  expect(await offered("id: draft\nsources:\n  - { key: <|> }\n")).toEqual(["B1"]);
  expect(await offered("id: draft\nocap:\n  access: <|>\n")).toEqual(["open", "restricted", "ceremony_required"]);
});

test("where a field's name belongs, the fields of that place are offered and no names of concepts", async () => {
  world = await openWorld();
  let file = 0;
  const offered = async (marked: string): Promise<readonly string[]> => {
    const { text, line, character } = caret(marked);
    file += 1;
    const uri = world.conceptUri(`craft/fields-${file}.yaml`);
    await world.peer.open(uri, text);
    const list = await world.peer.at<{ items: { label: string; textEdit: { newText: string } }[] }>(
      "completion",
      uri,
      line,
      character,
    );
    for (const { label, textEdit } of list.items) expect(textEdit.newText).toBe(`${label}: `);
    return list.items.map((it) => it.label);
  };
  const relation = ["type", "to", "why", "source", "proposed_by"];
  expect(await offered("id: draft\nrelations:\n  - <|>\n")).toEqual(relation);
  expect(await offered("id: draft\nrelations:\n  - type: enables\n    <|>\n")).toEqual(relation.slice(1));
  expect(await offered("id: draft\nrelations:\n  - type: enables\n    t<|>\n")).toEqual(relation.slice(1));
  expect(await offered("id: draft\nrelations:\n  - { type: enables, <|> }\n")).toEqual(relation.slice(1));
  expect(await offered("id: draft\nrelations:\n  - type: enables\n  - <|>\nname: Draft\n")).toEqual(relation);
  expect(await offered("id: draft\nocap:\n  <|>\n")).toContain("access");
  expect(await offered("id: draft\nsources:\n  - <|>\n")).toContain("seen");
  const top = await offered("id: draft\n<|>\n");
  expect(top).toEqual(expect.arrayContaining(["name", "relations", "definition"]));
  expect(top).not.toContain("id");
});

test("a draft is the truth for its own problems, offers their mend, and is never what is taught", async () => {
  world = await openWorld();
  const file = world.conceptUri("craft/data-steward.yaml");
  await world.peer.open(
    file,
    `${steward.replace("slow-brewing", "slow-brewin").replace("What cooks", "What nobody")}tire: full\n`,
  );
  const found = await world.peer.diagnostics(file, (all) => all.length > 0);
  expect(found.map((it) => it.code)).toEqual(expect.arrayContaining(["relation.unknown-target", "field.unknown"]));
  const problem = found.find((it) => it.code === "field.unknown");
  const actions = await world.peer.request<CodeAction[]>("textDocument/codeAction", {
    ...document(file),
    range: problem?.range,
    context: { diagnostics: [problem] },
  });
  const [edit] = (actions[0]?.edit?.documentChanges ?? []) as TextDocumentEdit[];
  expect(edit?.edits[0]).toMatchObject({ newText: "tier" });
  await world.peer.open(world.uri("a.md"), "data steward");
  expect((await world.peer.hover(world.uri("a.md"), 0, 2))?.text).toContain("What cooks call data steward");
});

test("a finding can be ignored once and in the file, in the places that the reader understands", async () => {
  world = await openWorld();
  const texts = [
    "A nameless pot.\n",
    "One line\nand a nameless pot.\n",
    "- a nameless pot\n",
    "---\ntitle: x\n---\n\nA nameless pot.\n",
    "> quote\n\n| a | nameless pot |\n|---|---|\n| b | c |\n",
  ];
  for (const [index, text] of texts.entries()) {
    for (const choice of ["here", "in this file"]) {
      const uri = world.uri(`${index}-${choice.length}.md`);
      await world.peer.open(uri, text);
      const [found] = await world.peer.diagnostics(uri, (all) => all.length > 0);
      const actions = await world.peer.request<CodeAction[]>("textDocument/codeAction", {
        ...document(uri),
        range: found?.range,
        context: { diagnostics: [found] },
      });
      const edit = actions.find((it) => it.title === `Ignore pot.discouraged ${choice}`)?.edit
        ?.documentChanges?.[0] as TextDocumentEdit;
      const [change] = edit.edits as { range: typeof wholeFile; newText: string }[];
      await world.peer.change(uri, [{ text }]);
      await world.peer.change(uri, [{ range: change?.range ?? wholeFile, text: change?.newText ?? "" }]);
      expect([text, choice, await world.peer.diagnostics(uri, (all) => all.length === 0)]).toEqual([text, choice, []]);
    }
  }
});

test("the whole workspace can be checked by command, with progress where it can be shown", async () => {
  world = await openWorld({ capabilities: capable, files: { "a.md": "A nameless pot.\n", "b.md": "Fine.\n" } });
  const result = await world.peer.request<{ files: number; findings: number }>("workspace/executeCommand", {
    command: "iaip-dsl.checkWorkspace",
  });
  expect(result).toMatchObject({ findings: 1 });
  expect(world.peer.requests.map((it) => it.method)).toContain("window/workDoneProgress/create");
});
