import { expect, test } from "vitest";
import { localCaller } from "../../src/core/concept/caller.ts";
import type { Snapshot } from "../../src/core/snapshot/snapshot.ts";
import { noLedger } from "../../src/ledger/no-ledger.ts";
import type { RequestContext } from "../../src/mcp/request-context.ts";
import { conceptLookup } from "../../src/mcp/tools/concept-lookup.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";

function contextOf(snapshot: Snapshot, protocols: readonly string[] = []): RequestContext {
  const caller = localCaller(protocols);
  return { view: snapshot.viewFor(caller), ledger: noLedger(), caller, signal: new AbortController().signal };
}

const lookup = ({ vocabulary }: Snapshot) => conceptLookup.make({ vocabulary });

const night = (definition: string) =>
  snapshotOf({
    "craft/night.yaml": conceptFile(
      "night",
      "governance: { protocols: [tasters] }\nocap: { relevance: none, access: restricted, status: not-assessed }\n",
      { definition },
    ),
  });

test("the same question is answered from memory, and a caller with other rights never from another's", async () => {
  const snapshot = night("Words that stay inside the circle.");
  const ask = async (protocols: readonly string[]) =>
    lookup(snapshot).call(contextOf(snapshot, protocols), { concept: "night" });
  const [open, granted, again] = [await ask([]), await ask(["tasters"]), await ask([])];
  expect(open.text).not.toContain("inside the circle");
  expect(granted.text).toContain("inside the circle");
  expect(again).toEqual(open);
  expect(again.kind === "ok" && open.kind === "ok" && again.structured.concept === open.structured.concept).toBe(true);
});

test("a changed vocabulary is answered anew", async () => {
  const ask = async (snapshot: Snapshot) =>
    lookup(snapshot).call(contextOf(snapshot, ["tasters"]), { concept: "night" });
  expect((await ask(night("What there was before the change."))).text).toContain("before");
  expect((await ask(night("What there is after the change."))).text).toContain("after");
});

test("many different questions keep the memory bounded, and each is still answered", async () => {
  const snapshot = night("Words that stay inside the circle.");
  for (let i = 0; i < 500; i++) {
    const answer = await lookup(snapshot).call(contextOf(snapshot), { concept: `nothing ${i}` });
    expect(answer).toMatchObject({ kind: "refused", text: expect.stringContaining(`nothing ${i}`) });
  }
});
