import { afterEach, describe, expect, test } from "vitest";
import type { CodeAction, TextDocumentEdit } from "vscode-languageserver";
import { caret, openWorld, type World } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

async function opened(text: string, file = "a.md"): Promise<string> {
  world = await openWorld();
  const uri = world.uri(file);
  await world.peer.open(uri, text);
  return uri;
}

describe("positions, by the numbers of the trackers' tests", () => {
  test("#1 right after the last character and at the end of the file the name is found; past the end there is none", async () => {
    const uri = await opened("See the data steward");
    expect((await world.peer.hover(uri, 0, 20))?.range.end).toEqual({ line: 0, character: 20 });
    expect(await world.peer.hover(uri, 1, 0)).toBeNull();
    expect(await world.peer.hover(uri, 99, 3)).toBeNull();
  });

  test("#2 a blank column and a blank last line show nothing", async () => {
    const uri = await opened(" data steward\n\n");
    expect(await world.peer.hover(uri, 0, 0)).toBeNull();
    expect(await world.peer.hover(uri, 2, 0)).toBeNull();
  });

  test("#3 columns are right on every line of a CRLF file", async () => {
    const uri = await opened("One.\r\nThe data steward waits.\r\n\r\nA nameless pot.\r\n");
    expect((await world.peer.hover(uri, 1, 6))?.range).toEqual({
      start: { line: 1, character: 4 },
      end: { line: 1, character: 16 },
    });
    const [found] = await world.peer.diagnostics(uri);
    expect(found?.range).toEqual({ start: { line: 3, character: 2 }, end: { line: 3, character: 14 } });
  });

  test("#4 a completion edit in a CRLF file eats no character", async () => {
    const { text, line, character } = caret("One.\r\nAsk the data st<|>\r\nLast.\r\n");
    const uri = await opened(text);
    const list = await world.peer.at<{ items: { textEdit: { range: unknown; newText: string } }[] }>(
      "completion",
      uri,
      line,
      character,
    );
    expect(list.items[0]?.textEdit).toEqual({
      range: { start: { line: 1, character: 8 }, end: { line: 1, character: 15 } },
      newText: "Data Steward",
    });
  });

  test("#5 behind emoji and astral letters ranges count UTF-16 units, and the fix edits the right text", async () => {
    const uri = await opened("😀𝔘 a nameless pot\n");
    const [found] = await world.peer.diagnostics(uri);
    expect(found?.range.start.character).toBe(7);
    const actions = await world.peer.request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri },
      range: found?.range,
      context: { diagnostics: [found] },
    });
    const edit = actions[0]?.edit?.documentChanges?.[0] as TextDocumentEdit;
    expect(edit.textDocument.version).toBe(1);
    expect(edit.edits).toEqual([{ range: found?.range, newText: "named pot" }]);
  });

  test("#6 a position inside a surrogate pair is answered", async () => {
    const uri = await opened("😀 data steward");
    expect(await world.peer.hover(uri, 0, 1)).toBeNull();
    await world.peer.change(uri, [
      { range: { start: { line: 0, character: 1 }, end: { line: 0, character: 1 } }, text: "x" },
    ]);
    expect((await world.peer.hover(uri, 0, 6))?.text).toContain("Data Steward");
  });

  test("#53 a position far past the end of a line is clamped", async () => {
    const uri = await opened("See the data steward\nnext");
    expect((await world.peer.hover(uri, 0, 100_000))?.range.end).toEqual({ line: 0, character: 20 });
    expect(await world.peer.at("definition", uri, 0, 100_000)).not.toBeNull();
  });
});
