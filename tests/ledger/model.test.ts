import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { EventFilter, EventType, LedgerEvent } from "../../src/ledger/events/event.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { summarize } from "../../src/ledger/summary/summary-query.ts";
import { counts, ledgerBenches, tickingClock } from "./support/ledgers.ts";
import { PlainLedger, plainly } from "./support/plain-ledger.ts";

const concepts = ["kinship", "ceremony", "dé\\jà \u0000", "land"];
const facts = concepts.map((id) => ({ id, direction: "east", category: "framework" }));
const agents = ["mia", "mi\ud800a", "echo"];
const sessions = ["s1", "s2", "s\\3"];
const days = ["2025-12-31", "2026-02-28", "2026-11-01", "2026-11-29", "2026-11-30", "2027-06-01"];
const types: readonly EventType[] = ["use", "lookup", "relationship_query", "search"];

const maybe = <T>(of: readonly T[]) => fc.option(fc.constantFrom(...of), { nil: undefined });

const event = fc
  .record({
    id: fc.integer({ min: 0, max: 60 }).map((n) => `event-${n}`),
    day: fc.constantFrom(...days),
    time: fc.integer({ min: 0, max: 86_399_999 }),
    type: fc.constantFrom(...types),
    concept: maybe(concepts),
    other: maybe(concepts),
    agent: fc.constantFrom(...agents),
    session: maybe(sessions),
    context: fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
  })
  .map(({ day, time, ...rest }): LedgerEvent & { readonly id: string; readonly at: string } => ({
    ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Omit<
      typeof rest,
      "never"
    > & {
      concept: string;
      other: string;
      session: string;
    }),
    at: new Date(Date.parse(day) + time).toISOString(),
  }));

const filter = fc.record({
  since: maybe(days),
  until: maybe(days),
  concept: maybe(concepts),
  agent: maybe(agents),
  session: maybe(sessions),
  types: fc.option(fc.subarray([...types], { minLength: 1 }), { nil: undefined }),
});

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      events: fc.array(event, { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("record" as const), event }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("forget" as const),
      what: fc.oneof(
        fc.constantFrom(...agents).map((agent) => ({ agent })),
        fc.constantFrom(...sessions).map((session) => ({ session })),
        fc.constantFrom(...concepts).map((concept) => ({ concept })),
        fc.constantFrom(...days).map((before) => ({ before })),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      filter,
      hidden: fc.subarray(concepts, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
);

describe.each(await ledgerBenches())("random acts on a ledger in %s", (kind, bench) => {
  afterAll(() => bench.dispose());

  it(
    "answer as a plain list would, counts kept and recounted alike",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 30 }),
          async (steps, foldAfter) => {
            const where = await bench.place();
            const clock = tickingClock("2026-11-30T10:00:00Z");
            const open = () => bench.open(where, { now: clock.now, foldAfter });
            const plain = new PlainLedger();
            let ledger = open();
            for (const each of steps) {
              if (each.kind === "reopen") {
                await ledger.close();
                ledger = open();
              } else await take(ledger, plain, each);
            }
            await agree(ledger, plain, {}, []);
            const question = { concepts: facts };
            const store = bench.store(where);
            expect(await summarize(store, question, "recount")).toEqual(await ledger.summary(question));
            await store.close();
            expect(await ledger.check()).toMatchObject({ ok: true, problems: [], events: plain.events.length });
            await ledger.close();
          },
        ),
        {
          endOnFailure: process.env.IAIP_LONG !== "1",
          numRuns: counts(kind === "sqlite" ? 300 : 100, kind === "sqlite" ? 12 : 4),
        },
      );
    },
    counts(1_800_000, 90_000),
  );
});

type Step = Exclude<typeof step extends fc.Arbitrary<infer T> ? T : never, { kind: "reopen" }>;

async function take(ledger: Ledger, plain: PlainLedger, each: Step): Promise<void> {
  if (each.kind === "batch") {
    const written = each.events.filter((one) => plain.add(one)).length;
    expect(await ledger.recordBatch(each.events)).toEqual({ written, known: each.events.length - written });
  } else if (each.kind === "record") {
    plain.add(each.event);
    const { concept, agent, session } = each.event;
    const { totals } = await ledger.record(each.event);
    if (concept !== undefined) expect(totals.concept).toBe(plain.total("concept", concept));
    expect(totals.agent).toBe(plain.total("agent", agent));
    expect(totals.session).toBe(session === undefined ? undefined : plain.total("session", session));
  } else if (each.kind === "forget") {
    const { act, at, events } = await ledger.forget({ ...each.what, by: "steward", reason: "asked to" });
    expect(events).toBe(plain.forget({ ...each.what, by: "", reason: "" }));
    plain.add({ id: act, at, type: "forget", agent: "steward", context: "asked to" });
  } else await agree(ledger, plain, each.filter, each.hidden);
}

async function agree(
  ledger: Ledger,
  plain: PlainLedger,
  given: { readonly [K in keyof EventFilter]: EventFilter[K] | undefined },
  hiding: readonly string[],
): Promise<void> {
  const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as EventFilter;
  const hidden = new Set(hiding);
  const summary = await ledger.summary({
    ...filter,
    concepts: facts.filter(({ id }) => !hidden.has(id)),
    hidden,
    limit: 1_000,
  });
  expect(plainly(summary)).toEqual(plain.summary(filter, hidden));
  const told: string[] = [];
  for await (const page of ledger.events({ ...filter, hidden, mayRead: () => true })) {
    for (const { id, forgotten, context } of page) if (forgotten === null) told.push(`${id} ${context}`);
  }
  const seen = plain
    .matching(filter)
    .filter(({ concept, other }) => ![concept, other].some((id) => hidden.has(id ?? "")));
  expect(told.sort()).toEqual(seen.map(({ id, context }) => `${id} ${context}`).sort());
}
