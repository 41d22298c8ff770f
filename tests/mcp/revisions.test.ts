import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import { legacyRevisions } from "../../src/mcp/protocol/revision.ts";
import { type Both, openBoth } from "../support/both.ts";
import { conceptFile, teaVocabulary } from "../support/small-vocabulary.ts";
import { modernMeta } from "./stdio-peer.ts";

let both: Both;
afterEach(() => both.close());

const files = Object.fromEntries(
  Object.entries({ ...teaVocabulary, "craft/steeping.yaml": conceptFile("steeping") }).map(([path, text]) => [
    `concepts/${path}`,
    text,
  ]),
);

describe("A field goes only to revisions that have it", () => {
  it.each(legacyRevisions)("%s", async (revision) => {
    both = await openBoth({ files, revision });
    const { agent } = both;
    const hello = agent.received.find((it) => it.result?.serverInfo !== undefined)!.result!;
    const { result: listed } = await agent.ask("tools/list");
    const { result: called } = await agent.call("iaip_concept_lookup", { concept: "steeping" });
    const { result: resources } = await agent.ask("resources/list");
    const { result: prompts } = await agent.ask("prompts/list");
    const [tool] = (listed as { tools: readonly object[] }).tools;
    const [resource] = (resources as { resources: readonly object[] }).resources;
    const [prompt] = (prompts as { prompts: readonly object[] }).prompts;
    const has = (field: string) => [hello.serverInfo as object, tool!, resource!, prompt!].map((it) => field in it);
    expect(hello.protocolVersion).toBe(revision);
    expect(has("icons")).toEqual(Array(4).fill(revision >= "2025-11-25"));
    expect(has("title").slice(1)).toEqual(Array(3).fill(revision >= "2025-06-18"));
    expect("outputSchema" in tool!).toBe(revision >= "2025-06-18");
    expect("structuredContent" in called!).toBe(revision >= "2025-06-18");
    expect("annotations" in tool!).toBe(revision >= "2025-03-26");
  });
});

describe("A call that is sent again", () => {
  const args = { concept: "steeping", agent_id: "mia", context: "a plan" };
  const key = (value: string) => ({ _meta: { "iaip-dsl/idempotency-key": value } });
  const events = async () => {
    const ledger = openLedger(`${both.folder}/ledger.db`, { log: silentLog, now: () => new Date() });
    const count = await ledger.countEvents({ types: ["use"] });
    await ledger.close();
    return count;
  };

  it.each([
    ["2025-11-25", {}],
    ["2026-07-28", modernMeta()],
  ] as const)(
    "is recorded once under one key, and anew under another or with other words, in %s",
    async (era, meta) => {
      both = await openBoth({ files, revision: era });
      const log = (more: object, value: string) =>
        both.agent.ask("tools/call", {
          name: "iaip_wisdom_ledger_log",
          arguments: { ...args, ...more },
          _meta: { ...meta, ...key(value)._meta },
        });
      const [first, again] = [await log({}, "a"), await log({}, "a")];
      const id = ({ result }: typeof first) =>
        (result as { structuredContent: { event_id: string } }).structuredContent;
      expect(id(again).event_id).toBe(id(first).event_id);
      expect(await events()).toBe(1);
      await log({ context: "another plan" }, "a");
      await log({}, "b");
      expect(await events()).toBe(3);
    },
  );
});
