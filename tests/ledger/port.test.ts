import { afterAll, describe, expect, it } from "vitest";
import type { EventFilter, StoredEvent } from "../../src/ledger/events/event.ts";
import { contextLimit } from "../../src/ledger/events/event-check.ts";
import { type Ledger, LedgerRefused, LedgerUnavailable } from "../../src/ledger/port.ts";
import { ledgerBenches, tickingClock } from "./support/ledgers.ts";

const concepts = [
  { id: "relationality", direction: "east", category: "framework" },
  { id: "ceremony", direction: "north", category: "ceremony" },
  { id: "kinship", direction: "east", category: "framework" },
];

describe.each(await ledgerBenches())("a ledger in %s", (kind, bench) => {
  afterAll(() => bench.dispose());
  const fresh = async (now = tickingClock().now) => bench.open(await bench.place(), { now });

  it("says what it recorded, and counts it", async () => {
    const ledger = await fresh();
    const first = await ledger.record({
      concept: "relationality",
      agent: "mia",
      context: "naming a module",
      session: "s1",
    });
    expect(first).toMatchObject({ storedIn: kind, totals: { concept: 1, agent: 1, session: 1 } });
    expect(first.at).toMatch(/^2026-11-30T10:00:00\.\d{3}Z$/);
    const second = await ledger.record({ concept: "relationality", agent: "miette", context: "again" });
    expect(second.totals).toEqual({ concept: 2, agent: 1 });
    expect(second.eventId).not.toBe(first.eventId);
  });

  it("gives each of many callers at once a total of their own", async () => {
    const ledger = await fresh();
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ledger.record({ concept: "kinship", agent: `a${i % 2}`, context: `use ${i}` }),
      ),
    );
    expect(all.map(({ totals }) => totals.concept)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(all.map(({ totals }) => totals.agent)).toEqual(Array.from({ length: 50 }, (_, i) => Math.floor(i / 2) + 1));
  });

  it("keeps counting right across folds", async () => {
    const ledger = bench.open(await bench.place(), { foldAfter: 7 });
    for (let i = 1; i <= 30; i++) {
      const { totals } = await ledger.record({ concept: "kinship", agent: "a", context: "x", session: `s${i % 3}` });
      expect(totals).toMatchObject({ concept: i, agent: i });
    }
    expect(await ledger.check()).toMatchObject({ ok: true, problems: [], events: 30 });
  });

  it("has in a summary what was recorded right before, though a fold was under way", async () => {
    const ledger = bench.open(await bench.place(), { foldAfter: 1 });
    for (let i = 1; i <= 15; i++) {
      await ledger.recordBatch([
        { concept: "kinship", agent: "a", context: "x" },
        { concept: "kinship", agent: "b", context: "x" },
      ]);
      await ledger.record({ concept: "kinship", agent: "a", context: "x" });
      expect((await ledger.summary({ concepts })).totals.events).toBe(3 * i);
    }
  });

  it("takes an event that it has by its id as known, whatever its time", async () => {
    const ledger = await fresh();
    const event = { concept: "kinship", agent: "a", context: "x", id: "one" };
    await ledger.record(event);
    expect((await ledger.record({ ...event, at: "2025-01-01T00:00:00Z" })).totals.concept).toBe(1);
    expect(await ledger.recordBatch([event, { ...event, id: "two" }, { ...event, id: "two" }])).toMatchObject({
      written: 1,
    });
    expect(await ledger.countEvents({})).toBe(2);
  });

  it("refuses what it cannot keep whole, and says why", async () => {
    const ledger = await fresh();
    const long = { concept: "kinship", agent: "a", context: "é".repeat(contextLimit / 2 + 1) };
    await expect(ledger.record(long)).rejects.toThrow(/16386 bytes and the limit is 16384.*Nothing was recorded/);
    await expect(ledger.record({ ...long, context: " " })).rejects.toThrow(LedgerRefused);
    await expect(ledger.record({ ...long, context: "x", agent: "" })).rejects.toThrow(/agent has no name/);
    expect(await ledger.countEvents({})).toBe(0);
  });

  it("gives back control characters, lone surrogates and backslashes as they were", async () => {
    const ledger = await fresh();
    const context =
      "nul \u0000 esc \u001b[31m del \u007f c1 \u009b lone \ud800 and \udc00 pair \ud83e\udeb6 back\\slash \\u0000\ttab\nline";
    await ledger.record({ concept: "kinship", agent: "ag\u0000ent", context, session: "s\udfff" });
    const [event] = await allEvents(ledger, {});
    expect(event).toMatchObject({ context, agent: "ag\u0000ent", session: "s\udfff" });
    expect((await ledger.summary({ concepts })).by_agent).toEqual([{ agent: "ag\u0000ent", events: 1 }]);
  });

  it("shows what was said of a concept only to those who may see it", async () => {
    const ledger = await fresh();
    await ledger.record({ concept: "ceremony", agent: "a", context: "not for all" });
    await ledger.record({ concept: "kinship", agent: "a", context: "for all" });
    await ledger.record({
      concept: "kinship",
      other: "ceremony",
      type: "relationship_query",
      agent: "a",
      context: "both",
    });
    const seen = await allEvents(ledger, {}, (id) => id !== "ceremony");
    expect(seen.map(({ context }) => context)).toEqual([null, "for all", null]);
    const pages = ledger.events({ mayRead: () => true, hidden: new Set(["ceremony"]) });
    const rest: StoredEvent[] = [];
    for await (const page of pages) rest.push(...page);
    expect(rest.map(({ context }) => context)).toEqual(["for all"]);
  });

  it("summarizes use by concept, agent, session, day, direction and category", async () => {
    const ledger = await fresh();
    await seed(ledger);
    const summary = await ledger.summary({ concepts });
    expect(summary).toMatchObject({
      since: "2026-10-20",
      until: "2026-11-30",
      totals: { events: 7, concepts: 3, agents: 2, sessions: 2, days: 3, forgotten: 0 },
      session_days: { total: 3, with_100_events: 0 },
      by_concept: [
        { concept: "relationality", events: 3 },
        { concept: "kinship", events: 2 },
        { concept: "gone", events: 1 },
      ],
      by_agent: [
        { agent: "mia", events: 5 },
        { agent: "miette", events: 2 },
      ],
      by_session: [
        { session: "s1", events: 4 },
        { session: "s2", events: 1 },
      ],
      by_day: [
        { day: "2026-10-20", events: 1 },
        { day: "2026-11-29", events: 2 },
        { day: "2026-11-30", events: 4 },
      ],
      by_direction: [
        { direction: "east", events: 5 },
        { direction: null, events: 1 },
      ],
      by_category: [
        { category: "framework", events: 5 },
        { category: null, events: 1 },
      ],
      pairs: [{ concepts: ["kinship", "relationality"], sessions: 1 }],
      relations_walked: [{ from: "kinship", to: "relationality", events: 1 }],
      never_used: ["ceremony"],
      coverage: [
        { direction: "east", concepts: 2, used: 2 },
        { direction: "north", concepts: 1, used: 0 },
      ],
      rising: [
        { concept: "kinship", before: 0, now: 2 },
        { concept: "gone", before: 0, now: 1 },
        { concept: "relationality", before: 1, now: 2 },
      ],
      falling: [],
      truncated: false,
    });
    expect(summary.measures).toMatch(/nothing of people/);
  });

  it("summarizes a range of days and a filter, and hides what a reader may not know of", async () => {
    const ledger = await fresh();
    await seed(ledger);
    const { totals, by_concept } = await ledger.summary({ concepts, since: "2026-11-29", until: "2026-11-29" });
    expect(totals).toMatchObject({ events: 2, days: 1, sessions: 1 });
    expect(by_concept).toEqual([{ concept: "relationality", events: 2 }]);
    expect((await ledger.summary({ concepts, agent: "miette" })).totals).toMatchObject({ events: 2, sessions: 1 });
    expect((await ledger.summary({ concepts, session: "s1" })).totals).toMatchObject({ events: 4, days: 2 });
    expect((await ledger.summary({ concepts, direction: "north" })).totals.events).toBe(0);
    expect((await ledger.summary({ concepts, concept: "kinship" })).totals.events).toBe(2);
    const without = concepts.filter(({ id }) => id !== "kinship");
    const hiding = await ledger.summary({ concepts: without, hidden: new Set(["kinship"]) });
    expect(JSON.stringify(hiding)).not.toContain("kinship");
    expect(hiding.totals.events).toBe(5);
  });

  it("forgets an agent: the words go, tombstones stay, and the act is recorded", async () => {
    const ledger = await fresh();
    await seed(ledger);
    const before = await allEvents(ledger, {});
    const forgotten = await ledger.forget({ agent: "mia", by: "mia", reason: "asked to" });
    expect(forgotten).toMatchObject({ events: 5, versions: 0, from: expect.stringMatching(/^2026-10-20/) });
    const after = await allEvents(ledger, {});
    expect(after.filter((event) => event.forgotten === forgotten.act)).toHaveLength(5);
    expect(JSON.stringify(after.filter(({ type }) => type !== "forget"))).not.toContain("mia");
    expect(after.filter(({ type }) => type === "forget")).toMatchObject([{ agent: "mia", context: "asked to" }]);
    const { totals, by_agent } = await ledger.summary({ concepts });
    expect(totals).toMatchObject({ events: 3, forgotten: 5 });
    expect(by_agent).toEqual([
      { agent: "miette", events: 2 },
      { agent: "mia", events: 1 },
    ]);
    expect(await ledger.check()).toMatchObject({ ok: true, problems: [] });
    expect(await ledger.recordBatch(before.map(asEvent))).toMatchObject({ written: 0 });
  });

  it.each([{ concept: "kinship" }, { session: "s1" }, { before: "2026-11-30" }])(
    "forgets by %o and its counts are those of a recount",
    async (what) => {
      const ledger = await fresh();
      await seed(ledger);
      const { events } = await ledger.forget({ ...what, by: "steward", reason: "withdrawn" });
      expect(events).toBeGreaterThan(1);
      expect(await ledger.check()).toMatchObject({ ok: true, problems: [] });
      expect((await ledger.summary({ concepts })).totals).toMatchObject({ events: 8 - events, forgotten: events });
    },
  );

  it("wants one thing named, a reason and a person for a forgetting", async () => {
    const ledger = await fresh();
    await expect(ledger.forget({ by: "x", reason: "y" })).rejects.toThrow(/exactly one/);
    await expect(ledger.forget({ agent: "a", concept: "b", by: "x", reason: "y" })).rejects.toThrow(/exactly one/);
    await expect(ledger.forget({ before: "soon", by: "x", reason: "y" })).rejects.toThrow(/no day/);
    await expect(ledger.forget({ agent: "a", by: "x", reason: "" })).rejects.toThrow(LedgerRefused);
  });

  it("knows who was told of a concept, and when it could know", async () => {
    const ledger = await fresh();
    await ledger.record({
      concept: "ceremony",
      type: "lookup",
      agent: "mia",
      context: "",
      session: "s1",
      disclosure: "full",
    });
    await ledger.record({ concept: "ceremony", type: "lookup", agent: "miette", context: "", disclosure: "withheld" });
    await ledger.record({
      concept: "kinship",
      other: "ceremony",
      type: "relationship_query",
      agent: "echo",
      context: "",
    });
    const period = { from: "2026-11-30T09:00:00.000Z", to: "2026-11-30T09:30:00.000Z", dropped: 0 };
    await ledger.markLogging("run-1", period);
    await ledger.markLogging("run-1", { ...period, to: "2026-11-30T10:30:00.000Z", dropped: 2 });
    const { recipients, logging } = await ledger.received("ceremony");
    expect(recipients).toMatchObject([
      { agent: "mia", session: "s1", events: 1 },
      { agent: "echo", session: null, events: 1 },
    ]);
    expect(logging).toEqual([{ ...period, to: "2026-11-30T10:30:00.000Z", dropped: 2 }]);
  });

  it("keeps each wording of a concept, with what changed, and records a withdrawal", async () => {
    const ledger = await fresh();
    const words = (definition: string, withdrawn = false) => [
      { concept: "kinship", hash: `hash of ${definition}`, fields: { definition, holder: "x" }, withdrawn },
    ];
    expect(await ledger.recordVersions(words("first"))).toMatchObject([{ version: 1, changed: [] }]);
    expect(await ledger.recordVersions(words("first"))).toEqual([]);
    await ledger.recordVersions(words("second"));
    await ledger.recordVersions(words("gone", true));
    const history = await ledger.history("kinship");
    expect(history.map(({ version, changed, withdrawn }) => ({ version, changed, withdrawn }))).toEqual([
      { version: 1, changed: [], withdrawn: false },
      { version: 2, changed: ["definition"], withdrawn: false },
      { version: 3, changed: ["definition"], withdrawn: true },
    ]);
    expect((await ledger.summary({ concepts })).versions).toMatchObject([{ version: 3 }, { version: 2 }]);
    expect(await allEvents(ledger, { types: ["withdrawal"] })).toMatchObject([
      { concept: "kinship", agent: "iaip-dsl" },
    ]);
    await ledger.forget({ concept: "kinship", by: "holder", reason: "asked to" });
    expect((await ledger.history("kinship")).map(({ fields }) => fields)).toEqual([null, null, null]);
  });

  it("empties older text of a concept once it is guarded, as a recorded act", async () => {
    const ledger = await fresh();
    const wording = { concept: "kinship", withdrawn: false };
    await ledger.recordVersions([{ ...wording, hash: "1", fields: { definition: "open text" } }]);
    await ledger.recordVersions([{ ...wording, hash: "2", fields: { definition: "withheld" }, isGuarded: true }]);
    expect((await ledger.history("kinship")).map(({ fields }) => fields)).toEqual([null, { definition: "withheld" }]);
    expect(await ledger.check()).toMatchObject({ ok: true });
  });

  it("forgets the texts of other agents' queries that name a forgotten agent, and keeps their counts", async () => {
    const ledger = await fresh();
    await ledger.recordBatch([
      { type: "search", agent: "echo", context: "what did Leaving_Agent say" },
      { type: "search", agent: "echo", context: "what of leavingXagent" },
      { concept: "kinship", agent: "leaving_agent", context: "mine" },
    ]);
    expect((await ledger.forget({ agent: "leaving_agent", by: "steward", reason: "asked to" })).events).toBe(1);
    const kept = await allEvents(ledger, { types: ["search"] });
    expect(kept.map(({ agent, context }) => ({ agent, context }))).toEqual([
      { agent: "echo", context: "" },
      { agent: "echo", context: "what of leavingXagent" },
    ]);
  });

  it("writes a version once when several servers load it at once", async () => {
    const where = await bench.place();
    const words = [{ concept: "kinship", hash: "h", fields: { definition: "d" }, withdrawn: false }];
    const made = await Promise.all([1, 2, 3, 4].map(() => bench.open(where).recordVersions(words)));
    expect(made.flat()).toHaveLength(1);
  });

  it("refuses every use after it is closed, and says so", async () => {
    const ledger = await fresh();
    const last = ledger.record({ concept: "kinship", agent: "a", context: "x" });
    await ledger.close();
    await expect(last).resolves.toMatchObject({ totals: { concept: 1 } });
    await expect(ledger.record({ concept: "kinship", agent: "a", context: "x" })).rejects.toThrow(LedgerUnavailable);
  });
});

async function seed(ledger: Ledger): Promise<void> {
  const at = (day: string, n: number) => `${day}T12:00:00.00${n}Z`;
  await ledger.recordBatch([
    { concept: "relationality", agent: "mia", context: "a", session: "s2", at: at("2026-10-20", 1) },
    { concept: "relationality", agent: "mia", context: "b", session: "s1", at: at("2026-11-29", 2) },
    { concept: "relationality", agent: "mia", context: "c", session: "s1", at: at("2026-11-29", 3) },
    { concept: "kinship", agent: "mia", context: "d", session: "s1", at: at("2026-11-30", 4) },
    {
      concept: "kinship",
      other: "relationality",
      type: "relationship_query",
      agent: "miette",
      context: "",
      session: "s1",
      at: at("2026-11-30", 5),
    },
    { concept: "gone", agent: "mia", context: "e", at: at("2026-11-30", 6) },
    { type: "search", agent: "miette", context: "", at: at("2026-11-30", 7) },
  ]);
}

async function allEvents(
  ledger: Ledger,
  filter: EventFilter,
  mayRead: (id: string) => boolean = () => true,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const page of ledger.events({ ...filter, mayRead })) events.push(...page);
  return events;
}

function asEvent({ id, at, type, agent, context, concept }: StoredEvent) {
  return { id, at, type, agent, context: context ?? "", ...(concept === null ? {} : { concept }) };
}
