import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localCaller } from "../../src/core/concept/caller.ts";
import type { LedgerEvent, StoredEvent } from "../../src/ledger/events/event.ts";
import { noLedger } from "../../src/ledger/no-ledger.ts";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { QueryLog } from "../../src/ledger/query-log.ts";
import { withQueryLog } from "../../src/mcp/query-logging.ts";
import type { RequestContext } from "../../src/mcp/request-context.ts";
import { surfaceFor } from "../../src/mcp/surface-for.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { keptLog, tempFolder, tickingClock } from "./support/ledgers.ts";

let folder: ReturnType<typeof tempFolder>;
let ledger: Ledger;
const clock = tickingClock();

beforeEach(() => {
  folder = tempFolder();
  ledger = openLedger(join(folder.path, "wisdom.db"), { log: () => {}, now: clock.now });
});
afterEach(async () => {
  await ledger.close();
  folder.remove();
});

const lookup: LedgerEvent = { type: "lookup", concept: "steeping", agent: "local", context: "what is steeping" };

async function written(): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const page of ledger.events({ mayRead: () => true })) events.push(...page);
  return events;
}

function log(options: Partial<ConstructorParameters<typeof QueryLog>[1]> = {}, to = ledger): QueryLog {
  return new QueryLog(to, { log: () => {}, now: clock.now, keepText: false, ...options });
}

describe("the log of queries", () => {
  it("keeps the moment and the concept of a query, never its text", async () => {
    const queries = log();
    queries.note(lookup);
    await queries.close();
    const [event] = await written();
    expect(event).toMatchObject({ type: "lookup", concept: "steeping", context: "", agent: "local" });
  });

  it("keeps the text when it was told to, and none that is too long to keep whole", async () => {
    const queries = log({ keepText: true });
    queries.note(lookup);
    queries.note({ ...lookup, context: "x".repeat(20_000) });
    await queries.close();
    expect((await written()).map(({ context }) => context)).toEqual(["what is steeping", ""]);
  });

  it("writes by itself, in batches", async () => {
    const queries = log({ every: 5 });
    for (let i = 0; i < 1_200; i++) queries.note(lookup);
    while ((await ledger.countEvents({})) < 1_200) await queries.flush();
    await queries.close();
    expect((await ledger.summary({ concepts: [] })).totals.events).toBe(1_200);
  });

  it("drops and counts what is beyond its bound, and says so in the ledger", async () => {
    const queries = log({ most: 10 });
    for (let i = 0; i < 25; i++) queries.note(lookup);
    expect(queries.dropped).toBe(15);
    await queries.close();
    expect(await ledger.countEvents({})).toBe(10);
    const { logging } = await ledger.received("steeping");
    expect(logging).toMatchObject([{ dropped: 15 }]);
  });

  it("never throws at an answer when there is no ledger, and says so once", async () => {
    const { log: to, lines } = keptLog();
    const queries = log({ log: to }, noLedger());
    for (let i = 0; i < 5; i++) {
      queries.note(lookup);
      await queries.flush();
    }
    await queries.close();
    expect(queries.dropped).toBe(5);
    expect(lines).toEqual([expect.stringMatching(/^warn: Uses by queries cannot be written now/)]);
  });

  it("writes what waited once the lock that another program held is free, nothing twice", async () => {
    const impatient = openLedger(join(folder.path, "wisdom.db"), { log: () => {}, now: clock.now, patience: 50 });
    await impatient.record({ concept: "x", agent: "a", context: "makes the file" });
    const queries = log({}, impatient);
    const other = new Database(join(folder.path, "wisdom.db"));
    other.exec("begin immediate");
    queries.note(lookup);
    queries.note(lookup);
    await queries.flush();
    other.exec("commit");
    other.close();
    await queries.close();
    await impatient.close();
    expect(await ledger.countEvents({ types: ["lookup"] })).toBe(2);
  });
});

describe("the query tools", () => {
  const snapshot = snapshotOf({
    "craft/steeping.yaml": conceptFile("steeping", "relations: [{ type: enables, to: pouring, source: B1 }]\n"),
    "craft/pouring.yaml": conceptFile("pouring"),
  });

  it.each([
    ["iaip_concept_lookup", { concept: "steeping" }, [{ type: "lookup", concept: "steeping", disclosure: "full" }]],
    [
      "iaip_concept_relationship",
      { concept1: "steeping", concept2: "pouring" },
      [{ type: "relationship_query", concept: "steeping", other: "pouring" }],
    ],
    ["iaip_concept_search", { query: "steeping" }, [{ type: "search", concept: "steeping" }]],
    [
      "iaip_validate_terminology",
      { text: "We speak of steeping here." },
      [{ type: "validation", concept: "steeping" }],
    ],
    ["iaip_concept_context", { concept: "steeping" }, [{ type: "context", concept: "steeping" }]],
    [
      "iaip_direction_concepts",
      { direction: "first" },
      [
        { type: "direction", direction: "first" },
        { type: "direction", direction: "first" },
      ],
    ],
    ["iaip_concept_suggest", { context: "a task about steeping" }, [{ type: "suggestion" }]],
  ])("%s notes what it told", async (name, args, expected) => {
    const queries = log();
    const surface = withQueryLog(surfaceFor(snapshot, "1"), queries, "session-1");
    const caller = localCaller();
    const view = snapshot.viewFor(caller);
    const context: RequestContext = { view, ledger, caller, signal: new AbortController().signal };
    const answer = await surface.tools.find((tool) => tool.name === name)?.call(context, args);
    expect(answer?.kind).toBe("ok");
    await queries.close();
    const events = await written();
    expect(events.slice(0, expected.length)).toMatchObject(expected);
    for (const event of events) expect(event).toMatchObject({ agent: "local", session: "session-1", context: "" });
    expect(events[0]?.revision).toMatch(/^tea@/);
  });

  it("note nothing for a refusal, and leave the ledger tool as it is", async () => {
    const queries = log();
    const surface = withQueryLog(surfaceFor(snapshot, "1"), queries);
    const caller = localCaller();
    const view = snapshot.viewFor(caller);
    const context: RequestContext = { view, ledger, caller, signal: new AbortController().signal };
    const call = (name: string, args: unknown) => surface.tools.find((tool) => tool.name === name)?.call(context, args);
    expect((await call("iaip_concept_lookup", { concept: "nothing like it" }))?.kind).toBe("refused");
    const told = await call("iaip_wisdom_ledger_log", { concept: "steeping", agent_id: "mia", context: "a use" });
    expect(told?.kind).toBe("ok");
    await queries.close();
    expect(await written()).toMatchObject([{ type: "use", agent: "mia", context: "a use" }]);
  });
});
