import { afterEach, expect, test } from "vitest";
import { caret, openWorld, type World } from "./support/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test("a hover tells the whole term in the words of the lookup and marks its range", async () => {
  world = await openWorld();
  const { text, line, character } = caret("Ask the data\nste<|>ward first.");
  await world.peer.open(world.uri("a.md"), text);
  const told = await world.peer.hover(world.uri("a.md"), line, character);
  expect(told?.text).toContain("### Data Steward");
  expect(told?.range).toEqual({ start: { line: 0, character: 8 }, end: { line: 1, character: 7 } });
});

test("diagnostics are pushed for prose and cleared on close", async () => {
  world = await openWorld();
  await world.peer.open(world.uri("a.md"), "There is a nameless pot here.\n");
  const found = await world.peer.diagnostics(world.uri("a.md"));
  expect(found.map((it) => [it.code, it.severity, it.range.start.character])).toEqual([["pot.discouraged", 2, 11]]);
  await world.peer.close(world.uri("a.md"));
  expect(await world.peer.diagnostics(world.uri("a.md"), (it) => it.length === 0)).toEqual([]);
});
