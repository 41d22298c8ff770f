import { afterEach, describe, expect, test } from "vitest";
import { buildSnapshot, type Snapshot } from "../../src/core/snapshot/snapshot.ts";
import { parsedFiles } from "../support/small-vocabulary.ts";
import { openWorld, serveOver, teaConcepts, type World } from "./support/world.ts";

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

describe("load, life and hover, by the numbers of the trackers' tests", () => {
  test("#45 a hundred quick edits with many findings end with the last text, checked a few times only", async () => {
    const { peer, uri } = await worldWith();
    const many = "A nameless pot. ".repeat(400);
    await peer.open(uri("a.md"), many);
    for (let round = 0; round < 100; round += 1) {
      const start = { line: 0, character: 0 };
      void peer.change(uri("a.md"), [{ range: { start, end: start }, text: "x" }]);
    }
    await peer.change(uri("a.md"), [{ text: pot }]);
    expect((await peer.diagnostics(uri("a.md"), (all) => all.length === 1)).length).toBe(1);
    expect(peer.published.filter((it) => it.uri === uri("a.md")).length).toBeLessThan(20);
    expect(peer.diagnosticsOf(uri("a.md"))?.[0]?.range.start).toEqual({ line: 0, character: 2 });
  });

  test("#46 a 12 MB line is passed over with a notice, ten thousand lines are read, and closing stops the work", async () => {
    const { peer, uri } = await worldWith();
    await peer.open(uri("min.json"), `{"a":"${"nameless pot ".repeat(950_000)}"}`, "plaintext");
    const [notice] = await peer.diagnostics(uri("min.json"));
    expect(notice).toMatchObject({ code: "document.too-long", severity: 3 });
    const began = performance.now();
    await peer.open(uri("long.md"), `A nameless pot and a data steward, again.\n\n`.repeat(5000));
    const found = await peer.diagnostics(uri("long.md"));
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(found.length).toBe(201);
    expect(found.at(-1)).toMatchObject({ code: "diagnostics.capped", message: expect.stringContaining("200 of 5000") });
    expect((await peer.hover(uri("long.md"), 9998, 22))?.text).toContain("Data Steward");
    await peer.open(uri("shut.md"), pot.repeat(3000));
    await peer.close(uri("shut.md"));
    await peer.hover(uri("long.md"), 0, 22);
    expect(peer.published.filter((it) => it.uri === uri("shut.md")).at(-1)?.diagnostics ?? []).toEqual([]);
  });

  test("#47 the handshake is answered before the vocabulary is there; hover and diagnostics of documents opened meanwhile wait for it", async () => {
    const empty = buildSnapshot([], { sequence: 0 });
    const loaded = buildSnapshot(parsedFiles(teaConcepts), { sequence: 1 });
    let current: Snapshot = empty;
    let settle = (): void => undefined;
    const ready = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const source = {
      get snapshot() {
        return current;
      },
      ready,
      onDidChange: () => () => undefined,
    };
    const { served, peer } = serveOver(source, undefined);
    expect((await peer.initialize()).capabilities.hoverProvider).toBe(true);
    await peer.open("file:///a.md", `${pot}data steward\n`);
    let isTold = false;
    const told = peer.hover("file:///a.md", 1, 2).finally(() => {
      isTold = true;
    });
    await peer.request("textDocument/foldingRange", { textDocument: { uri: "file:///a.md" } });
    expect([isTold, peer.published.length]).toEqual([false, 0]);
    current = loaded;
    settle();
    expect((await told)?.text).toContain("Data Steward");
    expect((await peer.diagnostics("file:///a.md")).length).toBe(1);
    served.close();
    await served.closed;
  });

  test("#48 the end of the stream ends the server: 0 after a shutdown, 1 without", async () => {
    const polite = await openWorld();
    await polite.peer.shutdown();
    expect(await polite.served.closed).toBe(0);
    await polite.close();
    const rude = await openWorld();
    rude.peer.connection.end();
    expect(await rude.served.closed).toBe(1);
    await rude.close();
  });

  test("#51 what a definition says is shown as written, and a shared name shows each sense once", async () => {
    const { peer, uri } = await worldWith();
    await peer.open(uri("a.md"), "a shared name and the tea-bowl\n");
    const senses = (await peer.hover(uri("a.md"), 0, 4))?.text ?? "";
    expect(senses.match(/^### .*/gm)).toEqual(["### Circle Of Care", expect.stringContaining("### Tea")]);
    expect(senses.split("\n---\n").length).toBe(2);
    const bowl = (await peer.hover(uri("a.md"), 0, 24))?.text ?? "";
    expect(bowl.split("\n")[0]).toBe('### Tea \\| Bowl \\`x\\` \\[l\\](u) "q"');
    expect(bowl).not.toMatch(/\n\n\n|\s$/);
    const plain = await worldWith({ capabilities: bare });
    await plain.peer.open(plain.uri("a.md"), "the tea-bowl");
    const told = await plain.peer.at<{ contents: { kind: string; value: string } }>("hover", plain.uri("a.md"), 0, 6);
    expect(told.contents.kind).toBe("plaintext");
    expect(told.contents.value.split("\n")[0]).toBe('Tea | Bowl `x` [l](u) "q"');
  });

  test("#52 where no concept is named there is no hover, so that the language's own shows alone", async () => {
    const { peer, uri } = await worldWith();
    await peer.open(uri("a.py"), "def pour(water):\n    return data_steward\n", "python");
    expect(await peer.hover(uri("a.py"), 0, 5)).toBeNull();
    expect((await peer.hover(uri("a.py"), 1, 14))?.range).toEqual({
      start: { line: 1, character: 11 },
      end: { line: 1, character: 23 },
    });
  });

  test("two clients over one vocabulary do not disturb each other", async () => {
    const world = await worldWith();
    const second = serveOver(world.workspace, world.concepts);
    await second.peer.initialize({ folder: world.folder });
    await second.peer.open(world.uri("a.md"), "data steward");
    second.served.close();
    await second.served.closed;
    await world.peer.open(world.uri("a.md"), "data steward");
    expect((await world.peer.hover(world.uri("a.md"), 0, 2))?.text).toContain("Data Steward");
  });
});
