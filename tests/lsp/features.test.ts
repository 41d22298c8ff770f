import { afterEach, expect, test } from "vitest";
import type {
  CallHierarchyItem,
  CodeLens,
  DocumentHighlight,
  DocumentLink,
  DocumentSymbol,
  InlayHint,
  Location,
  SemanticTokens,
  SymbolInformation,
} from "vscode-languageserver";
import { conceptFile } from "../support/small-vocabulary.ts";
import { openWorld, teaConcepts, type World } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

const steward = teaConcepts["craft/data-steward.yaml"] ?? "";
const document = (uri: string) => ({ textDocument: { uri } });
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split("\n").length - 1;
const wholeFile = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };

test("a definition leads from prose, an id, a relation, a source, a category and a kind of relation to its place in the YAML", async () => {
  world = await openWorld();
  const uri = world.uri("a.md");
  await world.peer.open(uri, "data steward and a shared name and nothing\n");
  const [place] = await world.peer.at<Location[]>("definition", uri, 0, 2);
  expect([world.pathOf(place?.uri ?? ""), place?.range.start]).toEqual([
    "concepts/craft/data-steward.yaml",
    { line: 1, character: 6 },
  ]);
  expect((await world.peer.at<Location[]>("definition", uri, 0, 22)).length).toBe(2);
  expect(await world.peer.at("definition", uri, 0, 38)).toBeNull();
  expect(await world.peer.at("declaration", uri, 0, 2)).toEqual([place]);

  const file = world.conceptUri("craft/data-steward.yaml");
  await world.peer.open(file, steward);
  const from = async (part: string, skip = 0): Promise<string | undefined> => {
    const line = lineOf(steward, part);
    const character = (steward.split("\n")[line] ?? "").indexOf(part) + part.length - 1 - skip;
    const [found] = (await world.peer.at<Location[] | null>("definition", file, line, character)) ?? [];
    return found && `${world.pathOf(found.uri)}:${found.range.start.line}`;
  };
  expect(await from("to: slow-brewing")).toBe("concepts/craft/slow-brewing.yaml:1");
  expect(await from("source: B1")).toBe("concepts/sources.yaml:0");
  expect(await from('category: "Craft', 0)).toBe(
    `concepts/vocabulary.yaml:${lineOf(teaConcepts["vocabulary.yaml"] ?? "", "id: Craft")}`,
  );
  expect(await from("type: complements")).toBe(
    `concepts/vocabulary.yaml:${lineOf(teaConcepts["vocabulary.yaml"] ?? "", "id: complements")}`,
  );
});

test("references come from the vocabulary, open documents and the workspace, with or without the declaration", async () => {
  world = await openWorld({ files: { "notes/b.md": "The slow brewing of tea.\n" } });
  const uri = world.uri("a.md");
  await world.peer.open(uri, "Slow Brewing, slow-brewing\n");
  const find = async (includeDeclaration: boolean): Promise<readonly string[]> => {
    const found = await world.peer.at<Location[]>("references", uri, 0, 3, { context: { includeDeclaration } });
    return found.map((it) => `${world.pathOf(it.uri)}:${it.range.start.line}`);
  };
  const all = await find(true);
  expect(all).toContain("concepts/craft/data-steward.yaml:13");
  expect(all.filter((it) => it.startsWith("a.md"))).toEqual(["a.md:0", "a.md:0"]);
  expect(all).toContain("notes/b.md:0");
  expect(all).toContain("concepts/craft/slow-brewing.yaml:0");
  expect(await find(false)).not.toContain("concepts/craft/slow-brewing.yaml:0");
});

test("highlights mark every spelling of the concept in the document", async () => {
  world = await openWorld();
  const uri = world.uri("a.md");
  await world.peer.open(uri, "data steward, dataSteward, keeper of leaves, tea bowl\n");
  const found = await world.peer.at<DocumentHighlight[]>("documentHighlight", uri, 0, 2);
  expect(found.map((it) => it.range.start.character)).toEqual([0, 14, 27]);
});

test("a concept file has an outline, prose lists the concepts it names, and the workspace finds them by any name", async () => {
  world = await openWorld();
  const file = world.conceptUri("craft/data-steward.yaml");
  await world.peer.open(file, steward);
  const outline = await world.peer.request<DocumentSymbol[]>("textDocument/documentSymbol", document(file));
  expect(outline.map((it) => it.name).slice(0, 3)).toEqual(["id", "name", "category"]);
  expect(outline.find((it) => it.name === "relations")?.children?.map((it) => it.detail)).toContain("slow-brewing");
  await world.peer.open(world.uri("a.md"), "tea-bowl, data steward, data steward");
  const named = await world.peer.request<DocumentSymbol[]>("textDocument/documentSymbol", document(world.uri("a.md")));
  expect(named.map((it) => [it.name.slice(0, 4), it.range.start.character])).toEqual([
    ["Tea ", 0],
    ["Data", 10],
  ]);
  const search = async (query: string) =>
    (await world.peer.request<SymbolInformation[]>("workspace/symbol", { query })).map((it) => it.name);
  expect(await search("keeper of")).toEqual(["Data Steward"]);
  expect(await search("nehiya")).toEqual(["Slow Brewing"]);
  expect((await search("")).length).toBe(4);
});

test("a code lens counts references and recorded uses of a concept file", async () => {
  world = await openWorld({ lsp: { countUses: async (concept) => (concept === "slow-brewing" ? 1 : 0) } });
  const file = world.conceptUri("craft/slow-brewing.yaml");
  await world.peer.open(file, teaConcepts["craft/slow-brewing.yaml"] ?? "");
  const [lens] = await world.peer.request<CodeLens[]>("textDocument/codeLens", document(file));
  expect(lens?.command).toBeUndefined();
  const resolved = await world.peer.request<CodeLens>("codeLens/resolve", lens);
  expect(resolved.command?.title).toMatch(/^\d+ references, 1 recorded use$/);
  expect(resolved.command?.arguments?.[2].length).toBe(Number.parseInt(resolved.command?.title ?? "", 10));
});

test("inlay hints are off until asked for, and then show directions in prose and names in concept files", async () => {
  world = await openWorld();
  await world.peer.open(world.uri("a.md"), "the tea-bowl\n");
  expect(
    await world.peer.request("textDocument/inlayHint", { ...document(world.uri("a.md")), range: wholeFile }),
  ).toBeNull();
  await world.close();
  world = await openWorld({ initializationOptions: { inlayHints: { enable: true } } });
  await world.peer.open(world.uri("a.md"), "the tea-bowl\n");
  const hints = await world.peer.request<InlayHint[]>("textDocument/inlayHint", {
    ...document(world.uri("a.md")),
    range: wholeFile,
  });
  expect(hints.map((it) => [it.label, it.position.character])).toEqual([["Then", 12]]);
  const file = world.conceptUri("craft/data-steward.yaml");
  await world.peer.open(file, steward);
  const names = await world.peer.request<InlayHint[]>("textDocument/inlayHint", {
    ...document(file),
    range: wholeFile,
  });
  expect(names.map((it) => it.label)).toEqual(["Slow Brewing", "Circle Of Care"]);
});

test("semantic tokens mark the names of concepts, one for each line", async () => {
  world = await openWorld();
  await world.peer.open(world.uri("a.md"), "a data\nsteward and a\ntea-bowl\n");
  const { data } = await world.peer.request<SemanticTokens>(
    "textDocument/semanticTokens/full",
    document(world.uri("a.md")),
  );
  expect(data).toEqual([0, 2, 4, 0, 0, 1, 0, 7, 0, 0, 1, 0, 8, 0, 0]);
  const some = await world.peer.request<SemanticTokens>("textDocument/semanticTokens/range", {
    ...document(world.uri("a.md")),
    range: { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } },
  });
  expect(some.data).toEqual([2, 0, 8, 0, 0]);
});

test("a concept file folds, links to other concepts and to its sources", async () => {
  world = await openWorld();
  const file = world.conceptUri("craft/data-steward.yaml");
  await world.peer.open(file, steward);
  const folds = await world.peer.request<{ startLine: number; endLine: number }[]>(
    "textDocument/foldingRange",
    document(file),
  );
  expect(folds.some((it) => it.startLine === lineOf(steward, "relations:"))).toBe(true);
  const links = await world.peer.request<DocumentLink[]>("textDocument/documentLink", document(file));
  const targets = links.map((it) =>
    it.target?.startsWith("http") ? it.target : world.pathOf(it.target ?? "file:///"),
  );
  expect(targets).toContain("https://example.org/tea");
  expect(targets).toContain("concepts/craft/slow-brewing.yaml");
});

test("relations read as a hierarchy: outgoing as the file tells them, incoming by their inverse, an analogy named", async () => {
  world = await openWorld({
    concepts: {
      ...teaConcepts,
      "craft/moss.yaml": conceptFile(
        "moss",
        "relations:\n  - { type: resonates-with, to: slow-brewing, proposed_by: tests }\n",
      ),
    },
  });
  await world.peer.open(world.uri("a.md"), "slow brewing");
  const [item] = await world.peer.at<CallHierarchyItem[]>("prepareCallHierarchy", world.uri("a.md"), 0, 2);
  const incoming = await world.peer.request<{ from: CallHierarchyItem }[]>("callHierarchy/incomingCalls", { item });
  expect(incoming.map((it) => [it.from.name, it.from.detail])).toEqual(
    expect.arrayContaining([
      ["Data Steward", "enabled-by"],
      ["Moss", "resonates-with (by analogy)"],
    ]),
  );
  const [other] = await world.peer.at<CallHierarchyItem[]>("prepareCallHierarchy", world.uri("a.md"), 0, 2);
  expect(other?.name).toBe("Slow Brewing");
});

test("a read-only page tells a concept in the words of the lookup", async () => {
  world = await openWorld();
  const page = await world.peer.request<{ text: string }>("workspace/textDocumentContent", {
    uri: "iaip://concepts/data-steward",
  });
  expect(page.text).toContain("### Data Steward");
  await expect(world.peer.request("workspace/textDocumentContent", { uri: "iaip://concepts/none" })).rejects.toThrow(
    /no page/,
  );
});
