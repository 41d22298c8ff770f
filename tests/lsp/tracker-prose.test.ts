import { afterEach, describe, expect, test } from "vitest";
import { openWorld, type World } from "./support/world.ts";

let world: World;
afterEach(() => world.close());

/** `line:column text` of each diagnostic of one text. */
async function flagged(text: string, file = "a.md", languageId?: string): Promise<readonly string[]> {
  world = await openWorld();
  const uri = world.uri(file);
  await world.peer.open(uri, text, languageId);
  const found = await world.peer.diagnostics(uri);
  const lines = text.split(/\r\n|\n/);
  return found.map(({ range: { start, end } }) => {
    const words = start.line === end.line ? lines[start.line]?.slice(start.character, end.character) : "over lines";
    return `${start.line}:${start.character} ${words}`;
  });
}

describe("what is prose, by the numbers of the trackers' tests", () => {
  test("#7 tabs and fences under a list item are fences", async () => {
    const text =
      "- item\n\n    ```\n    nameless pot\n    ```\n\n1. one\n\n\t```\n\tnameless pot\n\t```\n\nA nameless pot.\n";
    expect(await flagged(text)).toEqual(["12:2 nameless pot"]);
  });

  test("#8 code, comments, addresses and file names are not flagged", async () => {
    const text = [
      "```\nnameless pot\n```",
      "An `nameless pot` here.",
      "<pre>nameless pot</pre>",
      "A <code>nameless pot</code> there.",
      "<!-- nameless pot -->",
      "See <https://example.org/nameless%20pot> and [it](nameless-pot.md).",
      "Open nameless-pot.md now.",
      "",
    ].join("\n\n");
    expect(await flagged(text)).toEqual([]);
  });

  test("#9 a `<` in a fence and a `>` in prose do not change what is code", async () => {
    expect(await flagged("```js\nif (x < 2) {}\n```\n\nMore > less: a nameless pot.\n")).toEqual(["4:15 nameless pot"]);
  });

  test("#10 front matter shifts no line, and only its title and the like are prose", async () => {
    const text = "---\ntitle: nameless pot\ntags: [nameless pot]\n---\n\n\nA nameless pot.\n";
    expect(await flagged(text)).toEqual(["1:7 nameless pot", "6:2 nameless pot"]);
    expect((await world.peer.hover(world.uri("a.md"), 2, 9)) ?? "nothing").toBe("nothing");
  });

  test("#11 of equal words in an address and in prose, the prose one is reported", async () => {
    expect(await flagged("[a](https://example.org/nameless-pot) nameless pot\n")).toEqual(["0:38 nameless pot"]);
  });

  test("#12 a phrase over a line break is found in a paragraph, a list item and a quotation; its range spans the lines", async () => {
    expect(await flagged("A nameless\npot.\n\n- a nameless\n  pot\n")).toEqual(["0:2 over lines", "3:4 over lines"]);
    const uri = world.uri("b.md");
    await world.peer.open(uri, "> ask the data\n> steward\n\n// ask the data\n// steward\n");
    expect((await world.peer.hover(uri, 1, 4))?.range).toEqual({
      start: { line: 0, character: 10 },
      end: { line: 1, character: 9 },
    });
    expect((await world.peer.hover(uri, 4, 4))?.range).toEqual({
      start: { line: 3, character: 11 },
      end: { line: 4, character: 10 },
    });
  });

  test("#22 a part of a word, an address or a number is not a mention", async () => {
    world = await openWorld();
    const uri = world.uri("a.md");
    await world.peer.open(uri, "metadata stewardship rapid apis 00:3d:ca:re .care careful scare\n");
    const highlights = [0, 9, 22, 27, 32, 45, 50, 58].map((character) => world.peer.hover(uri, 0, character + 1));
    const told = await Promise.all(highlights);
    expect(told.map((it) => it?.text.split("\n")[0])).toEqual([
      undefined,
      undefined,
      undefined,
      expect.stringContaining("Tea"),
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("#23 a range never takes in the neighboring word or punctuation", async () => {
    expect(await flagged("Well,(nameless pot)… and “nameless pots”.\n")).toEqual(["0:6 nameless pot"]);
    const uri = world.uri("b.md");
    await world.peer.open(uri, "Well,(data steward)…");
    expect((await world.peer.hover(uri, 0, 8))?.range).toEqual({
      start: { line: 0, character: 6 },
      end: { line: 0, character: 18 },
    });
  });

  test("#24 a name between emphasis marks is found, apostrophe and all", async () => {
    world = await openWorld();
    const uri = world.uri("a.md");
    await world.peer.open(uri, "_Mi'kmaw_ and **Mi’kmaw** and _data steward_\n");
    expect((await world.peer.hover(uri, 0, 3))?.range).toEqual({
      start: { line: 0, character: 1 },
      end: { line: 0, character: 8 },
    });
    expect((await world.peer.hover(uri, 0, 18))?.range).toEqual({
      start: { line: 0, character: 16 },
      end: { line: 0, character: 23 },
    });
    expect((await world.peer.hover(uri, 0, 35))?.range).toEqual({
      start: { line: 0, character: 31 },
      end: { line: 0, character: 43 },
    });
  });
});
