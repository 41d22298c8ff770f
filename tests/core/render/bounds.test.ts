import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { localCaller } from "../../../src/core/concept/caller.ts";
import { relate } from "../../../src/core/queries/relate.ts";
import { relatingMarkdown } from "../../../src/core/render/relating-markdown.ts";
import { buildSnapshot, type Snapshot } from "../../../src/core/snapshot/snapshot.ts";
import { noLedger } from "../../../src/ledger/no-ledger.ts";
import type { RequestContext } from "../../../src/mcp/request-context.ts";
import type { ToolAnswer } from "../../../src/mcp/surface.ts";
import { surfaceFor } from "../../../src/mcp/surface-for.ts";
import { conceptFile, type Files, snapshotOf } from "../../support/small-vocabulary.ts";

function contextOf(snapshot: Snapshot): RequestContext {
  const caller = localCaller();
  return { view: snapshot.viewFor(caller), ledger: noLedger(), caller, signal: new AbortController().signal };
}

async function call(snapshot: Snapshot, name: string, args: object): Promise<ToolAnswer> {
  const tool = surfaceFor(snapshot, "0.0.0").tools.find((it) => it.name === name)!;
  return await tool.call(contextOf(snapshot), args);
}

test("a name that hundreds of concepts go by is refused with the first of them and their number", async () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 300; i++) files[`craft/s${i}.yaml`] = conceptFile(`s${i}`, "aliases: [shared word]\n");
  const answer = await call(snapshotOf(files), "iaip_concept_lookup", { concept: "shared word" });
  expect(answer).toMatchObject({ kind: "refused", text: expect.stringContaining("names 300 concepts") });
  expect(answer.text).toContain("- and 280 more");
  expect(answer.kind === "refused" && answer.candidates.length).toBe(20);
});

test("a direction with more concepts than fit stops under 4 MiB, says so, and tells how many there are", async () => {
  const definition = `${"kettle ".repeat(2_000)}.`;
  const files: Record<string, string> = {};
  for (let i = 0; i < 400; i++) files[`craft/s${i}.yaml`] = conceptFile(`s${i}`, "", { definition });
  const snapshot = snapshotOf(files);
  const template = surfaceFor(snapshot, "0.0.0").templates.find((it) => it.variable === "direction")!;
  const { text } = (await template.read(contextOf(snapshot), "first"))!;
  expect(Buffer.byteLength(text)).toBeLessThan(4 * 1024 * 1024);
  const { concepts, ...rest } = JSON.parse(text) as { concepts: unknown[]; [key: string]: unknown };
  expect(rest).toMatchObject({ concepts_total: 400, center_total: 0, truncated: true });
  expect(concepts.length).toBeGreaterThan(200);
});

test("without a vocabulary the tools keep valid schemas and refuse in words", async () => {
  const nothing = buildSnapshot([], { sequence: 1 });
  for (const { inputSchema } of surfaceFor(nothing, "0.0.0").tools) {
    expect(JSON.stringify(inputSchema)).not.toContain('"enum":[]');
    expect(new Ajv2020().validateSchema(inputSchema)).toBe(true);
  }
  expect(await call(nothing, "iaip_direction_concepts", { direction: "east" })).toMatchObject({
    kind: "refused",
    text: expect.stringContaining("concepts check"),
  });
});

test("two concepts that are related by analogy alone are not told as more", () => {
  const related = (type: string): Files => ({
    "craft/steep.yaml": conceptFile("steep", `relations: [{ type: ${type}, to: boil, source: B1 }]\n`),
    "craft/boil.yaml": conceptFile("boil"),
  });
  const words = (files: Files): string => {
    const view = snapshotOf(files).viewFor(localCaller());
    return relatingMarkdown(view, relate(view, view.concepts.get("steep")!, view.concepts.get("boil")!, 3), 3);
  };
  expect(words(related("resonates-with"))).toContain("are related by analogy, and no stronger claim is made");
  expect(words(related("resonates-with"))).not.toContain("directly related");
  expect(words(related("complements"))).toContain("are directly related");
});
