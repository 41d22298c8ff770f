import { afterEach, expect, test } from "vitest";
import type { CancellationToken } from "vscode-languageserver-protocol/node";
import { CancellationTokenSource } from "vscode-languageserver-protocol/node";
import { count } from "../support/counts.ts";
import { openWorld, type World } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

const pot = "A nameless pot.\n";
const at = (line: number, character: number) => ({ line, character });

test("positions past the end, negative or inside a surrogate pair are answered by every feature", async () => {
  world = await openWorld();
  const uri = world.uri("a.md");
  await world.peer.open(uri, "😀 data steward\n");
  const methods = [
    "hover",
    "definition",
    "declaration",
    "references",
    "documentHighlight",
    "prepareRename",
    "completion",
    "prepareCallHierarchy",
  ];
  for (const position of [at(0, 1), at(0, 99_999), at(99_999, 0), at(99_999, 99_999), at(-1, -1), at(0, -5)]) {
    for (const method of methods) {
      const answer = world.peer.request(`textDocument/${method}`, {
        textDocument: { uri },
        position,
        context: { includeDeclaration: true },
      });
      expect(await answer).toBeDefined();
    }
    const range = { start: position, end: at(0, 0) };
    for (const method of ["codeAction", "inlayHint", "semanticTokens/range"]) {
      expect(
        await world.peer.request(`textDocument/${method}`, {
          textDocument: { uri },
          range,
          context: { diagnostics: [] },
        }),
      ).toBeDefined();
    }
  }
});

test("documents that were never opened are answered, not failed", async () => {
  world = await openWorld();
  const textDocument = { uri: world.uri("never.md") };
  const range = { start: at(0, 0), end: at(1, 0) };
  for (const method of [
    "hover",
    "definition",
    "references",
    "documentHighlight",
    "completion",
    "documentSymbol",
    "codeLens",
    "foldingRange",
    "documentLink",
    "codeAction",
    "inlayHint",
    "semanticTokens/full",
    "diagnostic",
  ]) {
    const answer = await world.peer.request(`textDocument/${method}`, {
      textDocument,
      position: at(0, 0),
      range,
      context: { diagnostics: [], includeDeclaration: true },
    });
    expect(answer).toBeDefined();
  }
  await world.peer.change(textDocument.uri, [{ text: pot }]);
  await world.peer.close(textDocument.uri);
});

test("edits out of order, turned round or past the end leave the text that a plain reading of them gives", async () => {
  world = await openWorld();
  const uri = world.uri("a.md");
  await world.peer.open(uri, "one\ntwo\n");
  await world.peer.change(
    uri,
    [
      { range: { start: at(500, 0), end: at(900, 3) }, text: "end\n" },
      { range: { start: at(1, 3), end: at(1, 0) }, text: "data steward" },
      { range: { start: at(0, 3), end: at(0, 99) }, text: "!" },
    ],
    7,
  );
  await world.peer.change(uri, [{ range: { start: at(3, 0), end: at(3, 0) }, text: "tea-bowl\n" }], 3);
  expect((await world.peer.hover(uri, 1, 2))?.range).toEqual({ start: at(1, 0), end: at(1, 12) });
  expect((await world.peer.hover(uri, 3, 2))?.text).toContain("### Tea");
});

test("a storm of canceled requests ends in an answer to the one that was not", async () => {
  world = await openWorld({
    files: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`n/${index}.md`, "data steward\n".repeat(50)])),
  });
  const uri = world.uri("a.md");
  await world.peer.open(uri, `${"data steward ".repeat(200)}\n${pot}`);
  const storm: Promise<unknown>[] = [];
  for (let round = 0; round < 200; round += 1) {
    const source = new CancellationTokenSource();
    const token: CancellationToken = source.token;
    const params = { textDocument: { uri }, position: at(0, 3), context: { includeDeclaration: true } };
    storm.push(
      world.peer.connection
        .sendRequest(round % 2 === 0 ? "textDocument/references" : "textDocument/hover", params, token)
        .catch(() => "canceled"),
    );
    source.cancel();
  }
  const outcomes = await Promise.all(storm);
  expect(outcomes.filter((it) => it === "canceled").length).toBeGreaterThan(100);
  expect((await world.peer.hover(uri, 0, 3))?.text).toContain("Data Steward");
});

test("random edits leave the server with the text that the client has", async () => {
  world = await openWorld();
  const uri = world.uri("a.md");
  const pieces = ["data steward", "\n", "\r\n", "😀", " ", "nameless pot", "x", "", "サーバー", "é"];
  let text = "start\n";
  let seed = 42;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed % below;
  };
  await world.peer.open(uri, text);
  for (let edit = 0; edit < count(300, 10_000); edit += 1) {
    const [a, b] = [next(text.length + 1), next(text.length + 1)];
    const [from, to] = [Math.min(a, b), Math.min(Math.max(a, b), Math.min(a, b) + 8)];
    if (splits(text, from) || splits(text, to)) continue;
    const piece = pieces[next(pieces.length)] ?? "";
    await world.peer.change(uri, [
      { range: { start: positionOf(text, from), end: positionOf(text, to) }, text: piece },
    ]);
    text = text.slice(0, from) + piece + text.slice(to);
    if (text.length > 2000) {
      text = "short again\n";
      await world.peer.change(uri, [{ text }]);
    }
  }
  await world.peer.change(uri, [
    { range: { start: positionOf(text, text.length), end: positionOf(text, text.length) }, text: "\n\nslow brewing" },
  ]);
  text += "\n\nslow brewing";
  const end = positionOf(text, text.length);
  expect((await world.peer.hover(uri, end.line, end.character))?.range.end).toEqual(end);
  const fresh = world.uri("b.md");
  await world.peer.open(fresh, text);
  const tokens = (it: string) => world.peer.request("textDocument/semanticTokens/full", { textDocument: { uri: it } });
  expect(await tokens(uri)).toEqual(await tokens(fresh));
});

test("memory and time stay flat over many edits, openings and closings", async () => {
  world = await openWorld();
  const uri = world.uri("a.md");
  const page = `${"A data steward and a nameless pot, once more.\n\n".repeat(40)}`;
  await world.peer.open(uri, page);
  const some = async (times: number): Promise<number> => {
    const began = performance.now();
    for (let edit = 0; edit < times; edit += 1) {
      await world.peer.change(uri, [
        { range: { start: at(edit % 80, 0), end: at(edit % 80, 0) }, text: edit % 2 === 0 ? "x" : "" },
      ]);
      if (edit % 10 === 0) await world.peer.pull(uri);
    }
    for (let round = 0; round < times / 10; round += 1) {
      await world.peer.open(world.uri(`n-${round}.md`), page);
      await world.peer.hover(world.uri(`n-${round}.md`), 0, 4);
      await world.peer.close(world.uri(`n-${round}.md`));
    }
    await world.peer.change(uri, [{ text: page }]);
    await world.peer.pull(uri);
    return (performance.now() - began) / times;
  };
  const times = count(300, 10_000);
  await some(times);
  const before = heap();
  const first = await some(times);
  const later = await some(times);
  const grown = heap() - before;
  expect(later).toBeLessThan(first * 3 + 2);
  expect(grown).toBeLessThan(24);
});

/** Megabytes in use after a collection, where the runtime lets one be asked for; else as they are. */
function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

function splits(text: string, offset: number): boolean {
  return /[\ud800-\udbff]/.test(text[offset - 1] ?? "") || (text[offset - 1] === "\r" && text[offset] === "\n");
}

function positionOf(text: string, offset: number): { line: number; character: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return at(lines.length - 1, lines.at(-1)?.length ?? 0);
}
