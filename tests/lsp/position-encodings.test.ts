import { afterEach, describe, expect, test } from "vitest";
import type { CodeAction, Position, TextDocumentEdit } from "vscode-languageserver";
import { capable } from "./support/peer.ts";
import { openWorld, teaConcepts, type World } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

type Encoding = "utf-8" | "utf-16" | "utf-32";

/** Astral letters, emoji and marks before everything that has a place. */
const prose =
  "😀 é 𝔘 Ask the data steward, then\n𝔘😀é a nameless pot, and the data\nsteward again. 😀 See shared name.\n";
/** One line, so that every place of it stands behind an emoji. */
const flow = `{ id: leaf-bowl, definition: "😀 𝔘 é A bowl of leaves.", name: "Leaf Bowl", category: Ware, family: kitchen, holder: the kitchen, by_line: kitchen words, direction: first, direction_basis: order of work, ocap: { relevance: none, access: open, status: not-assessed }, sources: [{ key: B1, seen: full }], relations: [{ type: complements, to: data-steward, proposed_by: "😀 tests" }] }\n`;
const broken = `{ id: broken-bowl, definition: "😀 𝔘", tire: full }\n`;

const width = (text: string, encoding: Encoding): number =>
  encoding === "utf-16" ? text.length : encoding === "utf-8" ? Buffer.byteLength(text) : [...text].length;

/** The position of the first of some words in a text, after `within` words, in an encoding. */
function positionOf(text: string, words: string, encoding: Encoding, within = 0): Position {
  const before = text.slice(0, text.indexOf(words) + within);
  const lines = before.split("\n");
  return { line: lines.length - 1, character: width(lines.at(-1) ?? "", encoding) };
}

/** The same position in UTF-16 units, found by trying. */
function inUtf16(text: string, { line, character }: Position, encoding: Encoding): Position {
  const own = text.split("\n")[line] ?? "";
  for (let at = 0; at <= own.length; at += 1) {
    const pair = /[\uD800-\uDBFF]/.test(own[at - 1] ?? "") && /[\uDC00-\uDFFF]/.test(own[at] ?? "");
    if (!pair && width(own.slice(0, at), encoding) === character) return { line, character: at };
  }
  throw new Error(`No column ${character} (${encoding}) in line ${line}: ${own}`);
}

/** What a client was answered, with every position as UTF-16. */
function normalized(value: unknown, uri: string, texts: ReadonlyMap<string, string>, encoding: Encoding): unknown {
  if (Array.isArray(value)) return value.map((it) => normalized(it, uri, texts, encoding));
  if (typeof value !== "object" || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  const document = (record.textDocument as { uri?: string } | undefined)?.uri;
  const own = [record.uri, document].find((it) => typeof it === "string" && texts.has(it)) as string | undefined;
  const here = own ?? uri;
  if (typeof record.line === "number" && typeof record.character === "number")
    return inUtf16(texts.get(here) ?? "", record as unknown as Position, encoding);
  return Object.fromEntries(
    Object.entries(record).map(([key, it]) => [key, normalized(it, texts.has(key) ? key : here, texts, encoding)]),
  );
}

/** The words that semantic tokens cover. */
function tokenTexts(data: readonly number[], text: string, encoding: Encoding): string[] {
  const found: string[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0] = data.slice(at, at + 3);
    line += down;
    character = down === 0 ? character + right : right;
    const start = inUtf16(text, { line, character }, encoding);
    const end = inUtf16(text, { line, character: character + length }, encoding);
    found.push((text.split("\n")[line] ?? "").slice(start.character, end.character));
  }
  return found;
}

async function answers(encoding: Encoding): Promise<Readonly<Record<string, unknown>>> {
  world = await openWorld({
    concepts: { ...teaConcepts, "ware/leaf-bowl.yaml": flow, "ware/broken-bowl.yaml": broken },
    files: { "b.md": prose },
    initializationOptions: { inlayHints: { enable: true }, rename: { prose: true } },
    capabilities: { ...capable, general: { positionEncodings: [encoding, "utf-16"] } },
  });
  const { peer } = world;
  expect(peer.result?.capabilities.positionEncoding).toBe(encoding);
  const [uri, file] = [world.uri("a.md"), world.conceptUri("ware/leaf-bowl.yaml")];
  await peer.open(uri, prose);
  await peer.open(file, flow);
  const whole = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const at = (method: string, words: string, more: object = {}): Promise<unknown> =>
    peer.request(`textDocument/${method}`, {
      textDocument: { uri },
      position: positionOf(prose, words, encoding, 2),
      ...more,
    });
  const inFile = (method: string, words: string, more: object = {}): Promise<unknown> =>
    peer.request(`textDocument/${method}`, {
      textDocument: { uri: file },
      position: positionOf(flow, words, encoding, 2),
      ...more,
    });
  const hierarchy = (await inFile("prepareCallHierarchy", "leaf-bowl")) as readonly unknown[];
  const lenses = await peer.request<unknown[]>("textDocument/codeLens", { textDocument: { uri: file } });
  const pot = {
    start: positionOf(prose, "nameless pot", encoding),
    end: positionOf(prose, "nameless pot", encoding, "nameless pot".length),
  };
  const found = {
    hover: await at("hover", "data steward"),
    completion: await at("completion", "data steward", { position: positionOf(prose, "steward,", encoding, 2) }),
    definition: await at("definition", "shared name"),
    references: await at("references", "data steward", { context: { includeDeclaration: true } }),
    documentHighlight: await at("documentHighlight", "data steward"),
    prepareRename: await at("prepareRename", "data steward"),
    rename: await at("rename", "data steward", { newName: "Tea Steward" }),
    documentSymbol: await peer.request("textDocument/documentSymbol", { textDocument: { uri } }),
    inlayHint: await peer.request("textDocument/inlayHint", { textDocument: { uri }, range: whole }),
    codeAction: await peer.request("textDocument/codeAction", {
      textDocument: { uri },
      range: pot,
      context: { diagnostics: [] },
    }),
    fileHover: await inFile("hover", "data-steward"),
    fileDefinition: await inFile("definition", "B1,"),
    fileRename: await inFile("rename", "leaf-bowl", { newName: "leaf-cup" }),
    fileLinks: await peer.request("textDocument/documentLink", { textDocument: { uri: file } }),
    fileSymbols: await peer.request("textDocument/documentSymbol", { textDocument: { uri: file } }),
    workspaceSymbols: await peer.request("workspace/symbol", { query: "leaf" }),
    outgoing: await peer.request("callHierarchy/outgoingCalls", { item: hierarchy[0] }),
    hierarchy,
    lenses: await Promise.all(lenses.map((it) => peer.request("codeLens/resolve", it))),
    proseDiagnostics: await peer.diagnostics(uri, (all) => all.length > 0),
    pulled: (await peer.pull(uri)).items,
    problems: await peer.diagnostics(world.conceptUri("ware/broken-bowl.yaml"), (all) => all.length > 0),
  };
  const texts = new Map([
    ...Object.entries({ ...teaConcepts, "ware/leaf-bowl.yaml": flow, "ware/broken-bowl.yaml": broken }).map(
      ([name, text]) => [world.conceptUri(name), text] as const,
    ),
    [uri, prose],
    [world.uri("b.md"), prose],
  ]);
  const home: Readonly<Record<string, string>> = {
    outgoing: file,
    fileHover: file,
    fileRename: file,
    fileLinks: file,
    fileSymbols: file,
    lenses: file,
    problems: world.conceptUri("ware/broken-bowl.yaml"),
  };
  const { data } = await peer.request<{ data: number[] }>("textDocument/semanticTokens/full", {
    textDocument: { uri },
  });
  const result = Object.entries(found).map(([name, it]) => [name, normalized(it, home[name] ?? uri, texts, encoding)]);
  const all = { ...Object.fromEntries(result), tokens: tokenTexts(data, prose, encoding) };
  return JSON.parse(JSON.stringify(all).replaceAll(world.folder, "FOLDER")) as Readonly<Record<string, unknown>>;
}

describe("columns in the encoding that the client asks for first", () => {
  test.each(["utf-8", "utf-32"] as const)(
    "%s: every feature gives the places that it gives in UTF-16",
    async (encoding) => {
      const expected = await answers("utf-16");
      await world.close();
      const actual = await answers(encoding);
      for (const [feature, answer] of Object.entries(expected))
        expect([feature, actual[feature]]).toEqual([feature, answer]);
      expect(actual.tokens).toEqual(["data steward", "data", "steward", "shared name"]);
      expect(JSON.stringify(actual.problems)).toContain("tire");
    },
  );

  test.each(["utf-8", "utf-16", "utf-32"] as const)(
    "%s: an edit and a fix behind an emoji land where they belong",
    async (encoding) => {
      world = await openWorld({ capabilities: { ...capable, general: { positionEncodings: [encoding] } } });
      const { peer } = world;
      const uri = world.uri("a.md");
      await peer.open(uri, prose);
      const start = positionOf(prose, "shared name", encoding);
      const end = positionOf(prose, "shared name", encoding, "shared name".length);
      await peer.change(uri, [{ range: { start, end }, text: "𝔘 tea bowl" }]);
      const text = prose.replace("shared name", "𝔘 tea bowl");
      const hovered = await peer.hover(uri, 2, positionOf(text, "tea bowl", encoding, 2).character);
      expect(hovered?.text).toContain("Bowl");
      const [found] = await peer.diagnostics(uri, (all) => all.length > 0);
      const actions = await peer.request<CodeAction[]>("textDocument/codeAction", {
        textDocument: { uri },
        range: found?.range,
        context: { diagnostics: [found] },
      });
      const edit = actions[0]?.edit?.documentChanges?.[0] as TextDocumentEdit;
      const [change] = edit.edits as { range: { start: Position; end: Position }; newText: string }[];
      await peer.change(uri, [{ range: change!.range, text: change!.newText }]);
      expect(await peer.diagnostics(uri, (all) => all.length === 0)).toEqual([]);
      expect((await peer.hover(uri, 2, positionOf(text, "tea bowl", encoding, 2).character))?.text).toContain("Bowl");
    },
  );

  test("the client's first choice counts, and UTF-16 where it has none", async () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [["utf-32", "utf-16"], "utf-32"],
      [["utf-7", "utf-8"], "utf-8"],
      [["utf-16", "utf-8"], "utf-16"],
      [undefined, "utf-16"],
      [null, "utf-16"],
      [[["utf-16"]], "utf-16"],
    ];
    for (const [positionEncodings, expected] of cases) {
      world = await openWorld({ capabilities: { general: { positionEncodings } } as never });
      expect([positionEncodings, world.peer.result?.capabilities.positionEncoding]).toEqual([
        positionEncodings,
        expected,
      ]);
      await world.close();
    }
    world = await openWorld();
  });
});
