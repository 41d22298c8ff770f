import { afterEach, expect, test } from "vitest";
import { localCaller } from "../../src/core/concept/caller.ts";
import { conceptFile } from "../support/small-vocabulary.ts";
import { openWorld, teaConcepts, type World } from "./support/world.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

const secret = "withheld words of the tasters";
const hidden = conceptFile(
  "tasting-rite",
  `aliases: [quiet sip]\nocap: { relevance: held by the tasters, access: ceremony_required, status: not-assessed }\ngovernance: { protocols: [tasters], care: [], agent_may: [], agent_may_not: [], reviewed_by_holder: null }\nrelations:\n  - { type: complements, to: tea-bowl, proposed_by: tests }\nexamples: ["${secret}"]\n`,
  { definition: `The rite: ${secret}.` },
);
/** The same file as a caller without the right may know it. */
const bare = conceptFile(
  "tasting-rite",
  "ocap: { relevance: held by the tasters, access: ceremony_required, status: not-assessed }\n",
  {
    definition: "Not told.",
  },
);

interface Hierarchy {
  readonly data: string;
}

/** Everything that an editor receives about a document that names the concept by its name and by an alias. */
async function answersOf(file: string, protocols: readonly string[] = []): Promise<string> {
  const world = await openWorld({
    concepts: { ...teaConcepts, "craft/tasting-rite.yaml": file },
    initializationOptions: { inlayHints: { enable: true } },
    lsp: { caller: localCaller(protocols) },
  });
  open.push(world);
  const { peer } = world;
  const uri = world.uri("a.md");
  await peer.open(uri, "tasting rite, quiet sip, tea-bowl\ntas\nquiet");
  const textDocument = { uri };
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const hierarchy = (await peer.at<Hierarchy[] | null>("prepareCallHierarchy", uri, 0, 26)) ?? [];
  const lists = await Promise.all([
    peer.at<{ items: object[] }>("completion", uri, 1, 3),
    peer.at<{ items: object[] }>("completion", uri, 2, 5),
  ]);
  const bowl = world.conceptUri("ware/tea-bowl.yaml");
  await peer.open(bowl, teaConcepts["ware/tea-bowl.yaml"] ?? "");
  const lenses = await peer.request<object[]>("textDocument/codeLens", { textDocument: { uri: bowl } });
  const answers = await Promise.all([
    ...lenses.map((lens) => peer.request("codeLens/resolve", lens)),
    peer.at("references", uri, 0, 26, { context: { includeDeclaration: true } }),
    peer.at("references", uri, 0, 3, { context: { includeDeclaration: true } }),
    peer.at("references", bowl, 11, 20, { context: { includeDeclaration: true } }),
    peer.request("textDocument/documentLink", { textDocument: { uri: bowl } }),
    peer.hover(uri, 0, 3),
    peer.hover(uri, 0, 18),
    peer.hover(uri, 0, 28),
    ...lists.flatMap(({ items }) => items).map((item) => peer.request("completionItem/resolve", item)),
    peer.request("workspace/symbol", { query: "" }),
    peer.request("textDocument/documentSymbol", { textDocument }),
    peer.request("textDocument/inlayHint", { textDocument, range }),
    peer.request("textDocument/semanticTokens/full", { textDocument }),
    peer.request("workspace/textDocumentContent", { uri: "iaip://concepts/tasting-rite" }),
    peer.request("workspace/executeCommand", { command: "iaip-dsl.neighborhood", arguments: ["tea-bowl"] }),
    ...hierarchy.flatMap((item) => [
      peer.request("callHierarchy/incomingCalls", { item }),
      peer.request("callHierarchy/outgoingCalls", { item }),
    ]),
  ]);
  return JSON.stringify([lists, answers]).replaceAll(world.folder, "FOLDER");
}

test("without the right, an editor is told of a withheld concept what it would be told if the withheld parts were not there", async () => {
  const answers = await answersOf(hidden);
  expect(answers).not.toContain(secret);
  expect(answers).not.toContain("quiet sip");
  expect(answers).toBe(await answersOf(bare));
});

test("with the community's protocol granted, the concept is told", async () => {
  const answers = await answersOf(hidden, ["tasters"]);
  expect(answers).toContain(secret);
  expect(answers).toContain("quiet sip");
});
